/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_RANK_H
#define RB_BASE_RANK_H

/**
 * @file
 * The rank of a process under a PMIx launcher is taken once, too.
 */

#include <stdbool.h>

/** Under a PMIx launcher: take the rank, and let what this process starts know. 0 or -errno, words.
 */
int rb_claim_rank(void);
/** Has a process above this one taken its rank? */
bool rb_claim_rank_taken(void);

#endif /* RB_BASE_RANK_H */
