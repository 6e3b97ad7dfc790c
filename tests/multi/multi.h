/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef MULTI_H
#define MULTI_H

/**
 * @file Harness of the tests that are OpenSHMEM programs. All PEs run the same cases in the same
 * order; a check that fails is counted and printed, and any PE's failure fails the program. A case
 * that does not come to its end is ended by an alarm that says what it was waiting for.
 *
 * Usage of such a program: PROG [-c CASE] [-x FACTOR] [-t SECONDS] [-s SEED] [-w TIMES]
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <shmem.h>

enum {
	MT_PES = 1024, /**< at most, what tables of PEs have room for; mt_main() checks */
	MT_FEW = 8     /**< PEs with which all cases run at full length */
};

struct mt_case {
	const char *name;
	void (*run)(void);
};

/** What the options say; FACTOR multiplies the rounds of the long cases. On a machine that has
 * other work, a case may take TIMES as long before it counts as one that hangs. */
struct mt_options {
	const char *only;
	long factor;
	long seconds;
	long times;
	uint64_t seed;
};

extern int mt_me, mt_npes;
extern struct mt_options mt_options;

/** Run the cases (the last one has no name). @return exit status of the program */
int mt_main(int argc, char **argv, int thread_level, const struct mt_case *cases);

/** A program of these cases, each {name, function}. */
#define MT_PROGRAM(thread_level, ...)                                     \
	int main(int argc, char **argv)                                   \
	{                                                                 \
		static const struct mt_case cases[] = {__VA_ARGS__, {0}}; \
                                                                          \
		return mt_main(argc, argv, thread_level, cases);          \
	}

/** Name what the next lines wait for; the alarm prints it. */
void mt_waiting(const char *what);

/** The case goes on: its limit for a hang starts again. */
void mt_progress(void);

/** Thread safe. Prints the first ten failures of a PE and counts them all. @return ok */
bool mt_check(bool ok, const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#define CHECK(cond) ((void)mt_check((cond), __FILE__, __LINE__, "%s", #cond))
/** With a message and values of its own. */
#define CHECK_MSG(cond, ...) ((void)mt_check((cond), __FILE__, __LINE__, __VA_ARGS__))
#define CHECK_EQ(a, b)                                                                          \
	do {                                                                                    \
		long long a_ = (long long)(a), b_ = (long long)(b);                             \
		mt_check(a_ == b_, __FILE__, __LINE__, "%s == %s: %lld, %lld", #a, #b, a_, b_); \
	} while (0)

/** Symmetric memory, or the end of the test. */
void *mt_alloc(size_t bytes);

/** Called on all PEs: the program cannot run on this layout, for that reason. Ends it with status
 *  77. */
void mt_skip(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** Rounds of a case in which every PE does something with every other one: fewer where PEs are
 *  many, so that its time does not grow with their square. Never none. */
static inline long
mt_rounds(long rounds)
{
	long most = rounds * mt_options.factor * MT_FEW / (mt_npes > MT_FEW ? mt_npes : MT_FEW);

	return most > 0 ? most : 1;
}

/** The PE @p distance to the right (to the left where negative). */
static inline int
mt_pe(int distance)
{
	return ((mt_me + distance) % mt_npes + mt_npes) % mt_npes;
}

/** Distances that the tests go over: oneself, one hop, two hops, as far as the ring has them. */
enum {
	MT_FAR = 3
};
static inline int
mt_distances(void)
{
	return mt_npes < MT_FAR ? mt_npes : MT_FAR;
}

/** A reproducible generator (splitmix64). */
static inline uint64_t
mt_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/** Byte @p i of pattern @p key. */
static inline unsigned char
mt_byte(uint64_t key, size_t i)
{
	uint64_t state = key * 0xd1342543de82ef95u + i / 8;

	return (unsigned char)(mt_random(&state) >> (i % 8 * 8));
}

/** Is this one of the cases to try? There is a case for each pair of PEs, and all PEs take part in
 *  each. With few PEs all cases are tried. With more, some are drawn, so that the time stays about
 *  the same; PEs that begin with the same state draw the same. */
static inline bool
mt_drawn(uint64_t *state)
{
	uint64_t n = (uint64_t)mt_npes, share = n * n * n / (MT_FEW * MT_FEW * MT_FEW);

	return share <= 1 || mt_random(state) % share == 0;
}

void mt_fill(void *at, size_t len, uint64_t key);
/** @return offset of the first byte that is not of pattern @p key, or @p len */
size_t mt_differs(const void *at, size_t len, uint64_t key);
/** The same for a range that must hold one value. */
size_t mt_differs_from(const void *at, size_t len, unsigned char value);

#endif /* MULTI_H */
