/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

#include "amo.h"
#include "core/check.h"
#include "core/shmemi.h"

/* Signaling operations (section 9.9). */

/** One call with its arguments. */
struct put_signal {
	const char *call;
	void *dest;
	const void *source;
	size_t nelems;
	size_t size;
	uint64_t *sig;
	uint64_t value;
	int sig_op;
	bool nbi;
};

static enum rb_amo_op
operator_of(const struct put_signal *p)
{
	if (p->sig_op == SHMEM_SIGNAL_SET)
		return RB_AMO_SET;
	if (p->sig_op != SHMEM_SIGNAL_ADD)
		shmemi_fatal(p->call, "sig_op is %d, neither SHMEM_SIGNAL_SET nor SHMEM_SIGNAL_ADD",
			     p->sig_op);
	return RB_AMO_ADD;
}

static void
check_put(const struct put_signal *p, const struct shmemi_ctx *ctx, size_t len, int pe)
{
	const struct shmemi_access data = {
		.ctx = ctx,
		.remote = p->dest,
		.local = p->source,
		.len = len,
		.align = p->size,
		.pe = pe,
		.touch = SHMEMI_WRITE, /* not open: whoever sees the signal sees the data */
		.later = p->nbi,
	};
	const char *dest = p->dest, *sig = (const char *)p->sig;

	shmemi_check_access(p->call, &data);
	if (p->nbi && len != 0)
		shmemi_later_note(p->call, ctx->rb, p->source, len);
	if (len != 0 && sig < dest + len && dest < sig + sizeof(*p->sig))
		shmemi_fatal(p->call, "sig_addr %p lies in dest, %zu bytes at %p", p->sig, len,
			     p->dest);
	if (shmemi.races)
		shmemi_race_touch(p->call, pe,
				  &(struct shmemi_span){sig, 1, sizeof(*p->sig), sizeof(*p->sig)},
				  SHMEMI_ATOMIC, true);
}

static void
put_signal(const struct put_signal *p, shmem_ctx_t handle, int pe)
{
	const struct shmemi_ctx *ctx = shmemi_ctx_of(p->call, handle);
	int world = shmemi_pe_of(p->call, ctx, pe);
	enum rb_amo_op op = operator_of(p);
	size_t len;
	int err;

	if (__builtin_mul_overflow(p->nelems, p->size, &len))
		shmemi_fatal(p->call, "nelems is %zu: elements of %zu bytes exceed memory",
			     p->nelems, p->size);
	if (__builtin_expect(shmemi.check, 0))
		check_put(p, ctx, len, world);
	err = rb_put_signal(ctx->rb, world, p->dest, p->source, len, p->sig, p->value, op, p->nbi);
	if (__builtin_expect(err == 0, 1))
		return;
	/* which of the two addresses was it? */
	if (len != 0 && !rb_symmetric(p->dest, len))
		shmemi_fail(p->call, err, pe, p->dest, len);
	shmemi_fail(p->call, err, pe, p->sig, sizeof(*p->sig));
}

enum {
	NBI_put_signal,
	NBI_put_signal_nbi,
	NBI_signal = 0,
	NBI_signal_nbi
};

#define PUT_SIGNAL(name, op, bytes, ctx)                                                   \
	put_signal(&(const struct put_signal){"shmem_" #name, dest, source, nelems, bytes, \
					      sig_addr, signal, sig_op, NBI##op},          \
		   ctx, pe)

#define SIGNAL_FORMS(name, T, op, bytes)                                                           \
	SHMEMI_API(void, name,                                                                     \
		   (T * dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
		    int sig_op, int pe))                                                           \
	{                                                                                          \
		PUT_SIGNAL(name, op, bytes, SHMEM_CTX_DEFAULT);                                    \
	}                                                                                          \
	SHMEMI_API(void, ctx_##name,                                                               \
		   (shmem_ctx_t ctx, T * dest, const T *source, size_t nelems, uint64_t *sig_addr, \
		    uint64_t signal, int sig_op, int pe))                                          \
	{                                                                                          \
		PUT_SIGNAL(ctx_##name, op, bytes, ctx);                                            \
	}
#define SIGNAL_TYPED(T, N, op) SIGNAL_FORMS(N##op, T, op, sizeof(T))
#define SIGNAL_SIZED(bits, op) SIGNAL_FORMS(put##bits##op, void, op, (bits) / 8)

SHMEMI_TYPES_RMA(SIGNAL_TYPED, _put_signal)
SHMEMI_TYPES_RMA(SIGNAL_TYPED, _put_signal_nbi)
SHMEMI_SIZES(SIGNAL_SIZED, _signal)
SHMEMI_SIZES(SIGNAL_SIZED, _signal_nbi)
SIGNAL_FORMS(putmem_signal, void, _signal, 1)
SIGNAL_FORMS(putmem_signal_nbi, void, _signal_nbi, 1)

SHMEMI_API(void, signal_add, (uint64_t * sig_addr, uint64_t signal, int pe))
{
	SHMEMI_AMO("shmem_signal_add", uint64_t, RB_AMO_ADD, SHMEM_CTX_DEFAULT, sig_addr, signal,
		   pe);
}

SHMEMI_API(void, signal_set, (uint64_t * sig_addr, uint64_t signal, int pe))
{
	SHMEMI_AMO("shmem_signal_set", uint64_t, RB_AMO_SET, SHMEM_CTX_DEFAULT, sig_addr, signal,
		   pe);
}

SHMEMI_API(void, ctx_signal_add, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe))
{
	SHMEMI_AMO("shmem_ctx_signal_add", uint64_t, RB_AMO_ADD, ctx, sig_addr, signal, pe);
}

SHMEMI_API(void, ctx_signal_set, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe))
{
	SHMEMI_AMO("shmem_ctx_signal_set", uint64_t, RB_AMO_SET, ctx, sig_addr, signal, pe);
}

/* Acquire: pairs with the release store that updates the word once the data is there. */
SHMEMI_API(uint64_t, signal_fetch, (const uint64_t *sig_addr))
{
	uint64_t value;

	shmemi_enter("shmem_signal_fetch");
	if (__builtin_expect(shmemi.check, 0))
		shmemi_check_local("shmem_signal_fetch", sig_addr, sizeof(*sig_addr),
				   sizeof(*sig_addr));
	value = __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
	if (__builtin_expect(shmemi.races, 0)) /* what the value shows, so after it */
		shmemi_race_acquire(sig_addr, sizeof(*sig_addr), shmemi.pe, true);
	return value;
}
