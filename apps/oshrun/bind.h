/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef BIND_H
#define BIND_H

/**
 * @file
 * Which CPUs each PE gets: a pure function of the machine and the processes that share it. The lead
 * PE of a host on a ring has a service lcore, which gets a share of its own if there are enough
 * cores, else the share of its lead.
 */

#include <sched.h>
#include <stdbool.h>

enum bind_to {
	BIND_AUTO, /* equal shares of all cores where there is one for each, else none */
	BIND_CORE,
	BIND_NUMA,
	BIND_NONE,
};

enum {
	BIND_MAX_CPUS = CPU_SETSIZE,
	BIND_MAX_UNITS = 1024 + 64, /* PEs and service lcores */
};

struct bind_cpu {
	int id;
	int core; /* the same for CPUs that are threads of one core */
	int node;
};

struct bind_machine {
	int n;
	struct bind_cpu cpu[BIND_MAX_CPUS];
};

/* The CPUs that this process may use. */
void bind_look(struct bind_machine *m);

/**
 * Share the machine out to @p units units, in order.
 * @param cores  cores of the machine, in any case
 * @return true: @p set is filled; false: they stay unbound (BIND_NONE, or BIND_AUTO on a crowded
 *         machine), or there are too few cores for BIND_CORE
 */
bool bind_plan(const struct bind_machine *m, enum bind_to to, int units, cpu_set_t *set,
	       int *cores);

/* The CPUs that none of the @p units got. */
void bind_spare(const struct bind_machine *m, const cpu_set_t *set, int units, cpu_set_t *spare);

/* "0-3,8" of a set. */
void bind_text(const cpu_set_t *set, char *text, unsigned long size);

#endif /* BIND_H */
