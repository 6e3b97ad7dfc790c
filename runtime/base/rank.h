/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_RANK_H
#define RB_BASE_RANK_H

/**
 * @file
 * Under a PMIx launcher, too, each rank is taken once.
 */

#include <stdbool.h>

/** Under a PMIx launcher: take the rank, and mark it as taken for processes that this one starts.
 *  0, or -errno with words.
 */
int rb_claim_rank(void);
/** Has a process above this one taken its rank? */
bool rb_claim_rank_taken(void);

#endif /* RB_BASE_RANK_H */
