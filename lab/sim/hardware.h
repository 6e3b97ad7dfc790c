/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_HARDWARE_H
#define SIM_HARDWARE_H

/**
 * @file
 * Parameters of adapters and hosts, with the range that is likely and the source of each
 * (hardware.def). They are built in, or read from a file of lines
 *
 *     base gen3x8
 *     mps 256 128..512     # a comment
 *
 * where "base" names the built-in set that has the other values, and the range may be left out.
 */

#include <stdint.h>
#include <stdio.h>

#include "params.h"

struct hardware {
#define HARDWARE(name, unit, value, low, high, source) double name;
#include "hardware.def"
#undef HARDWARE
};

/** A set of values and their ranges. */
struct hardware_set {
	struct hardware value, low, high;
};

/** Fill @p ret with the built-in set @p name, or read the file of that name. @return 0, or -errno
 *  after a line on stderr */
int hardware_load(struct hardware_set *ret, const char *name);

/** Values by lot within their ranges; seed 0: the values themselves. */
struct hardware hardware_draw(const struct hardware_set *set, uint64_t seed);

/** Write a set as a file that hardware_load() reads. */
void hardware_print(FILE *f, const struct hardware_set *set);

/** Names of the built-in sets, one a call; NULL after the last. */
const char *hardware_name(unsigned int i);

/** Bytes of payload a second in packets of @p payload bytes: the wire, or the credits. */
double hardware_rate(const struct hardware *h, double payload);
/** ps from a store until the other host's CPU sees it, without its time on the wire. */
uint64_t hardware_latency(const struct hardware *h);
/** Bytes a second that a channel of the engine reads from memory. */
double hardware_dma_rate(const struct hardware *h);
/** Bytes a second that a core stores through a window. */
double hardware_store_rate(const struct hardware *h);

/** Parameters of a run of Ringbell's rules on this hardware. All bytes go by stores of cores. */
void hardware_apply(const struct hardware *h, struct sim_params *p);

#endif /* SIM_HARDWARE_H */
