/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The soak's puts and gets, and its memory.
 */
#include <stdlib.h>
#include <string.h>

#include "soak.h"

/** Order later writes after those to this context's places. */
static void
fence(shmem_ctx_t ctx)
{
	int t, i;

	shmem_ctx_fence(ctx);
	for (t = 0; t < mt_npes; t++)
		for (i = 0; i < PLACES; i++)
			if (soak.ctx[i % CONTEXTS] == ctx)
				soak.states[t][i].dirty = false;
}

/** Random bytes for @p len, in memory that stays until quiet. */
static unsigned char *
fresh(size_t len)
{
	unsigned char *p = soak_take(len);
	uint64_t word = soak_random();
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = (unsigned char)(word >> (i % 8 * 8)) + (unsigned char)(i >> 3);
	return p;
}

/** Words that fit at any stride used here. */
size_t
soak_strides(size_t room)
{
	size_t most = room / 64;

	return 1 + soak_random() % (most < WORDS ? most : WORDS);
}

/** Words @p stride apart in the place get consecutive words of the source. */
static void
put_strided(const struct place *p, int target)
{
	size_t n = soak_strides(p->room), i;
	ptrdiff_t stride = 1 + (ptrdiff_t)(soak_random() % 7);
	long *source = soak.strided;

	for (i = 0; i < n; i++) {
		source[i] = (long)soak_random();
		memcpy(p->shadow + i * (size_t)stride * sizeof(long), &source[i], sizeof(long));
	}
	shmem_ctx_long_iput(p->ctx, (long *)(void *)p->sym, source, stride, 1, n, target);
}

void
soak_put(int target, int index)
{
	struct place p = soak_place(target, index);
	unsigned char *source;
	size_t off, len;

	if (p.state->reading)
		soak_quiet();
	if (p.state->dirty)
		fence(p.ctx);
	soak_range(p.room, &off, &len);
	mt_waiting("a put");
	switch (soak_random() % 8) {
	case 0:
	case 1:
	case 2:
		source = fresh(len);
		memcpy(p.shadow + off, source, len);
		shmem_ctx_putmem_nbi(p.ctx, p.sym + off, source, len, target);
		break;
	case 3:
		put_strided(&p, target);
		break;
	case 4:
		off &= ~(sizeof(long) - 1);
		if (off + sizeof(long) > p.room)
			off = 0;
		*(long *)(void *)(p.shadow + off) = (long)len;
		shmem_ctx_long_p(p.ctx, (long *)(void *)(p.sym + off), (long)len, target);
		break;
	default:
		source = fresh(len);
		memcpy(p.shadow + off, source, len);
		shmem_ctx_putmem(p.ctx, p.sym + off, source, len, target);
		/* The source is free: a late read would send this. */
		memset(source, 0xdd, len);
	}
	/* Taking memory may have been a quiet, which came before this write. */
	p.state->dirty = true;
	p.state->unquiet = true;
}

static void
compare(const struct place *p, size_t off, const void *got, size_t len, int target, const char *how)
{
	CHECK_MSG(memcmp(got, p->shadow + off, len) == 0,
		  "seed %#lx: %s of %zu bytes at %zu (%s) from PE %d differs",
		  (unsigned long)mt_options.seed, how, len, off,
		  p->room == HEAP_ROOM ? "heap" : "static", target);
}

static void
get_strided(const struct place *p, int target)
{
	size_t n = soak_strides(p->room), i;
	ptrdiff_t stride = 1 + (ptrdiff_t)(soak_random() % 7);

	shmem_ctx_long_iget(p->ctx, soak.strided, (long *)(void *)p->sym, 1, stride, n, target);
	for (i = 0; i < n; i++)
		compare(p, i * (size_t)stride * sizeof(long), &soak.strided[i], sizeof(long),
			target, "iget");
}

void
soak_get(int target, int index)
{
	struct place p = soak_place(target, index);
	unsigned char *to;
	size_t off, len;
	struct fetch *f;
	long word;

	if (p.state->unquiet || soak.fetches == FETCHES)
		soak_quiet();
	soak_range(p.room, &off, &len);
	mt_waiting("a get");
	switch (soak_random() % 6) {
	case 0:
	case 1:
		to = soak_take(len);
		f = &soak.fetch[soak.fetches++];
		*f = (struct fetch){to, p.shadow + off, len, target};
		p.state->reading = true;
		shmem_ctx_getmem_nbi(p.ctx, to, p.sym + off, len, target);
		break;
	case 2:
		get_strided(&p, target);
		break;
	case 3:
		off &= ~(sizeof(long) - 1);
		if (off + sizeof(long) > p.room)
			off = 0;
		word = shmem_ctx_long_g(p.ctx, (long *)(void *)(p.sym + off), target);
		compare(&p, off, &word, sizeof(word), target, "g");
		break;
	default:
		to = soak_take(len);
		shmem_ctx_getmem(p.ctx, to, p.sym + off, len, target);
		compare(&p, off, to, len, target, "get");
	}
}

/** Touch the memory that calloc() has only reserved, so that later growth is a leak. */
static void
touch(unsigned char *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i += 4096)
		((volatile unsigned char *)p)[i] = 0;
}

void
soak_open(void)
{
	size_t npes = (size_t)mt_npes;
	int i;

	soak.random = mt_options.seed * 1000 + (uint64_t)mt_me;
	soak.heap = shmem_calloc(npes * HEAP_PLACES, HEAP_ROOM);
	soak.pool = mt_alloc(POOL + 16);
	soak.mail = mt_alloc(npes * LETTER);
	soak.heap_counters = shmem_calloc(COUNTERS, sizeof(long));
	soak.counted = shmem_calloc(npes * COUNTERS, sizeof(long));
	soak.totals = shmem_calloc(npes * COUNTERS, sizeof(long));
	soak.signals = shmem_calloc(npes, sizeof(uint64_t));
	soak.acks = shmem_calloc(npes, sizeof(uint64_t));
	soak.shadow = calloc(npes * PLACES, HEAP_ROOM);
	soak.private_pool = malloc(POOL + 16);
	soak.strided = malloc(HEAP_ROOM);
	if (!soak.heap || !soak.acks || !soak.shadow || !soak.private_pool || !soak.strided)
		shmem_global_exit(98);
	touch(soak.shadow, npes * PLACES * HEAP_ROOM);
	touch(soak.private_pool, POOL + 16);
	soak.ctx[0] = SHMEM_CTX_DEFAULT;
	for (i = 1; i < CONTEXTS; i++)
		CHECK_EQ(shmem_ctx_create(i == 1 ? 0 : SHMEM_CTX_PRIVATE, &soak.ctx[i]), 0);
	shmem_barrier_all();
}

void
soak_close(void)
{
	int i;

	for (i = 1; i < CONTEXTS; i++)
		shmem_ctx_destroy(soak.ctx[i]);
	shmem_barrier_all();
	free(soak.strided);
	free(soak.private_pool);
	free(soak.shadow);
	shmem_free(soak.extra);
	shmem_free(soak.acks);
	shmem_free(soak.signals);
	shmem_free(soak.totals);
	shmem_free(soak.counted);
	shmem_free(soak.heap_counters);
	shmem_free(soak.mail);
	shmem_free(soak.pool);
	shmem_free(soak.heap);
}
