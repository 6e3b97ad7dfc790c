/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/alone.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/launcher.h"
#include "base/rank.h"

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

int
rb_alone_check(void)
{
	size_t i;

	if (job_known())
		return 0;
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
