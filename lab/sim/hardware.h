/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_HARDWARE_H
#define SIM_HARDWARE_H

/**
 * @file
 * Parameters of adapters and hosts, and the source of each (hardware.def).
 */

#include <stdbool.h>
#include <stdio.h>

#include "params.h"

struct hardware {
#define HARDWARE(name, unit, gen2x8, gen3x8, gen4x16, gbe10, gbe100, pool, source) double name;
#include "hardware.def"
#undef HARDWARE
};

/** Fill in those of the set: gen2x8, gen3x8, gen4x16, 10gbe, 100gbe or pool. False: no such set. */
bool hardware_find(struct hardware *ret, const char *set);

/** A line for each parameter, with its source. */
void hardware_print(FILE *f, const struct hardware *h);

/** Parameters of a run of Ringbell's rules on this hardware. All bytes go by stores of cores. */
void hardware_apply(const struct hardware *h, struct sim_params *p);

#endif /* SIM_HARDWARE_H */
