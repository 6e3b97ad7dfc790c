/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef WAIT_H
#define WAIT_H

/** @file Waiting for the other end, always with a bound. */

#include <stdbool.h>
#include <stdint.h>

/** One wait. */
struct pause {
	unsigned int limit_ms; /**< without progress */
	unsigned long polls;
	uint64_t end; /**< nanoseconds of the clock; 0: not known yet */
};

uint64_t clock_ns(void);

/** A millisecond, between two looks at something slow. */
void nap(void);

/** Once more? */
bool pause_once(struct pause *p);

#endif /* WAIT_H */
