/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Fence: a consumer that sees the flag sees the data. Every PE is producer for the PEs one and two
 * hops away, and their consumer. In round r all data words become r and then the flag does; later
 * rounds may overtake the reader, so it asks for data of at least the round in the flag.
 */
#include <string.h>

#include "multi.h"

#define MAX_WORDS 8192

enum data_op {
	DATA_PUT,
	DATA_NBI,
	DATA_P,
	DATA_STRIDED,
	DATA_AMO,
	DATA_AMO_NBI,
	DATA_SIGNAL,
	DATA_SIGNAL_NBI,
	DATA_OPS
};
enum flag_op {
	FLAG_P,
	FLAG_PUT_NBI,
	FLAG_AMO,
	FLAG_SIGNAL,
	FLAG_OPS
};

/* What one producer writes: the flag and the data in memory of the same or of different kind. */
struct board {
	long flag;
	long data[MAX_WORDS];
};
static struct board static_boards[MT_FAR];
static struct board *heap_boards;
static uint64_t not_looked_at;
static shmem_ctx_t ctx = SHMEM_CTX_INVALID;

struct plan {
	enum data_op data_op;
	enum flag_op flag_op;
	bool static_data, static_flag;
	size_t words;
	long rounds;
};

static void
send_data(const struct plan *p, long *data, const long *source, long *fetched, int pe)
{
	size_t i;

	switch (p->data_op) {
	case DATA_PUT:
		shmem_ctx_long_put(ctx, data, source, p->words, pe);
		break;
	case DATA_NBI:
		shmem_ctx_long_put_nbi(ctx, data, source, p->words, pe);
		break;
	case DATA_P:
		for (i = 0; i < p->words; i++)
			shmem_ctx_long_p(ctx, &data[i], source[i], pe);
		break;
	case DATA_AMO:
		for (i = 0; i < p->words; i++)
			shmem_ctx_long_atomic_add(ctx, &data[i], 1, pe);
		break;
	case DATA_AMO_NBI:
		for (i = 0; i < p->words; i++)
			shmem_ctx_long_atomic_fetch_inc_nbi(ctx, &fetched[i], &data[i], pe);
		break;
	case DATA_SIGNAL:
		shmem_ctx_long_put_signal(ctx, data, source, p->words, &not_looked_at, 1,
					  SHMEM_SIGNAL_ADD, pe);
		break;
	case DATA_SIGNAL_NBI:
		shmem_ctx_long_put_signal_nbi(ctx, data, source, p->words, &not_looked_at, 1,
					      SHMEM_SIGNAL_ADD, pe);
		break;
	default:
		for (i = 0; i < 2; i++)
			shmem_ctx_long_iput(ctx, data + i, source + i, 2, 2, (p->words - i + 1) / 2,
					    pe);
	}
}

static void
send_flag(const struct plan *p, long *flag, const long *source, int pe)
{
	switch (p->flag_op) {
	case FLAG_P:
		shmem_ctx_long_p(ctx, flag, *source, pe);
		break;
	case FLAG_PUT_NBI:
		shmem_ctx_long_put_nbi(ctx, flag, source, 1, pe);
		break;
	case FLAG_AMO:
		shmem_ctx_long_atomic_add(ctx, flag, 1, pe);
		break;
	default:
		shmem_ctx_signal_set(ctx, (uint64_t *)(void *)flag, (uint64_t)*source, pe);
	}
}

/** @return the round that the flag shows, all of whose data was there */
static long
look(const struct plan *p, struct board *data, struct board *flag, long seen)
{
	long now, word;
	size_t i;

	if (!shmem_long_test(&flag->flag, SHMEM_CMP_GT, seen))
		return seen;
	/* The test has acquired this value or an older one. */
	now = seen + 1;
	while (shmem_long_test(&flag->flag, SHMEM_CMP_GT, now))
		now++;
	for (i = 0; i < p->words; i++) {
		word = __atomic_load_n(&data->data[i], __ATOMIC_RELAXED);
		if (!mt_check(word >= now, __FILE__, __LINE__,
			      "data op %d, flag op %d, static %d %d: word %zu of %zu is %ld in "
			      "round %ld",
			      p->data_op, p->flag_op, p->static_data, p->static_flag, i, p->words,
			      word, now))
			break;
	}
	return now;
}

