/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_ID_H
#define RB_JOB_ID_H

/**
 * @file
 * Jobs without a launcher: a process makes an id, and whoever is told it, by whatever means, is a
 * PE of the job. The maker may be a PE, or not; it has to live as long as the job.
 */

#include <stdbool.h>

/** rb_open() joins the job of @p id, as PE @p pe of @p pes. 0 or -EINVAL with an error text. */
int rb_id_give(const char *id, int pe, int pes);
/** rb_open() has failed: the other PEs need not wait for this one. */
void rb_id_give_up(void);

/* ---- within the runtime ---- */

bool rb_id_given(void);
struct rb_exchange;
extern const struct rb_exchange rb_exchange_id;

#endif /* RB_JOB_ID_H */
