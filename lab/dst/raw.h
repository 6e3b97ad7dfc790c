/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_RAW_H
#define LAB_DST_RAW_H

/**
 * @file
 * System calls that are not trapped.
 */

#include <stdint.h>
#include <sys/syscall.h>

/** All arguments are as wide as a register. @return as the kernel's: negative errno */
long dst_raw(long nr, long a, long b, long c, long d, long e, long f);
/** Leaves a signal handler. */
void dst_restore(void);
/** The code of both, which the kernel lets through. */
extern const char dst_raw_begin[], dst_raw_end[];

/** A signal's action as the kernel has it. */
struct raw_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

#define RAW0(nr) dst_raw(nr, 0, 0, 0, 0, 0, 0)
#define RAW1(nr, a) dst_raw(nr, (long)(a), 0, 0, 0, 0, 0)
#define RAW2(nr, a, b) dst_raw(nr, (long)(a), (long)(b), 0, 0, 0, 0)
#define RAW3(nr, a, b, c) dst_raw(nr, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define RAW4(nr, a, b, c, d) dst_raw(nr, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define RAW6(nr, a, b, c, d, e, f) \
	dst_raw(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif /* LAB_DST_RAW_H */
