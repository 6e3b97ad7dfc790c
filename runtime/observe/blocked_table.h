/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OBSERVE_BLOCKED_TABLE_H
#define RB_OBSERVE_BLOCKED_TABLE_H

/**
 * @file
 * Long waits: which call a PE is blocked in, since when, and for whom. A thread that has waited for
 * 0.1 s writes an entry, and clears it when the wait is over; shorter waits store nothing. Other
 * processes read the entries without this PE's help. They are in a memfd of oshrun that all its PEs
 * map and that outlives them; without oshrun they are in the host segment. No DPDK here, because
 * oshrun includes this file too. The PE writes; oshrun treats all of it as untrusted.
 *
 *     [ struct rb_blocked_job | struct rb_blocked_pe of PE 0 | of PE 1 | ... ]
 */

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	RB_BLOCKED_THREADS = 7, /**< threads of a PE; waits of further ones are not noted */
	RB_BLOCKED_WORDS = 7,
	RB_BLOCKED_CALL = RB_BLOCKED_WORDS * 8, /**< bytes of a call's name, with its NUL */
};

/** Kind of the PE, host or word that an entry waits for. */
enum rb_blocked_by {
	RB_BLOCKED_OTHERS, /**< not known */
	RB_BLOCKED_PE,
	RB_BLOCKED_HOST,
	RB_BLOCKED_HEAP,   /**< a word at this offset of the PE's own heap */
	RB_BLOCKED_STATIC, /**< a word at this offset of its static data */
	RB_BLOCKED_ADDRESS /**< a word at another address */
};

/**
 * One wait. Written by its thread, read by any process. since is the time of CLOCK_MONOTONIC in ns
 * at which the wait began, and distinguishes two waits; 0: no wait. Writer: since = 0, release
 * fence, the rest, since = now (release). Reader: since (acquire), the rest, acquire fence, since
 * again: valid if both are equal and not 0. Kind and id are one word, because both change while the
 * wait lasts.
 */
struct rb_blocked {
	_Alignas(64) _Atomic uint32_t taken; /**< 1: in use; CAS of its thread */
	_Atomic uint64_t since;
	_Atomic uint64_t whom; /**< enum rb_blocked_by << 56 | id */
	_Atomic uint64_t call[RB_BLOCKED_WORDS];
};

enum rb_blocked_state {
	RB_BLOCKED_OUT,	    /**< has not begun to join the job */
	RB_BLOCKED_JOINING, /**< waits for the others in its first call */
	RB_BLOCKED_IN,
	RB_BLOCKED_LEFT,
};

struct rb_blocked_pe {
	_Alignas(64) _Atomic uint32_t state; /**< enum rb_blocked_state; the PE */
	struct rb_blocked thread[RB_BLOCKED_THREADS];
};

struct rb_blocked_job {
	_Alignas(4096) _Atomic uint64_t started; /**< when oshrun had started all; 0: not yet */
	_Alignas(4096) struct rb_blocked_pe pe[];
};

/** A consistent copy of an entry. */
struct rb_blocked_seen {
	uint64_t since;
	enum rb_blocked_by by;
	uint64_t id;
	char call[RB_BLOCKED_CALL];
};

enum {
	RB_BLOCKED_ID_BITS = 56
};

static inline size_t
rb_blocked_size(int npes)
{
	return sizeof(struct rb_blocked_job) + (size_t)npes * sizeof(struct rb_blocked_pe);
}

/** Read an entry. @return whether its thread waits */
static inline bool
rb_blocked_read(const struct rb_blocked *b, struct rb_blocked_seen *seen)
{
	uint64_t words[RB_BLOCKED_WORDS], whom;
	unsigned int i;

	seen->since = atomic_load_explicit(&b->since, memory_order_acquire);
	whom = atomic_load_explicit(&b->whom, memory_order_relaxed);
	for (i = 0; i < RB_BLOCKED_WORDS; i++)
		words[i] = atomic_load_explicit(&b->call[i], memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	if (seen->since == 0 ||
	    atomic_load_explicit(&b->since, memory_order_relaxed) != seen->since)
		return false;
	seen->by = (enum rb_blocked_by)(whom >> RB_BLOCKED_ID_BITS);
	seen->id = whom & ((1ull << RB_BLOCKED_ID_BITS) - 1);
	memcpy(seen->call, words, sizeof(seen->call));
	/* cut at the first byte that a C name cannot have: the text goes to a terminal */
	for (i = 0; i + 1 < sizeof(seen->call) && seen->call[i] != '\0'; i++)
		if (!(seen->call[i] == '_' || (seen->call[i] >= '0' && seen->call[i] <= '9') ||
		      ((seen->call[i] | 0x20) >= 'a' && (seen->call[i] | 0x20) <= 'z')))
			break;
	seen->call[i] = '\0';
	return true;
}

/** The longest wait of a PE. @return whether there is one */
static inline bool
rb_blocked_longest(const struct rb_blocked_pe *pe, struct rb_blocked_seen *longest)
{
	struct rb_blocked_seen seen;
	bool any = false;
	unsigned int i;

	for (i = 0; i < RB_BLOCKED_THREADS; i++)
		if (rb_blocked_read(&pe->thread[i], &seen) &&
		    (!any || seen.since < longest->since)) {
			*longest = seen;
			any = true;
		}
	return any;
}

/** "PE 3", "host 1", "its word at offset 0x40 of the heap" */
static inline void
rb_blocked_whom(const struct rb_blocked_seen *seen, char *text, size_t size)
{
	switch (seen->by) {
	case RB_BLOCKED_PE:
		snprintf(text, size, "PE %" PRIu64, seen->id);
		break;
	case RB_BLOCKED_HOST:
		snprintf(text, size, "host %" PRIu64, seen->id);
		break;
	case RB_BLOCKED_HEAP:
		snprintf(text, size, "its word at offset %#" PRIx64 " of the heap", seen->id);
		break;
	case RB_BLOCKED_STATIC:
		snprintf(text, size, "its word at offset %#" PRIx64 " of static data", seen->id);
		break;
	case RB_BLOCKED_ADDRESS:
		snprintf(text, size, "its word at %#" PRIx64, seen->id);
		break;
	default:
		snprintf(text, size, "others");
		break;
	}
}

#endif /* RB_OBSERVE_BLOCKED_TABLE_H */
