/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef WIRING_H
#define WIRING_H

/**
 * @file
 * Which cables join emulated or simulated hosts, in words: `--wiring` of oshrun and ringbell-sim.
 */

#include <stddef.h>

#include "base/graph.h"

#define WIRING_WORDS "ring|chain|double|mesh|torus=XxY|\"0-1 1-2 ...\""

/**
 * One of @ref WIRING_WORDS; the last one names each cable by its two hosts, which take their next
 * free ports for it. In rings port 0 is to the left and port 1 to the right; ports 2 and 3 are
 * those of the second ring of "double", or of the column of a torus.
 * @return 0 and @p g, checked and set, or -EINVAL; @p why then says what is wrong, and what to do
 */
int wiring_read(struct rb_graph *g, const char *words, unsigned int hosts, char *why, size_t size);

#endif /* WIRING_H */
