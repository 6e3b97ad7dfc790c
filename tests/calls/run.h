/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RUN_H
#define RUN_H

#include "call.h"
#include "calls.h"

/* ---- run.c ---- */
void *run_at(struct place at);
shmem_ctx_t run_context(const struct op *op);
/** Rank of PE @p pe of the world in the team of the call's context. */
int run_rank(const struct op *op, int pe);
/** Compare what this PE expects of the call with what is there. */
void run_verify(const struct op *op);
/** Write what the owner of a source writes. */
void run_fresh(const struct op *op, const struct span *s);
/** Verify later, when the context is quiet. */
void run_later(const struct op *op);
/** It is, for these targets (NULL: all). */
void run_completed(int ctx, const struct team *targets);
/** What is under way on the default context will not be looked at. */
void run_forget(void);
int run_lane(void);
void run_transfer(const struct op *op, int form, uint64_t *sig, uint64_t signal, int sig_op);
/** Make the atomic @p what. @return what it returns; 0: nothing */
uint64_t run_atomic(const struct op *op, struct call *c, bool plain, int what, uint64_t value);

#endif /* RUN_H */
