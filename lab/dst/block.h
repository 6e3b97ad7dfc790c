/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_BLOCK_H
#define LAB_DST_BLOCK_H

/**
 * @file
 * Calls that may block: each is tried without blocking, and until it can be done other threads
 * run. All return what the kernel would.
 */

#include <stdbool.h>
#include <stdint.h>

long dst_futex(const long *a);
long dst_futex_waitv(const long *a);
long dst_sleep(bool absolute, const long *a);
long dst_poll(const long *a, uint64_t timeout_ns);
long dst_select(const long *a, bool timeval);
long dst_epoll(const long *a);
/** @p nr reads from or writes to its first argument when poll() says one of @p events. */
long dst_io(long nr, const long *a, short events, bool dont_wait);
/** flock() and fcntl(). */
long dst_lock(long nr, const long *a);
long dst_timer_set(const long *a);
void dst_timer_closed(int fd);

#endif /* LAB_DST_BLOCK_H */
