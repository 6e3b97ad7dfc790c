/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef FAULT_H
#define FAULT_H

/**
 * @file
 * --fault: cables that are cut and hosts that are lost at given times of a job, so that people see
 * what their program does on a broken ring. The cables are those that oshrun made.
 */

#include <stddef.h>
#include <stdint.h>

struct job;
struct options;

/** Read "cut 1-2 at 0.5s; kill host 3 at 1s"; the option may be given again.
 *  @return 0, or -EINVAL with the reason in @p why */
int fault_read(const char *text, char *why, size_t size);

/** Once all options are known: has the job these cables, hosts and PEs? As fault_read(). */
int fault_check(const struct options *opt, char *why, size_t size);

/** Keep the cables; before ring_close(). @return 0 or -errno */
int fault_open(const struct job *job);

/** All PEs have been started. */
void fault_started(void);

/** Do what is due. */
void fault_act(struct job *job);

/** When the next one is due, ms as of now_ms(); 0: none, or not known yet. */
int64_t fault_due(const struct job *job);

/** The job is over: name those that it did not live to see. */
void fault_left(void);

#endif /* FAULT_H */
