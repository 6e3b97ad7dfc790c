/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_PLACE_H
#define RB_JOB_PLACE_H

/**
 * @file
 * Which PE runs on which host.
 */

#include <stdbool.h>

int rb_pe(void); /**< number of this PE, 0 to rb_npes() - 1; before rb_open(): -1 */
int rb_npes(void);
int rb_place_host(int pe); /**< id of the host that PE runs on */
/** Hops between two hosts, as the job found the cables. */
unsigned int rb_place_hops(int a, int b);
bool rb_place_lead(int pe); /**< does that PE own the ports of its host? */

/* ---- within the runtime ---- */

/** Compute from the environment where each PE runs. 0 or -EINVAL with an error text. */
int rb_place_pes(void);
/** Compute only rb.hosts, rb.npes, rb.place and rb.lead. 0 or -EINVAL with an error text. */
int rb_place_table(void);

int rb_place_locals(int host); /**< number of PEs of a host */

#endif /* RB_JOB_PLACE_H */
