/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_CPU_H
#define RB_HOST_CPU_H

/**
 * @file
 * Waits of PEs that share CPUs, for others on their host. Who lets a PE run that needs this CPU and
 * has not come yet shortens the wait; who lets one run that waits for the same event makes it
 * longer by two switches. So a waiter asks for each PE that is missing whether it was last seen on
 * this CPU, and yields if one was; else it looks on, since what it waits for runs elsewhere.
 */

#include <stdbool.h>

/** Is it worth asking? Not where waiters do not outnumber CPUs, nor where other hosts share them.
 */
bool rb_cpu_shared(void);
/** Was PE @p pe last seen on the calling thread's CPU? A hint. @p pe is of this host */
bool rb_cpu_here(int pe);
/** Let the others know where this PE runs, before it waits for them. */
void rb_cpu_tell(void);

#endif /* RB_HOST_CPU_H */
