/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef WRITE_H
#define WRITE_H

/**
 * @file
 * Calls as a C program that stands alone: the same calls by the same threads, and what they are to
 * find. It goes to standard output and uses alone.h.
 */

#include "calls.h"

void write_begin(unsigned int seconds);
void write_epoch(const struct epoch *e);
void write_end(void);

/* ---- for write_*.c ---- */

/** The epoch being written. */
extern const struct epoch *write_now;

void out(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** An expression for the address; of a string that the next eight calls leave alone. */
const char *write_place(struct place at);
/** The same as a pointer to elements of the call's type, or as it is where the call takes any. */
const char *write_typed(const struct op *op, struct place at);
/** "shmem_" or "shmem_ctx_", and the context as the first argument. */
const char *write_prefix(const struct op *op);
const char *write_ctx(const struct op *op);
/** The context as the only argument. */
const char *write_handle(const struct op *op);
/** @p len bytes: a pattern that is known, or "hex" */
void write_bytes(const char *at, const unsigned char *bytes, size_t len);
/** What the owner of a source writes. */
void write_fresh(const struct op *op, const struct span *s);
/** Look at what PE @p pe is to find after the call. */
void write_looks(const struct op *op, int pe);
void write_looks_later(const struct op *op);
/** Look at what the quiet of a context of that thread has completed. @p targets: NULL all */
void write_quiet(int pe, int lane, int ctx, const struct team *targets);
void write_forget(int pe, int lane);
void write_step(const struct op *op, int lane);
void write_transfer(const struct op *op, int form, const char *signal);

/* Each writes what PE @p pe does in a call of its kind. */
void write_rma(const struct op *op, int pe);
void write_overwrite(const struct op *op, int pe);
void write_fill(const struct op *op, int pe);
void write_fence(const struct op *op, int pe);
void write_quiet_op(const struct op *op, int pe);
void write_amo(const struct op *op, int pe);
/** @p lane: of all threads, which are in it. */
void write_shared_amo(const struct op *op, int pe, int lane);
void write_lock(const struct op *op, int pe);
void write_message(const struct op *op, int pe);
void write_wait(const struct op *op, int pe);
void write_sync(const struct op *op, int pe);
void write_coll(const struct op *op, int pe);
void write_split(const struct op *op, int pe);
void write_split_2d(const struct op *op, int pe);
void write_team_end(const struct op *op, int pe);
void write_ctx_make(const struct op *op, int pe);
void write_ctx_end(const struct op *op, int pe);
void write_heap(const struct op *op, int pe);

#endif /* WRITE_H */
