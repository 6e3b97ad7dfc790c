/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_STUDY_H
#define SIM_STUDY_H

/** @file What a program of a trace would take, and what would make it faster. */

#include <stdio.h>

#include "params.h"

struct study {
	const char *file;
	const char *json;   /**< NULL: a table */
	unsigned int hosts; /**< 0: as many as PEs */
	double cpu;	    /**< 0: 1 */
	bool own_ring;	    /**< on the ring where the trace was made */
};

/** @return 0, or -errno after a line on stderr */
int study_replay(FILE *f, const struct study *study, const struct sim_params *p);
int study_place(FILE *f, const struct study *study);

#endif /* SIM_STUDY_H */
