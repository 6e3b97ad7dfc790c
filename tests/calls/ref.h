/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef REF_H
#define REF_H

#include "calls.h"

/** Where memory of @p pe is kept. */
unsigned char *ref_at(int pe, struct place at);
/** Copy block by block; the two may be cut up in different ways. */
void ref_copy(int to, const struct span *dst, int from, const struct span *src);
/** What a put or a get does: its source, if it is fresh, and its target. */
void ref_transfer(const struct op *op);
/** After the call @p pe is to find what stands there now. */
void ref_expect(struct op *op, int pe, const struct span *s);
/** What the owner of a source writes into it before the call. */
void ref_fresh(const struct op *op, int pe, const struct span *s);
/** How much of a new block has known contents: what calloc and realloc promise. */
struct span ref_kept(const struct op *op);
/** Keep what stands there in range[0], on all PEs. */
void ref_keep(struct op *op, int pe, const struct span *s);
/** The put number @p i of those that overwrite parts of one range, and the call for it. */
struct op ref_overwrite_put(const struct op *op, size_t i, int *form);
/** Which bit the call @p i of a thread on a shared word has. */
unsigned int ref_shared_bit(const struct op *op, int pe, int lane, int i);
/** The PE that checks the data of a message, and where that PE has them. */
int ref_reader(const struct op *op);
struct span ref_read(const struct op *op);

#endif /* REF_H */
