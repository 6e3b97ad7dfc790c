/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_ERROR_H
#define SHMEMI_ERROR_H

#include <stddef.h>
#include <stdint.h>

/** The call that an error of this thread is about, where that is not the one it is in; 0: it is. */
extern _Thread_local uintptr_t shmemi_place __attribute__((visibility("hidden")));

/** Misuse that cannot be gone on from: one line with call, this PE, the argument and its value, and
 *  where the program calls, then the end of the job with a non-zero status. */
void shmemi_fatal(const char *call, const char *fmt, ...)
	__attribute__((noreturn, cold, format(printf, 2, 3)));
/** The same for a negative errno that the runtime returned for a remote address. */
void shmemi_fail(const char *call, int err, int pe, const void *addr, size_t len)
	__attribute__((noreturn, cold));

/** A call where the library is not up. */
void shmemi_not_up(const char *call) __attribute__((noreturn, cold));

#endif /* SHMEMI_ERROR_H */
