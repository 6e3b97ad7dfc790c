/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

/**
 * @file
 * The program of a trace on another ring: its operations by the rules of the runtime, and between
 * them the time that it took for computation. match.h says what its waits were for.
 */

#include "params.h"
#include "trace.h"

struct replay {
	double cpu;   /**< how many times faster the processors compute */
	bool delayed; /**< waits, gets and atomics also take what busy CPUs added in the trace */
};

struct replay_result {
	double us;
	double spent[RB_MAX_HOSTS][SIM_KINDS]; /**< us by PE and kind of operation */
	double busiest; /**< share of the time that the busiest link was sending */
};

/** Host k has PE k; hosts beyond the PEs only pass frames on. @return as sim_run() */
int replay_run(const struct trace *t, const struct sim_params *p, const struct replay *r,
	       struct replay_result *ret, const char **what);

/** The ring on which the trace was made: windows in memory, and the speed of its puts. */
void replay_own_ring(const struct trace *t, struct sim_params *p);

#endif /* SIM_REPLAY_H */
