/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_HARDWARE_H
#define SIM_HARDWARE_H

/**
 * @file
 * Parameters of adapters and hosts, and the source of each (hardware.def). They are built in, or
 * read from a file of lines
 *
 *     base gen3x8
 *     cable_m 3            # a comment
 *
 * where "base" names the built-in set that has the other values.
 */

#include <stdio.h>

#include "params.h"

struct hardware {
#define HARDWARE(name, unit, value, source) double name;
#include "hardware.def"
#undef HARDWARE
};

/** Fill @p ret with the built-in set @p name, or read the file of that name. @return 0, or -errno
 *  after a line on stderr */
int hardware_load(struct hardware *ret, const char *name);

/** Write it as a file that hardware_load() reads. */
void hardware_print(FILE *f, const struct hardware *h);

/** Parameters of a run of Ringbell's rules on this hardware. All bytes go by stores of cores. */
void hardware_apply(const struct hardware *h, struct sim_params *p);

#endif /* SIM_HARDWARE_H */
