/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_EXPERIMENTS_H
#define SIM_EXPERIMENTS_H

/** @file The experiments of the papers: on their systems, and on Ringbell with the same hardware.
 */

#include <stdio.h>

#include "hardware.h"

/** Write the figures of the papers' systems as JSON, each on its own hardware, with parameters
 * drawn by @p seed; 0: their values. @return 0, or -errno after a line on stderr */
int experiments_papers(FILE *f, uint64_t seed);

/** Write the times of the papers' system and of Ringbell as JSON, both on @p set. @return as above
 */
int experiments_compare(FILE *f, const struct hardware_set *set, uint64_t seed);

#endif /* SIM_EXPERIMENTS_H */
