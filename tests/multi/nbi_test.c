/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Much traffic at once: non-blocking puts and gets of all PEs to all PEs, both ways round the
 * ring, of sizes from a word to many chunks. The relays must neither lose nor mix nor lock up.
 */
#include <stdlib.h>
#include <string.h>

#include "multi.h"

#define SLOTS 24
#define SLOT_MAX (48u << 10)
#define SLOT_ROOM (SLOT_MAX + 64) /* the bytes after the data stay zero */

/** Length of slot @p i: words, odd lengths, and more than one bypass slot. */
static size_t
slot_len(int i)
{
	static const size_t lengths[] = {8, 1, 4096, 13, 777, SLOT_MAX, 64, 33333};

	return lengths[i % 8];
}

static uint64_t
slot_key(int from, int to, int i, int round)
{
	return ((uint64_t)from * 64 + (uint64_t)to) * 1000 + (uint64_t)(i * 10 + round) + 1;
}

static size_t
slot_at(int pe, int i)
{
	return ((size_t)pe * SLOTS + (size_t)i) * SLOT_ROOM;
}

/* inbox: what the PEs put here, by sender. outbox: what is put to the PEs, by receiver. */
struct traffic {
	unsigned char *inbox, *outbox, *shelf, *got;
};

static struct traffic
traffic_alloc(void)
{
	size_t all = slot_at(mt_npes, 0);
	struct traffic t = {mt_alloc(all), malloc(all), mt_alloc(slot_at(1, 0)), malloc(all)};

	if (!t.outbox || !t.got)
		shmem_global_exit(98);
	return t;
}

static void
traffic_free(struct traffic *t)
{
	shmem_free(t->shelf);
	shmem_free(t->inbox);
	free(t->outbox);
	free(t->got);
}

static void
issue(const struct traffic *t, shmem_ctx_t put_ctx, shmem_ctx_t get_ctx)
{
	int pe, i, n;

	for (i = 0; i < SLOTS; i++) {
		for (n = 0; n < mt_npes; n++) {
			pe = mt_pe(n % 2 ? (n + 1) / 2 : -n / 2);
			shmem_ctx_putmem_nbi(put_ctx, t->inbox + slot_at(mt_me, i),
					     t->outbox + slot_at(pe, i), slot_len(i), pe);
			shmem_ctx_getmem_nbi(get_ctx, t->got + slot_at(pe, i),
					     t->shelf + slot_at(0, i), slot_len(i), pe);
		}
	}
}

static void
fill(const struct traffic *t, int round)
{
	int pe, i;

	memset(t->inbox, 0, slot_at(mt_npes, 0));
	memset(t->got, 0, slot_at(mt_npes, 0));
	for (i = 0; i < SLOTS; i++) {
		mt_fill(t->shelf + slot_at(0, i), slot_len(i), slot_key(mt_me, 63, i, round));
		for (pe = 0; pe < mt_npes; pe++)
			mt_fill(t->outbox + slot_at(pe, i), slot_len(i),
				slot_key(mt_me, pe, i, round));
	}
}

static void
check(const struct traffic *t, int round)
{
	int pe, i;
	size_t len, off;

	for (pe = 0; pe < mt_npes; pe++) {
		for (i = 0; i < SLOTS; i++) {
			len = slot_len(i);
			off = mt_differs(t->inbox + slot_at(pe, i), len,
					 slot_key(pe, mt_me, i, round));
			CHECK_MSG(off == len, "put of PE %d, slot %d, %zu bytes: wrong at %zu", pe,
				  i, len, off);
			CHECK_EQ(t->inbox[slot_at(pe, i) + len], 0);
			off = mt_differs(t->got + slot_at(pe, i), len, slot_key(pe, 63, i, round));
			CHECK_MSG(off == len, "get from PE %d, slot %d, %zu bytes: wrong at %zu",
				  pe, i, len, off);
		}
	}
}

static void
run(shmem_ctx_t put_ctx, shmem_ctx_t get_ctx, int rounds)
{
	struct traffic t = traffic_alloc();
	int round;

	for (round = 0; round < rounds; round++) {
		fill(&t, round);
		shmem_barrier_all();
		issue(&t, put_ctx, get_ctx);
		mt_waiting("quiet after traffic in all directions");
		shmem_ctx_quiet(get_ctx);
		shmem_ctx_quiet(put_ctx);
		mt_waiting("the others");
		shmem_barrier_all();
		check(&t, round);
		shmem_barrier_all();
	}
	traffic_free(&t);
}

static void
case_two_ctx(void)
{
	shmem_ctx_t a, b;

	CHECK_EQ(shmem_ctx_create(0, &a), 0);
	CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &b), 0);
	run(a, b, 2);
	shmem_ctx_destroy(b);
	shmem_ctx_destroy(a);
}

/** All PEs send to one, which at the same time fetches from all. */
static void
case_crowd(void)
{
	enum {
		BLOCK = 200000
	};
	unsigned char *in = mt_alloc((size_t)BLOCK * (size_t)mt_npes), *out = mt_alloc(BLOCK);
	int target, pe, i;

	for (target = 0; target < mt_npes; target++) {
		mt_fill(out, BLOCK, (uint64_t)(mt_me + 100 * target));
		shmem_barrier_all();
		for (i = 0; i < 4; i++)
			shmem_putmem_nbi(in + (size_t)BLOCK * (size_t)mt_me, out, BLOCK, target);
		for (pe = 0; mt_me == target && pe < mt_npes; pe++)
			shmem_getmem_nbi(in + (size_t)BLOCK * (size_t)pe, out, BLOCK, pe);
		mt_waiting("a crowd at one PE");
		shmem_barrier_all();
		for (pe = 0; mt_me == target && pe < mt_npes; pe++)
			CHECK_EQ(mt_differs(in + (size_t)BLOCK * (size_t)pe, BLOCK,
					    (uint64_t)(pe + 100 * target)),
				 BLOCK);
		shmem_barrier_all();
	}
	shmem_free(out);
	shmem_free(in);
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"two_ctx", case_two_ctx}, {"crowd", case_crowd})
