/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_PREDICT_H
#define SIM_PREDICT_H

/** @file What the program of a trace would take on another ring. */

#include <stdio.h>

#include "params.h"

struct predict {
	const char *file;
	const char *json;   /**< NULL: a table */
	unsigned int hosts; /**< 0: as many as PEs */
	double cpu;	    /**< 0: 1 */
	bool own_ring;	    /**< on the ring where the trace was made */
};

/** @return 0, or -errno after a line on stderr */
int predict_trace(FILE *f, const struct predict *predict, const struct sim_params *p);

#endif /* SIM_PREDICT_H */
