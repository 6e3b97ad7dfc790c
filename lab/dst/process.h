/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_PROCESS_H
#define LAB_DST_PROCESS_H

/**
 * @file
 * Processes, and the signals that they send each other. All return what the kernel would.
 */

#include <stdbool.h>

long dst_fork(long flags, long stack, long ptid, long ctid, void *context);
long dst_exec(long nr, const long *a);
long dst_wait_child(long nr, const long *a);
long dst_kill(long nr, const long *a);
long dst_sigaction(const long *a);
long dst_sigmask(const long *a, void *context);
/** This thread takes the signals that have come. */
void dst_deliver(void);
/** Has this thread run a handler since the last call of this? */
bool dst_interrupted(void);

#endif /* LAB_DST_PROCESS_H */
