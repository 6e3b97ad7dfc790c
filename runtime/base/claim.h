/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_CLAIM_H
#define RB_BASE_CLAIM_H

/**
 * @file
 * One process is one PE: each rank of the job is taken once. A process that a PE starts inherits
 * the variables of the rank but not the rank, and is a job of its own.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/deal.h"

/** Memory of oshrun and its PEs. */
struct rb_claims {
	_Atomic uint64_t space; /**< hash of the first PE's PID and user namespaces; 0: none yet */
	_Atomic uint32_t pid[RB_MAX_PES]; /**< the process that is the PE; 0: none yet */
};

/** Take the rank @p pe of @p pes in the file @p fd of oshrun; -1: there is none. 0, or -errno with
 *  words in rb_error(). */
int rb_claim(int fd, int pe, int pes);

/** Under a PMIx launcher: take the rank, and mark it as taken for processes that this one starts.
 *  0, or -errno with words.
 */
int rb_claim_rank(void);
/** Has a process above this one taken its rank? */
bool rb_claim_rank_taken(void);

#endif /* RB_BASE_CLAIM_H */
