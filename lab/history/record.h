/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RECORD_H
#define RECORD_H

/**
 * @file
 * What a process called, and when: one file a PE, a header of one page and an array of entries in
 * the order of their invocation. main/read.py reads it. The file is mapped shared, so that it has
 * all that a PE which is killed had called.
 */

#include <stdint.h>
#include <string.h>

#include <pshmem.h>

/** Kinds of calls, of which the file has the names. _put stands for any range that is written,
 * _look for the value that a word has as a wait for it begins. */
/* clang-format off */
#define RECORD_KINDS(X)                                                                            \
	X(_none) X(_atomic_fetch) X(_atomic_set) X(_atomic_swap) X(_atomic_compare_swap)           \
	X(_atomic_fetch_inc) X(_atomic_inc) X(_atomic_fetch_add) X(_atomic_add)                    \
	X(_atomic_fetch_and) X(_atomic_and) X(_atomic_fetch_or) X(_atomic_or)                      \
	X(_atomic_fetch_xor) X(_atomic_xor) X(_atomic_fetch_nbi) X(_atomic_swap_nbi)               \
	X(_atomic_compare_swap_nbi) X(_atomic_fetch_inc_nbi) X(_atomic_fetch_add_nbi)              \
	X(_atomic_fetch_and_nbi) X(_atomic_fetch_or_nbi) X(_atomic_fetch_xor_nbi) X(_put) X(_p)    \
	X(_signal_set) X(_signal_add) X(_signal_fetch) X(_signal_wait_until) X(_wait_until)        \
	X(_test) X(_look) X(_set_lock) X(_test_lock) X(_clear_lock) X(_barrier_all) X(_sync_all)   \
	X(_team_sync) X(_barrier) X(_sync) X(_malloc) X(_free) X(_finalize) X(_quiet) X(_fence)
/* clang-format on */

#define RECORD_ENUM(name) KIND##name,
enum record_kind {
	RECORD_KINDS(RECORD_ENUM)
};

enum {
	RECORD_SIGNED = 0x40, /**< beside the size in entry.type */
	/* entry.flags: where the word is, and whether the result is known */
	RECORD_HEAP = 1,
	RECORD_STATIC = 2,
	RECORD_RESULT = 4,
	RECORD_ALL_PES = -1
};

struct entry {
	uint64_t invoked, returned; /**< CLOCK_MONOTONIC in ns; returned 0: it did not */
	int64_t place;		    /**< symmetric offset, or the team's number */
	uint64_t a, b; /**< operands: value or cond and value, cmp and value, bytes, members */
	uint64_t result;
	uint8_t kind, type, flags, unused;
	int32_t pe; /**< of the world team */
	uint32_t thread, ctx;
};

struct call {
	enum record_kind kind;
	unsigned int type;
	const volatile void *at;
	int pe;
	shmem_ctx_t ctx;
	uint64_t a, b;
};

#define TYPE_OF(T) (sizeof(T) | ((T)-1 > (T)1 ? 0 : RECORD_SIGNED))
#define BITS(value) record_bits(&(value), sizeof(value))

static inline uint64_t
record_bits(const void *value, size_t size)
{
	uint64_t bits = 0;

	memcpy(&bits, value, size < sizeof(bits) ? size : sizeof(bits));
	return bits;
}

/** A word of this PE that others change. */
static inline uint64_t
record_word(const void *at, size_t size)
{
	return size == 8   ? __atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED)
	       : size == 4 ? __atomic_load_n((const uint32_t *)at, __ATOMIC_RELAXED)
			   : __atomic_load_n((const uint16_t *)at, __ATOMIC_RELAXED);
}

uint64_t record_now(void);
/** After the library is set up: make this PE's file, unless there is one already. */
void record_open(void);
/** Memory that shmem_malloc() and the like gave. */
void record_block(void *block, size_t size);

/** Before the call. @return NULL: nothing is recorded */
struct entry *record_begin(const struct call *call);
/** After it. */
void record_end(struct entry *entry);
void record_result(struct entry *entry, uint64_t result);
/** Of a call that has returned. */
void record_done(const struct call *call, uint64_t invoked, uint64_t result);

/** @p entry of context @p ctx puts its result to @p fetch, where it is after a quiet. */
void record_pending(struct entry *entry, shmem_ctx_t ctx, const void *fetch);
/** A quiet of @p ctx has returned; @p pe is one of the world team, or RECORD_ALL_PES. */
void record_quiet(shmem_ctx_t ctx, int pe);
/** PE of the world team that is @p pe in the team of @p ctx. */
int record_world_pe(shmem_ctx_t ctx, int pe);

#endif /* RECORD_H */
