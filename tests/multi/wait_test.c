/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * wait_until and test of every type and comparison, woken by put, atomics and signals that come
 * from the PE itself, over one hop and over two.
 */
#include <limits.h>
#include <string.h>

#include "multi.h"
#include "types.h"

/*
 * A PE works for the one d hops away: it writes the values that must not satisfy the wait, is told
 * by the waiter's answer that the test said no, and then writes the one that does.
 */
struct step {
	int cmp;
	long start, no, yes, ref;
};

static const struct step steps[] = {
	{SHMEM_CMP_EQ, 0, 3, 4, 4}, {SHMEM_CMP_NE, 4, 4, 5, 4}, {SHMEM_CMP_GT, 0, 4, 5, 4},
	{SHMEM_CMP_GE, 0, 3, 4, 4}, {SHMEM_CMP_LT, 9, 4, 3, 4}, {SHMEM_CMP_LE, 9, 5, 4, 4},
};

#define TYPED(T, name)                                                               \
	static void name##_waits(T *word, int d)                                     \
	{                                                                            \
		size_t i;                                                            \
		for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {             \
			const struct step *s = &steps[i];                            \
			*word = (T)s->start;                                         \
			shmem_barrier_all();                                         \
			if (s->start != s->no)                                       \
				shmem_##name##_atomic_set(word, (T)s->no, mt_pe(d)); \
			shmem_barrier_all();                                         \
			CHECK_EQ(shmem_##name##_test(word, s->cmp, (T)s->ref), 0);   \
			shmem_barrier_all();                                         \
			shmem_##name##_atomic_set(word, (T)s->yes, mt_pe(d));        \
			mt_waiting(#name "_wait_until");                             \
			shmem_##name##_wait_until(word, s->cmp, (T)s->ref);          \
			CHECK_EQ(*word, s->yes);                                     \
			CHECK_EQ(shmem_##name##_test(word, s->cmp, (T)s->ref), 1);   \
			shmem_barrier_all();                                         \
		}                                                                    \
	}
/* clang-format off */
TYPES_AMO(TYPED)
/* clang-format on */

static void
case_typed(void)
{
	static long static_word;
	void *word = mt_alloc(sizeof(long));
	int d;

	for (d = 0; d < mt_distances(); d++) {
#define CALL(T, name) name##_waits(d == 1 ? (void *)&static_word : word, d);
		TYPES_AMO(CALL)
#undef CALL
	}
	shmem_free(word);
}

/** The declared type decides about the sign. */
static void
case_sign(void)
{
	int *i = mt_alloc(sizeof(*i));
	unsigned int *u = mt_alloc(sizeof(*u));
	unsigned long *ul = mt_alloc(sizeof(*ul));
	int d;

	for (d = 0; d < mt_distances(); d++) {
		*i = 0;
		*u = 0;
		*ul = 0;
		shmem_barrier_all();
		shmem_int_atomic_set(i, -1, mt_pe(d));
		shmem_uint_atomic_set(u, UINT_MAX, mt_pe(d));
		shmem_ulong_atomic_set(ul, 1ul << 63, mt_pe(d));
		mt_waiting("values with the highest bit set");
		shmem_int_wait_until(i, SHMEM_CMP_LT, 0);
		shmem_uint_wait_until(u, SHMEM_CMP_GT, 5);
		shmem_ulong_wait_until(ul, SHMEM_CMP_GT, LONG_MAX);
		CHECK_EQ(shmem_int_test(i, SHMEM_CMP_GT, 5), 0);
		CHECK_EQ(shmem_uint_test(u, SHMEM_CMP_LT, 5), 0);
		CHECK_EQ(shmem_ulong_test(ul, SHMEM_CMP_LE, LONG_MAX), 0);
		shmem_barrier_all();
	}
	shmem_free(ul);
	shmem_free(u);
	shmem_free(i);
}

enum {
	KINDS = 10
};

/** Write 1 to w[kind] at @p pe in the way that @p kind stands for. */
static void
write_word(uint64_t *w, int kind, int pe)
{
	static uint64_t one = 1;

	switch (kind) {
	case 0:
		shmem_uint64_p(&w[0], 1, pe);
		break;
	case 1:
		shmem_uint64_put(&w[1], &one, 1, pe);
		break;
	case 2:
		shmem_uint64_put_nbi(&w[2], &one, 1, pe);
		break;
	case 3:
		shmem_uint64_atomic_inc(&w[3], pe);
		break;
	case 4:
		CHECK_EQ(shmem_uint64_atomic_fetch_add(&w[4], 1, pe), 0);
		break;
	case 5:
		shmem_uint64_atomic_or(&w[5], 1, pe);
		break;
	case 6:
		CHECK_EQ(shmem_uint64_atomic_compare_swap(&w[6], 0, 1, pe), 0);
		break;
	case 7:
		shmem_signal_set(&w[7], 1, pe);
		break;
	case 8:
		shmem_putmem_signal(&w[KINDS], &one, 8, &w[8], 1, SHMEM_SIGNAL_ADD, pe);
		break;
	default:
		shmem_putmem(&w[9], &one, 8, pe);
	}
}

/** Every kind of write wakes a waiter who is already waiting: it goes round as a chain, in which
 *  all but the first PEs wait before they write. */
static void
case_woken_by(void)
{
	static const char *const names[KINDS] = {
		"p",  "put",	      "put_nbi",    "inc",	  "fetch_add",
		"or", "compare_swap", "signal_set", "put_signal", "putmem"};
	static uint64_t words[KINDS + 1];
	int d, kind, first;

	for (d = 1; d < mt_distances(); d++) {
		memset(words, 0, sizeof(words));
		shmem_barrier_all();
		/* Two hops in an even ring make two chains. */
		first = mt_me < (d == 2 && mt_npes % 2 == 0 ? 2 : 1);
		for (kind = 0; kind < KINDS; kind++) {
			mt_waiting(names[kind]);
			if (!first)
				shmem_uint64_wait_until(&words[kind], SHMEM_CMP_NE, 0);
			write_word(words, kind, mt_pe(d));
			if (first)
				shmem_uint64_wait_until(&words[kind], SHMEM_CMP_NE, 0);
		}
		mt_waiting("the others in the chain");
		shmem_barrier_all();
	}
}

/** The waiter is woken although the writer never calls the library again before the barrier. */
static void
case_ping_pong(void)
{
	static long ball;
	long rounds = 300 * mt_options.factor, i;
	int other;

	for (other = 1; other < mt_distances(); other++) {
		ball = 0;
		shmem_barrier_all();
		for (i = 1; i <= rounds; i++) {
			mt_waiting("the ball");
			if (mt_me == 0) {
				shmem_long_p(&ball, i, other);
				shmem_long_wait_until(&ball, SHMEM_CMP_EQ, i);
			} else if (mt_me == other) {
				shmem_long_wait_until(&ball, SHMEM_CMP_EQ, i);
				shmem_long_atomic_set(&ball, i, 0);
			}
		}
		mt_waiting("the players");
		shmem_barrier_all();
	}
}

/* Here they are called on purpose. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void
case_old_names(void)
{
	static long plain, until;
	static short s;
	static unsigned short us;
	static int i;
	int pe = mt_pe(1);

	plain = 0;
	until = 0;
	s = 0;
	us = 0;
	i = 0;
	shmem_barrier_all();
	shmem_long_p(&plain, 9, pe);
	shmem_long_p(&until, 9, pe);
	shmem_short_p(&s, -2, pe);
	shmem_ushort_p(&us, 40000, pe);
	shmem_int_p(&i, 1, pe);
	mt_waiting("the deprecated waits");
	shmem_wait(&plain, 0);
	shmem_wait_until(&until, SHMEM_CMP_EQ, 9);
	shmem_short_wait_until(&s, _SHMEM_CMP_LT, 0);
	shmem_ushort_wait_until(&us, SHMEM_CMP_GE, 40000);
	shmem_int_wait(&i, 0);
	shmem_long_wait(&plain, 0);
	shmem_short_wait(&s, 0);
	CHECK_EQ(shmem_short_test(&s, SHMEM_CMP_LT, 0), 1);
	CHECK_EQ(shmem_ushort_test(&us, SHMEM_CMP_GT, 39999), 1);
	CHECK_EQ(plain, 9);
	CHECK_EQ(s, -2);
	CHECK_EQ(i, 1);
	CHECK_EQ(_my_pe(), mt_me);
	CHECK_EQ(_num_pes(), mt_npes);
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"typed", case_typed},	       {"sign", case_sign},
		{"woken_by", case_woken_by},   {"ping_pong", case_ping_pong},
		{"old_names", case_old_names}, {0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
