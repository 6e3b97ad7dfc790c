/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The operations that rows name. Each is one call of OpenSHMEM, or a loop of one that waits.
 */
#include <sched.h>

#include "litmus.h"

#define AT_LEAST(minor) (SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= (minor))

enum {
	LOOKS = 64, /* of a loop before it lets others have the CPU */
};

/* By value: what nonblocking puts read, at any time before a quiet. */
static uint64_t source[LITMUS_VALUES][LITMUS_WORDS];

void
litmus_ops_open(void)
{
	size_t v, i;

	for (v = 0; v < LITMUS_VALUES; v++)
		for (i = 0; i < LITMUS_WORDS; i++)
			source[v][i] = v * LITMUS_UNIT;
}

static const uint64_t *
source_of(uint64_t value)
{
	return source[value / LITMUS_UNIT];
}

static void
look_again(unsigned int *looks)
{
	if (++*looks % LOOKS == 0)
		sched_yield();
}

/* Of a block the oldest word counts: it is a later one only where all are. */
static uint64_t
oldest_word(const uint64_t *words, size_t n)
{
	uint64_t least = __atomic_load_n(&words[0], __ATOMIC_RELAXED), v;
	size_t i;

	for (i = 1; i < n; i++) {
		v = __atomic_load_n(&words[i], __ATOMIC_RELAXED);
		if (v < least)
			least = v;
	}
	return least;
}

static void
op_p(const struct litmus_at *a)
{
	shmem_ctx_ulong_p(a->ctx, a->at, a->value, a->pe);
}

static void
op_put(const struct litmus_at *a)
{
	shmem_ctx_ulong_put(a->ctx, a->at, source_of(a->value), a->words, a->pe);
}

static void
op_put_nbi(const struct litmus_at *a)
{
	shmem_ctx_ulong_put_nbi(a->ctx, a->at, source_of(a->value), a->words, a->pe);
}

static void
op_iput(const struct litmus_at *a)
{
	const uint64_t *from = source_of(a->value);

	shmem_ctx_ulong_iput(a->ctx, a->at, from, 2, 2, (a->words + 1) / 2, a->pe);
	if (a->words > 1)
		shmem_ctx_ulong_iput(a->ctx, a->at + 1, from + 1, 2, 2, a->words / 2, a->pe);
}

static void
op_set(const struct litmus_at *a)
{
	shmem_ctx_ulong_atomic_set(a->ctx, a->at, a->value, a->pe);
}

static void
op_add(const struct litmus_at *a)
{
	shmem_ctx_ulong_atomic_add(a->ctx, a->at, a->value, a->pe);
}

static void
op_or(const struct litmus_at *a)
{
	shmem_ctx_ulong_atomic_or(a->ctx, a->at, a->value, a->pe);
}

static void
op_fadd(const struct litmus_at *a)
{
	*a->reg = shmem_ctx_ulong_atomic_fetch_add(a->ctx, a->at, a->value, a->pe);
}

static void
op_swap(const struct litmus_at *a)
{
	*a->reg = shmem_ctx_ulong_atomic_swap(a->ctx, a->at, a->value, a->pe);
}

/* From 0 */
static void
op_cswap(const struct litmus_at *a)
{
	*a->reg = shmem_ctx_ulong_atomic_compare_swap(a->ctx, a->at, 0, a->value, a->pe);
}

static void
op_store(const struct litmus_at *a)
{
	size_t i;

	for (i = 0; i < a->words; i++)
		__atomic_store_n(&a->at[i], a->value, __ATOMIC_RELAXED);
}

static void
op_store_ptr(const struct litmus_at *a)
{
	uint64_t *to = shmem_ptr(a->at, a->pe);
	size_t i;

	for (i = 0; i < a->words; i++)
		__atomic_store_n(&to[i], a->value, __ATOMIC_RELAXED);
}

static void
op_g(const struct litmus_at *a)
{
	*a->reg = shmem_ctx_ulong_g(a->ctx, a->at, a->pe);
}

static void
op_get(const struct litmus_at *a)
{
	static uint64_t to[LITMUS_WORDS];

	shmem_ctx_ulong_get(a->ctx, to, a->at, a->words, a->pe);
	*a->reg = oldest_word(to, a->words);
}

static void
op_get_nbi(const struct litmus_at *a)
{
	shmem_ctx_ulong_get_nbi(a->ctx, a->reg, a->at, 1, a->pe);
}

static void
op_fetch(const struct litmus_at *a)
{
	*a->reg = shmem_ctx_ulong_atomic_fetch(a->ctx, a->at, a->pe);
}

static void
op_load(const struct litmus_at *a)
{
	*a->reg = oldest_word(a->at, a->words);
}

static void
op_load_ptr(const struct litmus_at *a)
{
	*a->reg = oldest_word(shmem_ptr(a->at, a->pe), a->words);
}

static void
op_wait(const struct litmus_at *a)
{
	shmem_ulong_wait_until(a->at, SHMEM_CMP_GE, a->value);
}

static void
op_test(const struct litmus_at *a)
{
	unsigned int looks = 0;

	while (!shmem_ulong_test(a->at, SHMEM_CMP_GE, a->value))
		look_again(&looks);
}

static void
op_wait_g(const struct litmus_at *a)
{
	unsigned int looks = 0;

	while (shmem_ctx_ulong_g(a->ctx, a->at, a->pe) < a->value)
		look_again(&looks);
}

