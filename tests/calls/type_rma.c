/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Puts and gets of each type.
 */
#include <string.h>

#include "../multi/types.h"
#include "run.h"

/* With or without the context; PE the same. */
#define CALL(name, ...)                                        \
	do {                                                   \
		if (c->plain)                                  \
			shmem_##name(__VA_ARGS__);             \
		else                                           \
			shmem_ctx_##name(c->ctx, __VA_ARGS__); \
	} while (0)

#define SIG c->sig, c->signal, c->sig_op, c->pe

#define RMA(T, N)                                                                         \
	static void rma_##N(const struct rma *c)                                          \
	{                                                                                 \
		T *to = c->dest, got;                                                     \
		const T *from = c->source;                                                \
                                                                                          \
		switch (c->form) {                                                        \
		case F_P:                                                                 \
			CALL(N##_p, to, *from, c->pe);                                    \
			break;                                                            \
		case F_PUT:                                                               \
			CALL(N##_put, to, from, c->n, c->pe);                             \
			break;                                                            \
		case F_PUT_NBI:                                                           \
			CALL(N##_put_nbi, to, from, c->n, c->pe);                         \
			break;                                                            \
		case F_IPUT:                                                              \
			CALL(N##_iput, to, from, c->dst, c->sst, c->n, c->pe);            \
			break;                                                            \
		case F_IBPUT:                                                             \
			CALL(N##_ibput, to, from, c->dst, c->sst, c->bsize, c->n, c->pe); \
			break;                                                            \
		case F_PUT_SIGNAL:                                                        \
			CALL(N##_put_signal, to, from, c->n, SIG);                        \
			break;                                                            \
		case F_PUT_SIGNAL_NBI:                                                    \
			CALL(N##_put_signal_nbi, to, from, c->n, SIG);                    \
			break;                                                            \
		case F_G:                                                                 \
			got = c->plain ? shmem_##N##_g(from, c->pe)                       \
				       : shmem_ctx_##N##_g(c->ctx, from, c->pe);          \
			memcpy(to, &got, sizeof(got));                                    \
			break;                                                            \
		case F_GET:                                                               \
			CALL(N##_get, to, from, c->n, c->pe);                             \
			break;                                                            \
		case F_GET_NBI:                                                           \
			CALL(N##_get_nbi, to, from, c->n, c->pe);                         \
			break;                                                            \
		case F_IGET:                                                              \
			CALL(N##_iget, to, from, c->dst, c->sst, c->n, c->pe);            \
			break;                                                            \
		default:                                                                  \
			CALL(N##_ibget, to, from, c->dst, c->sst, c->bsize, c->n, c->pe); \
		}                                                                         \
	}
TYPES_RMA(RMA)

#define RMA_SIZED(B, bytes)                                                                        \
	static void rma_##B(const struct rma *c)                                                   \
	{                                                                                          \
		switch (c->form) {                                                                 \
		case F_PUT:                                                                        \
			CALL(put##B, c->dest, c->source, c->n, c->pe);                             \
			break;                                                                     \
		case F_PUT_NBI:                                                                    \
			CALL(put##B##_nbi, c->dest, c->source, c->n, c->pe);                       \
			break;                                                                     \
		case F_IPUT:                                                                       \
			CALL(iput##B, c->dest, c->source, c->dst, c->sst, c->n, c->pe);            \
			break;                                                                     \
		case F_IBPUT:                                                                      \
			CALL(ibput##B, c->dest, c->source, c->dst, c->sst, c->bsize, c->n, c->pe); \
			break;                                                                     \
		case F_PUT_SIGNAL:                                                                 \
			CALL(put##B##_signal, c->dest, c->source, c->n, SIG);                      \
			break;                                                                     \
		case F_PUT_SIGNAL_NBI:                                                             \
			CALL(put##B##_signal_nbi, c->dest, c->source, c->n, SIG);                  \
			break;                                                                     \
		case F_GET:                                                                        \
			CALL(get##B, c->dest, c->source, c->n, c->pe);                             \
			break;                                                                     \
		case F_GET_NBI:                                                                    \
			CALL(get##B##_nbi, c->dest, c->source, c->n, c->pe);                       \
			break;                                                                     \
		case F_IGET:                                                                       \
			CALL(iget##B, c->dest, c->source, c->dst, c->sst, c->n, c->pe);            \
			break;                                                                     \
		default:                                                                           \
			CALL(ibget##B, c->dest, c->source, c->dst, c->sst, c->bsize, c->n, c->pe); \
		}                                                                                  \
	}
SIZES(RMA_SIZED)

static void
rma_mem(const struct rma *c)
{
	void *direct;

	switch (c->form) {
	case F_PUT:
		CALL(putmem, c->dest, c->source, c->n, c->pe);
		break;
	case F_PUT_NBI:
		CALL(putmem_nbi, c->dest, c->source, c->n, c->pe);
		break;
	case F_STORE:
		direct = shmem_ptr(c->dest, c->pe);
		if (direct != NULL)
			memcpy(direct, c->source, c->n);
		else
			shmem_putmem(c->dest, c->source, c->n, c->pe);
		break;
	case F_PUT_SIGNAL:
		CALL(putmem_signal, c->dest, c->source, c->n, SIG);
		break;
	case F_PUT_SIGNAL_NBI:
		CALL(putmem_signal_nbi, c->dest, c->source, c->n, SIG);
		break;
	case F_GET:
		CALL(getmem, c->dest, c->source, c->n, c->pe);
		break;
	default:
		CALL(getmem_nbi, c->dest, c->source, c->n, c->pe);
	}
}

#define ENTRY(T, N) rma_##N,
/* none of the complex types */
void (*const rma_calls[TYPES])(const struct rma *) = {
	TYPES_RMA(ENTRY) NULL, NULL, rma_8, rma_16, rma_32, rma_64, rma_128, rma_mem,
};
