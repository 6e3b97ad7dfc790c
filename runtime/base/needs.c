/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/needs.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/error.h"

int
rb_needs_proc(void)
{
	if (access("/proc/self/status", R_OK) == 0)
		return 0;
	return rb_fail(-ENOENT,
		       "/proc is not mounted here, by which a PE finds its threads and its "
		       "neighbours' memory: mount -t proc proc /proc");
}

int
rb_needs_peers(void)
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
rb_needs_sys(void)
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
