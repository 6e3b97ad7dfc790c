/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_ID_SERVER_H
#define SHMEMI_ID_SERVER_H

/** @file The process that makes an id: a thread of it brings the PEs of the job together. */

#include <stdbool.h>
#include <stdint.h>

/** This process leaves the job. Where its id was made here, tell the other PEs, and wait until they
 *  are told. @p closed: in order */
void shmemi_id_server_leave(const uint64_t secret[2], bool closed, int status);

#endif /* SHMEMI_ID_SERVER_H */
