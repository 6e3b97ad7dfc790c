/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "oshrun.h"

bool
place_is_here(const struct options *opt, int pe)
{
	return opt->host_id < 0 || opt->host_of[pe] == opt->host_id;
}

/* Host by host, and in each the lead with its service lcore first: neighbours in the list are
 * neighbours on the machine. @return how many */
static int
list_units(struct job *job, bool service, cpu_set_t **whose)
{
	const struct options *opt = job->opt;
	int units = 0, pe, h;

	for (h = 0; h < opt->hosts; h++) {
		bool lead = service;

		for (pe = 0; pe < opt->npes; pe++) {
			if (opt->host_of[pe] != h || !place_is_here(opt, pe))
				continue;
			whose[units++] = &job->cpus[pe];
			if (lead)
				whose[units++] = &job->service[h];
			lead = false;
		}
	}
	return units;
}

/*
 * There is a core for each PE, but not for the service lcores too. A service lcore sleeps while its
 * lead waits. While the lead computes, the lead has to share its core: the scheduler might place
 * the service lcore on the CPU of the PE that waits for its answer. So each service lcore gets its
 * lead's cores, and those that no PE has.
 */
static void
service_beside_lead(struct job *job, const struct bind_machine *machine, const cpu_set_t *set,
		    int units)
{
	const struct options *opt = job->opt;
	cpu_set_t spare;
	int pe, h;

	bind_spare(machine, set, units, &spare);
	for (h = 0; h < opt->hosts; h++)
		job->service[h] = spare;
	for (pe = opt->npes - 1; pe >= 0; pe--)
		if (place_is_here(opt, pe)) {
			h = opt->host_of[pe];
			CPU_OR(&job->service[h], &spare, &job->cpus[pe]);
		}
}

int
place_bind(struct job *job)
{
	static struct bind_machine machine;
	static cpu_set_t set[BIND_MAX_UNITS];
	const struct options *opt = job->opt;
	static cpu_set_t *whose[BIND_MAX_UNITS];
	int units = list_units(job, opt->hosts > 1, whose), all = units, i;

	/* which of the CPUs are the others' is not known */
	if (opt->cpus > 0 && opt->bind == BIND_AUTO)
		return 0;
	bind_look(&machine);
	job->bound = bind_plan(&machine, opt->bind, units, set, &job->cores);
	if (!job->bound && opt->hosts > 1) {
		units = list_units(job, false, whose);
		job->bound = bind_plan(&machine, opt->bind, units, set, &job->cores);
	}
	if (!job->bound) {
		if (opt->bind != BIND_CORE)
			return 0;
		cli_say("--bind-to core: %d PEs, but only %d cores: use numa or none", units,
			job->cores);
		return -ENOSPC;
	}
	job->n_cpus = machine.n;
	for (i = 0; i < units; i++)
		*whose[i] = set[i];
	if (units < all)
		service_beside_lead(job, &machine, set, units);
	return 0;
}

void
place_set_env(const struct job *job, const struct pe *pe)
{
	const struct options *opt = job->opt;
	char text[4096];

	unsetenv("RINGBELL_CPUS");
	unsetenv("RINGBELL_SERVICE_CPUS");
	setenv("RINGBELL_MAP", opt->map, 1);
	if (opt->report)
		setenv("RINGBELL_REPORT", "1", 1);
	snprintf(text, sizeof(text), "%d", opt->cpus > 0 ? opt->cpus : job->n_cpus);
	if (opt->cpus > 0 || job->bound)
		setenv("RINGBELL_CPUS", text, 1);
	if (job->bound && opt->hosts > 1) {
		bind_text(&job->service[pe->host], text, sizeof(text));
		setenv("RINGBELL_SERVICE_CPUS", text, 1);
	}
}

int
place_enter(const struct job *job, const struct pe *pe)
{
	if (!job->bound)
		return 0;
	return sched_setaffinity(0, sizeof(cpu_set_t), &job->cpus[pe->id]) == 0 ? 0 : -errno;
}
