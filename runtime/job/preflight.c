/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/preflight.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/claim.h"
#include "base/env.h"
#include "base/error.h"
#include "base/file.h"
#include "base/limit.h"
#include "base/state.h"
#include "base/thread.h"
#include "job/bootstrap.h"
#include "job/exchange.h"
#include "job/pmix.h"

/*
 * Under a launcher without PMIx, or whose PMIx did not reach this process, each of N processes
 * would be "PE 0 of 1", and the program would run N times with wrong results. The variables in
 * which launchers give the number of their processes show this case. The list leaves out variables
 * that are also set where a program is started only once, such as SLURM_NTASKS in a batch script.
 */
static const struct {
	const char *size, *who;
} launchers[] = {
	{"OMPI_COMM_WORLD_SIZE", "mpirun of Open MPI"},
	{"SLURM_STEP_NUM_TASKS", "srun"},
	{"PMI_SIZE", "an mpiexec of MPICH's kind"},
	{"MV2_COMM_WORLD_SIZE", "mpirun of MVAPICH"},
	{"JSM_NAMESPACE_SIZE", "jsrun"},
};

/* Is the job known? Then oshrun has described it, or a user who wants each process to be a job. The
 * child of a PE has the variables of the PE's launcher, and is a job of its own. */
static bool
job_known(void)
{
	return getenv("RINGBELL_PE") != NULL || getenv("RINGBELL_PES") != NULL ||
	       rb_claim_rank_taken() || rb_pmix_here();
}

static bool began_as_pe;

/* A program may change its environment, and then it would be a job of one PE. */
__attribute__((constructor)) static void
look_for_job(void)
{
	began_as_pe = getenv("RINGBELL_PE") != NULL;
}

static int
check_launcher(void)
{
	size_t i;

	if (job_known())
		return 0;
	if (began_as_pe)
		return rb_fail(-EPROTO, "the program has removed the variables of its job "
					"(RINGBELL_...) from the environment, by which it would "
					"have become a PE: call shmem_init before that");
	for (i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		const char *text = getenv(launchers[i].size);
		long size = text == NULL ? 0 : strtol(text, NULL, 10);

		if (size > 1)
			return rb_fail(-EPROTO,
				       "started by %s with %ld processes (%s), but no PMIx reaches "
				       "this one, so each would be a job of one PE: use oshrun, "
				       "srun --mpi=pmix or an mpirun with PMIx; RINGBELL_PES=1 if "
				       "each is to run by itself",
				       launchers[i].who, size, launchers[i].size);
	}
	return 0;
}

static int
check_proc(void)
{
	if (rb_threads() > 0)
		return 0;
	if (errno != ENOENT)
		return rb_fail(-errno, "cannot read /proc/self/task: %s%s", strerror(errno),
			       rb_limit_words());
	return rb_fail(-ENOENT,
		       "/proc is not mounted here, by which a PE finds its threads and its "
		       "neighbours' memory: mount -t proc proc /proc");
}

int
rb_preflight_peers(void)
{
	if (prctl(PR_GET_DUMPABLE) == 1 || geteuid() == 0)
		return 0;
	return rb_fail(-EACCES,
		       "this program may be run but not read, or has changed its user, so the "
		       "kernel does not let the PEs of a machine map each other's memory: "
		       "let its users read it (chmod a+r)");
}

/* The EAL detects a CPU by its topology files; without them it finds no CPU. */
int
rb_preflight_sys(void)
{
	char path[80];
	cpu_set_t set;
	int i;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 0;
	for (i = 0; i < CPU_SETSIZE; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/core_id", i);
		if (CPU_ISSET(i, &set) && access(path, F_OK) == 0)
			return 0;
	}
	return rb_fail(-ENOENT, "/sys is not mounted here, in which DPDK finds the CPUs: "
				"mount -t sysfs sysfs /sys");
}

/* Who brings the PEs together, and that. */
static int
meet_others(const struct rb_exchange *given)
{
	if (given != NULL && getenv("RINGBELL_PE") != NULL && !rb.env.inherited)
		return rb_fail(-EPROTO,
			       "oshrun has started this process as PE %d of %d of its own job: "
			       "call shmem_init",
			       rb.env.pe, rb.env.pes);
	rb_exchange = given != NULL || !rb_pmix_here() ? given : &rb_exchange_pmix;
	return rb_exchange == NULL ? 0 : rb_bootstrap(&rb.env);
}

int
rb_preflight(const struct rb_exchange *given)
{
	int ret = given != NULL ? 0 : check_launcher();

	rb_file_standard(); /* before anything is opened and kept */
	if (ret == 0)
		ret = check_proc();
	if (ret < 0)
		return ret;
	ret = rb_env_read(&rb.env);
	rb_env_keep(&rb.env);
	if (ret == 0)
		ret = rb_claim(rb.env.claim.fd, rb.env.pe, rb.env.pes);
	rb_file_close(&rb.env.claim);
	return ret == 0 ? meet_others(given) : ret;
}
