/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_CPU_H
#define RB_HOST_CPU_H

/**
 * @file
 * Waits for other PEs of the host, where PEs share CPUs. Yielding to a PE that has not arrived yet
 * shortens the wait. Yielding to a PE that waits for the same event costs two context switches for
 * nothing. So a waiter checks for each missing PE whether that PE ran last on this CPU. If one did,
 * the waiter yields; else it goes on polling, because the missing PEs run on other CPUs.
 */

#include <stdbool.h>

/** Do PEs of this host alone share the CPUs? Else the checks below are not worth their time.
 */
bool rb_cpu_shared(void);
/** Did PE @p pe, of this host, run last on the calling thread's CPU? A hint. */
bool rb_cpu_here(int pe);
/** Store this PE's CPU for the others, before this PE waits for them. */
void rb_cpu_publish(void);

#endif /* RB_HOST_CPU_H */
