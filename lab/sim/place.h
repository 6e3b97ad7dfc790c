/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_PLACE_H
#define SIM_PLACE_H

/** @file Which PE should be where on the ring, by the bytes that the PEs exchange. */

#include "trace.h"

enum {
	PLACE_PES = 256,
};

struct place {
	unsigned int n;	     /**< PEs, one at each place of the ring */
	uint64_t *bytes;     /**< n x n: from the first PE to the second */
	unsigned int *order; /**< the PE at each place */
	uint64_t busiest[2]; /**< bytes over the busiest link: natural order, proposed one */
	uint64_t carried[2]; /**< bytes times hops */
};

/** Read a trace, or lines "SOURCE TARGET BYTES". @return 0, or -errno after a line on stderr */
int place_load(struct place *ret, const char *name);
/** The same of a trace that is loaded. @return 0 or -ENOMEM */
int place_of_trace(struct place *ret, const struct trace *t);
void place_free(struct place *p);

/** Find an order: the lowest load of the busiest link, then the fewest bytes times hops. The same
 *  input gives the same order. */
void place_search(struct place *p);

#endif /* SIM_PLACE_H */