static void
run_plan(const struct plan *p)
{
	/* Sources of nbi puts, and where nbi atomics fetch to, stay untouched until quiet: a ring
	 * of them, quiet at its end. The fetched values are not checked: fence does not order them.
	 */
	enum {
		RING = 8
	};
	static long source[RING][MAX_WORDS], fetched[RING][MT_FAR][MAX_WORDS];
	struct board *data = p->static_data ? static_boards : heap_boards;
	struct board *flag = p->static_flag ? static_boards : heap_boards;
	long round, seen[MT_FAR] = {0};
	size_t i;
	int d;

	memset(static_boards, 0, sizeof(static_boards));
	memset(heap_boards, 0, sizeof(static_boards));
	shmem_barrier_all();
	for (round = 1; round <= p->rounds; round++) {
		long *s = source[round % RING];

		if (round % RING == 0 &&
		    (p->data_op == DATA_NBI || p->data_op == DATA_AMO_NBI ||
		     p->data_op == DATA_SIGNAL_NBI || p->flag_op == FLAG_PUT_NBI))
			shmem_ctx_quiet(ctx);
		for (i = 0; i < p->words; i++)
			s[i] = round;
		for (d = 0; d < mt_distances(); d++) {
			send_data(p, data[d].data, s, fetched[round % RING][d], mt_pe(d));
			shmem_ctx_fence(ctx);
			send_flag(p, &flag[d].flag, s, mt_pe(d));
			/* The next round's data must not overtake this flag either. */
			shmem_ctx_fence(ctx);
		}
		for (d = 0; d < mt_distances(); d++)
			seen[d] = look(p, &data[d], &flag[d], seen[d]);
	}
	for (d = 0; d < mt_distances(); d++) {
		mt_waiting("the last flag");
		shmem_long_wait_until(&flag[d].flag, SHMEM_CMP_GE, p->rounds);
		look(p, &data[d], &flag[d], p->rounds - 1);
		CHECK_EQ(flag[d].flag, p->rounds);
	}
	shmem_ctx_quiet(ctx);
	shmem_barrier_all();
}

/** All kinds of data and flag operations, heap and static, few words and many. */
static void
run_all(long rounds)
{
	static const size_t sizes[] = {1, 7, 600, MAX_WORDS};
	struct plan p;
	int data, flag, place, size;

	heap_boards = mt_alloc(sizeof(static_boards));
	for (size = 0; size < 4; size++) {
		for (data = 0; data < DATA_OPS; data++) {
			for (flag = 0; flag < FLAG_OPS; flag++) {
				/* Over the sizes every place meets every operation. */
				place = (size + data + flag) % 4;
				p = (struct plan){
					.data_op = data,
					.flag_op = flag,
					.static_data = place & 1,
					.static_flag = place & 2,
					.words = data == DATA_PUT || data == DATA_NBI || size < 2
							 ? sizes[size]
							 : 40,
					.rounds = 1 + rounds / (1 + (long)sizes[size] / 16),
				};
				run_plan(&p);
				mt_progress();
			}
		}
	}
	shmem_free(heap_boards);
}

static void
case_default_ctx(void)
{
	ctx = SHMEM_CTX_DEFAULT;
	run_all(40 * mt_options.factor);
}

static void
case_own_ctx(void)
{
	CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx), 0);
	run_all(16 * mt_options.factor);
	shmem_ctx_destroy(ctx);
}

/** The plain case, many rounds: one hop and two hops, heap. */
static void
case_many_rounds(void)
{
	const struct plan p = {
		.data_op = DATA_PUT, .flag_op = FLAG_P, .words = 5, .rounds = mt_rounds(2000)};

	ctx = SHMEM_CTX_DEFAULT;
	heap_boards = mt_alloc(sizeof(static_boards));
	run_plan(&p);
	shmem_free(heap_boards);
}

/** Fence and quiet order plain stores of the caller to its own memory, too: a PE that sees the flag
 *  and gets the data receives what was stored before. */
static void
own_stores_to(long *words)
{
	static long flag;
	long round, back[64];
	int i, n;

	memset(words, 0, 64 * sizeof(*words));
	flag = 0;
	shmem_barrier_all();
	for (round = 1; round <= mt_rounds(300); round++) {
		/* Relaxed: stores like others, which the reader's side of a get may meet. */
		for (i = 0; i < 64; i++)
			__atomic_store_n(&words[i], round, __ATOMIC_RELAXED);
		if (round % 2)
			shmem_fence();
		else
			shmem_quiet();
		shmem_long_p(&flag, round, mt_pe(1));
		mt_waiting("the flag of the left neighbour");
		shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
		/* over a bridge 8 words are loaded through the window, and more are asked for */
		n = round / 2 % 2 ? 8 : 64;
		shmem_long_get(back, words, (size_t)n, mt_pe(-1));
		for (i = 0; i < n; i++)
			if (!mt_check(back[i] >= round, __FILE__, __LINE__,
				      "word %d is %ld in round %ld", i, back[i], round))
				break;
	}
	shmem_barrier_all();
}

static void
case_own_stores(void)
{
	static long words[64];
	long *heap = mt_alloc(sizeof(words));

	own_stores_to(words);
	own_stores_to(heap);
	shmem_free(heap);
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"default_ctx", case_default_ctx}, {"own_ctx", case_own_ctx},
	   {"many_rounds", case_many_rounds}, {"own_stores", case_own_stores})
