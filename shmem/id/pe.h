/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_ID_PE_H
#define SHMEMI_ID_PE_H

/** @file A PE that comes to its job by an id. */

struct rb_exchange;

/** Become PE @p pe of @p pes of the job of @p id, once rb_open() gets shmemi_id_exchange. 0, or
 *  -EINVAL with an error text. */
int shmemi_id_take(const char *id, int pe, int pes);
extern const struct rb_exchange shmemi_id_exchange;
/** The start has failed: the other PEs need not wait for this one. */
void shmemi_id_give_up(void);
/** In a forked child of the PE: close the connection, so that the end of the PE shows. */
void shmemi_id_forget(void);

#endif /* SHMEMI_ID_PE_H */
