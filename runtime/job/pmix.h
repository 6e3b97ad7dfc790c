/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_PMIX_H
#define RB_JOB_PMIX_H

/**
 * @file
 * The PMIx server of a launcher such as mpirun or srun. libpmix is loaded only when a job needs it.
 * So programs do not link it, and run without it elsewhere. In a build without its header,
 * rb_bootstrap() fails with an error text that says so.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Join the job. 0 or -errno with an error text. */
int rb_pmix_join(int *rank, int *size);
/** Number of this PE's node in the allocation; false: the server does not know it. */
bool rb_pmix_node(uint32_t *node);

/** Every PE shares @p len bytes under @p key; returns when all have. 0 or -errno with an error
 *  text. */
int rb_pmix_share(const char *key, void *mine, size_t len);
/** Get the bytes that PE @p rank has shared. 0 or -errno with an error text. */
int rb_pmix_get(const char *key, int rank, void *bytes, size_t len);

/** Last call of a process in a job that a PE ended. Once all PEs are done, the launcher ends the
 *  job with @p status, or sees each PE leave with 0. Does nothing without such a launcher. @p met:
 *  all PEs have joined the job */
void rb_pmix_end(bool met, int status);
/** Last call of any other process: leaves in order, or else ends the job. @p closed: the program
 *  has left the job in order */
void rb_pmix_leave(bool closed, int status);

#endif /* RB_JOB_PMIX_H */
