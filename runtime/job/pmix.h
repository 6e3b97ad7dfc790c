/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_PMIX_H
#define RB_JOB_PMIX_H

/**
 * @file
 * The PMIx server of a launcher such as mpirun or srun. libpmix is loaded when a job needs it, so
 * that a program neither links it nor misses it elsewhere. Built without its header the calls say
 * so.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Join the job. 0 or -errno, words. */
int rb_pmix_join(int *rank, int *size);
/** Number of this PE's node in the allocation; false: the server does not say. */
bool rb_pmix_node(uint32_t *node);

/** Every PE gives @p len bytes under a name of its own; returns when all have. 0 or -errno, words.
 */
int rb_pmix_share(const char *key, void *mine, size_t len);
/** What PE @p rank gave. 0 or -errno, words. */
int rb_pmix_get(const char *key, int rank, void *bytes, size_t len);

/** The program has left the job in order (true), or is part of it. */
void rb_pmix_closed(bool closed);
/** Last act of a process in a job that a PE ended: once all are done, the launcher ends the job
 * with this one's status, or it sees each PE leave with 0. Nothing where there is no such launcher.
 */
void rb_pmix_end(void);
/** Last act of any other process: in order, or else the job ends. */
void rb_pmix_leave(void);

#endif /* RB_JOB_PMIX_H */
