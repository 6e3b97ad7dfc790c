/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_ID_SERVER_H
#define RB_JOB_ID_SERVER_H

/**
 * @file
 * Jobs without a launcher: a process makes an id, and whoever is told it, by whatever means, is a
 * PE of the job. The maker may be a PE, or not; it has to live as long as the job.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	RB_ID_SIZE = 128 /**< of the text of an id, with its end */
};

/** Make the id of a new job. A thread of this process brings its PEs together. 0 or -errno with an
 *  error text. */
int rb_id_make(char id[RB_ID_SIZE]);

/* ---- within the runtime ---- */

/** This process leaves the job. Where its id was made here, tell the other PEs, and wait until they
 *  are told. @p closed: in order */
void rb_id_server_leave(const uint64_t secret[2], bool closed, int status);
/** In a forked child of the maker: close its sockets, so that its end shows. */
void rb_id_server_forget(void);

#endif /* RB_JOB_ID_SERVER_H */
