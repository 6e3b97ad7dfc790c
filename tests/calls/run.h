/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RUN_H
#define RUN_H

#include "calls.h"

/* A call has run-time arguments here, and a function for each type that makes it (type_*.c). */

struct rma {
	int form, pe, sig_op;
	bool plain; /* without a context */
	shmem_ctx_t ctx;
	void *dest;
	const void *source;
	ptrdiff_t dst, sst;
	size_t bsize, n;
	uint64_t *sig, signal;
};
extern void (*const rma_calls[TYPES])(const struct rma *);

struct amo_call {
	int what, pe;
	bool plain, nbi, old;
	shmem_ctx_t ctx;
	void *dest, *fetch;
	uint64_t value, cond;
	uint64_t ret;
};
extern void (*const amo_calls[TYPES])(struct amo_call *);

struct wait_call {
	int what, cmp;
	bool test, vector;
	void *ivars;
	const void *values; /* of the type; one, or n */
	size_t n, *indices;
	const int *status;
	size_t ret; /* of any, some; 1 or 0 of the others */
};
extern void (*const wait_calls[TYPES])(struct wait_call *);

struct coll_call {
	int what, root;
	shmem_team_t team;
	void *dest;
	const void *source;
	ptrdiff_t dst, sst;
	size_t n;
	/* active sets */
	int start, log_stride, size;
	void *work;
	long *psync;
};
/** @return what the call returned */
extern int (*const coll_calls[TYPES])(const struct coll_call *);
extern void (*const aset_calls[TYPES])(const struct coll_call *);

/* ---- run.c ---- */
void *run_at(struct place at);
shmem_ctx_t run_ctx(const struct op *op);
/** Rank of PE @p pe of the world in the team of the call's context. */
int run_rank(const struct op *op, int pe);
/** Compare what this PE expects of the call with what is there. */
void run_verify(const struct op *op);
/** Write what the owner of a source writes. */
void run_fresh(const struct op *op, const struct span *s);
/** Verify later, when the context is quiet. */
void run_later(const struct op *op);
void run_quiet(const struct op *op, int ctx, const struct team *targets);
/** What is under way on the default context will not be looked at. */
void run_forget(void);
int run_lane(void);

/* Each makes this PE's part of a call of its kind. */
void run_rma(const struct op *op);
void run_transfer(const struct op *op, int form, uint64_t *sig, uint64_t signal, int sig_op);
void run_overwrite(const struct op *op);
void run_fill(const struct op *op);
void run_fence(const struct op *op);
void run_quiet_op(const struct op *op);
void run_amo(const struct op *op);
void run_shared_amo(const struct op *op);
void run_lock(const struct op *op);
void run_message(const struct op *op);
void run_wait(const struct op *op);
void run_sync(const struct op *op);
void run_coll(const struct op *op);
void run_split(const struct op *op);
void run_split_2d(const struct op *op);
void run_team_end(const struct op *op);
void run_ctx_make(const struct op *op);
void run_ctx_end(const struct op *op);
void run_heap(const struct op *op);

#endif /* RUN_H */
