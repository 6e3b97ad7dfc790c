/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEM_HANG_H
#define SHMEM_HANG_H

/**
 * @file
 * Checked mode: detects collective calls that hang. Each PE publishes in symmetric memory which
 * collective it is in. When a PE has been in one for long, a thread of it reads what the others
 * have published.
 */

#include <stddef.h>

/** Its symmetric words, and in checked mode the thread. @return 0 or a negative errno, with words
 */
int shmemi_hang_open(const char *call);
/** After the first barrier: end the job unless all PEs are in checked mode, or none. */
void shmemi_hang_alike(const char *call);
void shmemi_hang_close(void);
size_t shmemi_hang_bytes(void); /**< what it takes from the heap */

/** Around what waits for other PEs; checked mode only. They nest. */
void shmemi_hang_enter(const char *call) __attribute__((cold));
void shmemi_hang_leave(void) __attribute__((cold));

#endif /* SHMEM_HANG_H */
