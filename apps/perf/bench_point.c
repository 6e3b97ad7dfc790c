/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Loops between two PEs, and loops without a library call to compare them with.
 */
#include <shmem.h>
#include <string.h>

#include "perf.h"

/* A copy with a result that is not read here must not be optimised away. */
#define KEEP() __asm__ volatile("" ::: "memory")

void
perf_local(struct perf *p, int op, long n)
{
	char *dst = op == PERF_COPY_BARE ? p->bare_dst : p->dst;
	volatile long *to = p->word;
	long i;

	if (op == PERF_STORE) {
		for (i = 0; i < n; i++)
			to[i % 8] = i;
		return;
	}
	for (i = 0; i < n; i++) {
		memcpy(dst, p->src, p->size);
		KEEP();
	}
}

/* A loop for each operation: the choice is made outside of it, as in a program. */
static void
rma_some(const struct perf *p, int op, int pe, long n)
{
	char *dst = p->dst, *src = p->src;
	long *word = (long *)(void *)dst;
	size_t size = p->size;
	long i;

	switch (op & (PERF_PUT | PERF_GET | PERF_NBI | PERF_SCALAR | PERF_INLINE)) {
	case PERF_PUT:
		for (i = 0; i < n; i++)
			shmem_putmem(dst, src, size, pe);
		break;
	case PERF_PUT | PERF_NBI:
		for (i = 0; i < n; i++)
			shmem_putmem_nbi(dst, src, size, pe);
		break;
	case PERF_PUT | PERF_SCALAR:
		for (i = 0; i < n; i++)
			shmem_long_p(&word[i % 8], i, pe);
		break;
	case PERF_PUT | PERF_SCALAR | PERF_INLINE:
		perf_p_inline(p, pe, n);
		break;
	case PERF_GET:
		for (i = 0; i < n; i++)
			shmem_getmem(src, dst, size, pe);
		break;
	case PERF_GET | PERF_NBI:
		for (i = 0; i < n; i++)
			shmem_getmem_nbi(src, dst, size, pe);
		break;
	case PERF_GET | PERF_SCALAR:
		for (i = 0; i < n; i++)
			(void)shmem_long_g(word, pe);
		break;
	}
}

void
perf_rma(struct perf *p, int op, long n)
{
	int pe = op & PERF_RING ? (p->me + 1) % p->npes : p->target;
	/* a blocking get is complete when it returns */
	long every = op & PERF_QUIET				? 1
		     : (op & (PERF_GET | PERF_NBI)) == PERF_GET ? n
								: PERF_WINDOW_OPS;
	long some;

	for (; n > 0; n -= some) {
		some = n < every ? n : every;
		rma_some(p, op, pe, some);
		shmem_quiet();
	}
}

enum {
	LINE = 64 / sizeof(long), /* words of a cache line */
};

/* @p bare: lines that have the word; 0: the library's call */
static void
wait_word(const struct perf *p, int bare, long value)
{
	int i;

	if (bare == 0)
		shmem_long_wait_until((long *)p->word, SHMEM_CMP_GE, value);
	/* pairs with the other PE's plain store; the run as a whole has oshrun's time limit */
	for (i = 0; i < bare; i++)
		while (p->word[i * LINE] < value)
			__asm__ volatile("" ::: "memory");
}

static void
send_word(const struct perf *p, int bare, long value)
{
	int i;

	if (bare == 0)
		shmem_long_p((long *)p->word, value, p->target);
	for (i = 0; i < bare; i++)
		p->bare_word[i * LINE] = value;
}

/* An operation is one way, so n of them are half as many round trips. */
void
perf_pingpong(struct perf *p, int op, long n)
{
	long last = p->seq + (n + 1) / 2;

	while (p->seq < last) {
		p->seq++;
		if (p->me == 0)
			send_word(p, op, p->seq);
		wait_word(p, op, p->seq);
		if (p->me != 0)
			send_word(p, op, p->seq);
	}
}

/* Nonblocking atomics came with OpenSHMEM 1.5; an older library shows what blocking ones take. */
static void
fetch_batch(long *at, int pe, int n)
{
	static long got[PERF_WINDOW_OPS];
	int i;

	for (i = 0; i < n; i++) {
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
		shmem_long_atomic_fetch_add_nbi(&got[i], at, 1, pe);
#else
		got[i] = shmem_long_atomic_fetch_add(at, 1, pe);
#endif
	}
	shmem_quiet();
}

void
perf_atomic(struct perf *p, int op, long n)
{
	long *at = (long *)(void *)p->dst;
	int pe = op == PERF_FADD_FIRST ? 0 : p->target;
	long i;

	for (i = 0; i < n; i++) {
		switch (op) {
		case PERF_FADD:
		case PERF_FADD_FIRST:
			(void)shmem_long_atomic_fetch_add(at, 1, pe);
			break;
		case PERF_FINC:
			(void)shmem_long_atomic_fetch_inc(at, pe);
			break;
		case PERF_ADD:
			shmem_long_atomic_add(at, 1, pe);
			break;
		case PERF_INC:
			shmem_long_atomic_inc(at, pe);
			break;
		case PERF_CSWAP:
			(void)shmem_long_atomic_compare_swap(at, i, i + 1, pe);
			break;
		case PERF_SWAP:
			(void)shmem_long_atomic_swap(at, i, pe);
			break;
		case PERF_FETCH:
			(void)shmem_long_atomic_fetch(at, pe);
			break;
		case PERF_BATCH:
			fetch_batch(at, pe, PERF_WINDOW_OPS);
			break;
		case PERF_BATCH_OF_ONE:
			fetch_batch(at, pe, 1);
			break;
		case PERF_SET:
			shmem_long_atomic_set(at, i, pe);
			break;
		case PERF_LOCK:
			shmem_set_lock((long *)p->word);
			shmem_clear_lock((long *)p->word);
			break;
		}
	}
	shmem_quiet();
}
