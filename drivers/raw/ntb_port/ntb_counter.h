/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_COUNTER_H
#define NTB_COUNTER_H

#include <stdint.h>

/* A counter of a driver, as xstats show it. */
struct ntb_counter {
	const char *name;
	uint64_t value;
};

#endif /* NTB_COUNTER_H */
