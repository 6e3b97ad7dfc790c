/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_CTX_H
#define COLL_CTX_H

/**
 * @file
 * The contexts of the library's own operations: the user's are neither waited for nor ordered.
 */

struct rb_ctx;

struct rb_ctx *coll_ctx(void);
/** The same for atomics, which no other operation of the library is ordered with. */
struct rb_ctx *coll_amo_ctx(void);
/** Order what was put to each PE before with what follows. */
void coll_fence(void);
/** Complete what this PE has put. */
void coll_quiet(void);
int coll_ctx_open(void); /**< 0 or -errno */
void coll_ctx_close(void);

#endif /* COLL_CTX_H */
