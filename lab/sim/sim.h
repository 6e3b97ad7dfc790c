/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_H
#define SIM_H

/**
 * @file
 * A graph of hosts in one process: links of a bandwidth and a latency, a service lcore and a
 * program on each host, and between them the rings, slots, credits, acknowledgements and barriers
 * of the runtime, by the rules of base/rules.h and base/graph.h.
 */

#include "params.h"

/**
 * Let all hosts run @p program to its end.
 * @return 0; -EDEADLK where no step is possible any more; -EPROTO where a rule was broken, which
 *         @p what then names; -EINVAL for parameters that do not make a ring; -ENOMEM
 */
int sim_run(const struct sim_params *p, const struct sim_program *program, struct sim_result *ret,
	    const char **what);

/** The graph of p->wiring. @return 0; -EINVAL where there is none for p->hosts: @p what then says
 * why
 */
int sim_wire(const struct sim_params *p, struct rb_graph *g, const char **what);

/** Gen3 x8 adapters, a core for each thread. */
void sim_defaults(struct sim_params *p);

#endif /* SIM_H */
