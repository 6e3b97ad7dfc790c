/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SOAK_H
#define SOAK_H

#include "multi.h"

#ifndef SOAK_ROOM
#define SOAK_ROOM (1 << 17) /* bytes of the longest transfer, a power of two */
#endif

enum {
	SOAK_PES = MT_PES,
	PLACES = 12, /* of one writer at one target */
	HEAP_PLACES = 8,
	HEAP_ROOM = SOAK_ROOM,
	STATIC_ROOM = 3000,
	CONTEXTS = 3,
	COUNTERS = 8,
	POOL = 8 * SOAK_ROOM,
	WORDS = 2048, /* at most, of a strided transfer */
	FETCHES = 64,
	LETTER = 70000,
};

/** What is under way on a place, of this PE's operations. */
struct state {
	bool dirty;   /* written since the last fence: not to be written again before one */
	bool unquiet; /* written since the last quiet: not to be read before one */
	bool reading; /* a get_nbi is under way: not to be written before a quiet */
};

struct place {
	unsigned char *sym;
	unsigned char *shadow; /* the contents once all is done */
	size_t room;
	struct state *state;
	shmem_ctx_t ctx; /* every place has its context, so that fences order its writes */
};

struct fetch {
	unsigned char *got, *want;
	size_t len;
	int pe;
};

struct soak {
	uint64_t random;
	unsigned char *heap, *shadow, *pool, *private_pool, *mail;
	long *heap_counters, *counted, *totals, *strided;
	uint64_t *signals, *acks; /* symmetric: number of the last letter from, acknowledged by */
	uint64_t sent[SOAK_PES], received[SOAK_PES];
	struct state states[SOAK_PES][PLACES];
	shmem_ctx_t ctx[CONTEXTS];
	size_t used; /* of the pools */
	struct fetch fetch[FETCHES];
	int fetches;
	void *extra;
};
extern struct soak soak;

uint64_t soak_random(void);
struct place soak_place(int target, int index);
size_t soak_strides(size_t room);
void soak_range(size_t room, size_t *off, size_t *len);
unsigned char *soak_take(size_t len);
void soak_quiet(void);

/* soak_rma.c */
void soak_put(int target, int index);
void soak_get(int target, int index);
void soak_open(void);
void soak_close(void);

#endif /* SOAK_H */