static void
op_wait_fetch(const struct litmus_at *a)
{
	unsigned int looks = 0;

	while (shmem_ctx_ulong_atomic_fetch(a->ctx, a->at, a->pe) < a->value)
		look_again(&looks);
}

static void
op_fence(const struct litmus_at *a)
{
	shmem_ctx_fence(a->ctx);
}

static void
op_quiet(const struct litmus_at *a)
{
	shmem_ctx_quiet(a->ctx);
}

static void
op_nothing(const struct litmus_at *a)
{
	(void)a;
}

#if AT_LEAST(5)
static void
op_fadd_nbi(const struct litmus_at *a)
{
	shmem_ctx_ulong_atomic_fetch_add_nbi(a->ctx, a->reg, a->at, a->value, a->pe);
}

static void
op_fetch_nbi(const struct litmus_at *a)
{
	shmem_ctx_ulong_atomic_fetch_nbi(a->ctx, a->reg, a->at, a->pe);
}

static void
op_put_signal(const struct litmus_at *a)
{
	shmem_ctx_ulong_put_signal(a->ctx, a->at, source_of(a->value), a->words, a->sig,
				   a->sig_value, SHMEM_SIGNAL_SET, a->pe);
}

static void
op_put_signal_add(const struct litmus_at *a)
{
	shmem_ctx_ulong_put_signal(a->ctx, a->at, source_of(a->value), a->words, a->sig,
				   a->sig_value, SHMEM_SIGNAL_ADD, a->pe);
}

static void
op_put_signal_nbi(const struct litmus_at *a)
{
	shmem_ctx_ulong_put_signal_nbi(a->ctx, a->at, source_of(a->value), a->words, a->sig,
				       a->sig_value, SHMEM_SIGNAL_SET, a->pe);
}

static void
op_put_signal_add_nbi(const struct litmus_at *a)
{
	shmem_ctx_ulong_put_signal_nbi(a->ctx, a->at, source_of(a->value), a->words, a->sig,
				       a->sig_value, SHMEM_SIGNAL_ADD, a->pe);
}

static void
op_signal_wait(const struct litmus_at *a)
{
	shmem_signal_wait_until(a->at, SHMEM_CMP_GE, a->value);
}
#else
#define op_fadd_nbi NULL
#define op_fetch_nbi NULL
#define op_put_signal NULL
#define op_put_signal_add NULL
#define op_put_signal_nbi NULL
#define op_put_signal_add_nbi NULL
#define op_signal_wait NULL
#endif

#if AT_LEAST(6)
static void
op_signal_set(const struct litmus_at *a)
{
	shmem_ctx_signal_set(a->ctx, a->at, a->value, a->pe);
}

static void
op_signal_add(const struct litmus_at *a)
{
	shmem_ctx_signal_add(a->ctx, a->at, a->value, a->pe);
}

static void
op_pe_quiet(const struct litmus_at *a)
{
	shmem_ctx_pe_quiet(a->ctx, &a->pe, 1);
}
#else
#define op_signal_set NULL
#define op_signal_add NULL
#define op_pe_quiet NULL
#endif

enum {
	WRITE = LITMUS_VALUE,
	BLOCK = LITMUS_VALUE | LITMUS_BLOCK,
	READ = LITMUS_READS,
	FETCH = LITMUS_VALUE | LITMUS_MAY,
	WAIT = LITMUS_VALUE | LITMUS_OWN,
	SIGNAL = LITMUS_VALUE | LITMUS_BLOCK | LITMUS_SIGNAL,
};

const struct litmus_op litmus_ops[] = {
	{"p", WRITE, op_p},
	{"put", BLOCK, op_put},
	{"put_nbi", BLOCK, op_put_nbi},
	{"iput", BLOCK, op_iput},
	{"set", WRITE, op_set},
	{"add", WRITE, op_add},
	{"or", WRITE, op_or},
	{"fadd", FETCH, op_fadd},
	{"fadd_nbi", FETCH, op_fadd_nbi},
	{"swap", FETCH, op_swap},
	{"cswap", FETCH, op_cswap},
	{"store", BLOCK | LITMUS_OWN, op_store},
	{"store_ptr", BLOCK | LITMUS_PTR, op_store_ptr},
	{"put_signal", SIGNAL, op_put_signal},
	{"put_signal_add", SIGNAL, op_put_signal_add},
	{"put_signal_nbi", SIGNAL, op_put_signal_nbi},
	{"put_signal_add_nbi", SIGNAL, op_put_signal_add_nbi},
	{"signal_set", WRITE, op_signal_set},
	{"signal_add", WRITE, op_signal_add},
	{"g", READ, op_g},
	{"get", READ | LITMUS_BLOCK, op_get},
	{"get_nbi", READ, op_get_nbi},
	{"fetch", READ, op_fetch},
	{"fetch_nbi", READ, op_fetch_nbi},
	{"load", READ | LITMUS_OWN | LITMUS_BLOCK, op_load},
	{"load_ptr", READ | LITMUS_PTR | LITMUS_BLOCK, op_load_ptr},
	{"wait", WAIT, op_wait},
	{"test", WAIT, op_test},
	{"signal_wait", WAIT, op_signal_wait},
	{"wait_g", WRITE, op_wait_g},
	{"wait_fetch", WRITE, op_wait_fetch},
	{"fence", LITMUS_BARE, op_fence},
	{"quiet", LITMUS_BARE, op_quiet},
	{"pe_quiet", 0, op_pe_quiet},
	{"none", LITMUS_BARE | LITMUS_NONE, op_nothing},
	{0},
};
