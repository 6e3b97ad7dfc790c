/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <stdlib.h>

#include <numa.h>

#include "bind.h"

static int
compare_cpus(const void *a, const void *b)
{
	const struct bind_cpu *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* The first of the CPUs that share a core names it. */
static int
core_of(int cpu)
{
	char path[96];
	int core = cpu;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
		 cpu);
	f = fopen(path, "re");
	if (f == NULL)
		return cpu;
	if (fscanf(f, "%d", &core) != 1)
		core = cpu;
	fclose(f);
	return core;
}

void
bind_look(struct bind_machine *m)
{
	bool nodes = numa_available() >= 0;
	cpu_set_t set;
	int i;

	m->n = 0;
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			m->cpu[m->n++] =
				(struct bind_cpu){i, core_of(i), nodes ? numa_node_of_cpu(i) : 0};
}

/* Cores in the order of nodes: first[i] is the first CPU of core i, first[cores] the end. */
static int
list_cores(const struct bind_machine *m, int *first)
{
	int cores = 0;
	int i;

	for (i = 0; i < m->n; i++)
		if (i == 0 || m->cpu[i].core != m->cpu[i - 1].core ||
		    m->cpu[i].node != m->cpu[i - 1].node)
			first[cores++] = i;
	first[cores] = m->n;
	return cores;
}

static void
add_cpus(const struct bind_machine *m, int from, int to, cpu_set_t *set)
{
	int i;

	CPU_ZERO(set);
	for (i = from; i < to; i++)
		CPU_SET(m->cpu[i].id, set);
}

/* Each unit gets all CPUs of a node; a node gets units in proportion to its CPUs. */
static void
by_node(const struct bind_machine *m, int units, cpu_set_t *set)
{
	int from;
	int to;
	int u;

	for (u = 0; u < units; u++) {
		int node = m->cpu[u * m->n / units].node;

		for (from = 0; m->cpu[from].node != node; from++)
			;
		for (to = from; to < m->n && m->cpu[to].node == node; to++)
			;
		add_cpus(m, from, to, &set[u]);
	}
}

bool
bind_plan(const struct bind_machine *machine, enum bind_to to, int units, cpu_set_t *set,
	  int *cores)
{
	static struct bind_machine m;
	int first[BIND_MAX_CPUS + 1];
	int share;
	int u;

	m = *machine;
	qsort(m.cpu, (size_t)m.n, sizeof(m.cpu[0]), compare_cpus);
	*cores = list_cores(&m, first);
	if (to == BIND_NONE || m.n == 0)
		return false;
	if (to == BIND_NUMA) {
		by_node(&m, units, set);
		return true;
	}
	if (units > *cores)
		return false;
	share = to == BIND_CORE ? 1 : *cores / units;
	for (u = 0; u < units; u++)
		add_cpus(&m, first[u * share], first[(u + 1) * share], &set[u]);
	return true;
}

void
bind_spare(const struct bind_machine *m, const cpu_set_t *set, int units, cpu_set_t *spare)
{
	int i;
	int u;

	add_cpus(m, 0, m->n, spare);
	for (u = 0; u < units; u++)
		for (i = 0; i < m->n; i++)
			if (CPU_ISSET(m->cpu[i].id, &set[u]))
				CPU_CLR(m->cpu[i].id, spare);
}

void
bind_text(const cpu_set_t *set, char *text, unsigned long size)
{
	unsigned long at = 0;
	int from;
	int to;

	text[0] = '\0';
	for (from = 0; from < CPU_SETSIZE && at < size; from = to + 1) {
		to = from;
		if (!CPU_ISSET(from, set))
			continue;
		while (to + 1 < CPU_SETSIZE && CPU_ISSET(to + 1, set))
			to++;
		at += (unsigned long)snprintf(text + at, size - at, to > from ? "%s%d-%d" : "%s%d",
					      at > 0 ? "," : "", from, to);
	}
}
