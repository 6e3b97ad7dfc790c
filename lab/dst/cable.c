/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plxm.h"
#include "raw.h"
#include "run.h"

/* A thread of the watcher, which handles cables of the job while nobody has the token. */

static const struct {
	enum plxm_fault fault;
	uint64_t arg;
	bool at_far_end; /* seen from the host that is named first */
} faults[] = {
	[DST_CUT] = {PLXM_FAULT_CABLE, 1, false},
	[DST_PLUG] = {PLXM_FAULT_CABLE, 0, false},
	[DST_FLAP] = {PLXM_FAULT_RETRAIN, 0, false},
	[DST_MUTE] = {PLXM_FAULT_MUTE, 1, false},
	[DST_DEAF] = {PLXM_FAULT_DB_DROP, UINT32_MAX, true},
	[DST_HEAR] = {PLXM_FAULT_DB_DROP, 0, true},
};

/* Cables of oshrun, which makes them as memory without a name in the file system, and the file of
 * claims behind them. Opened once: a fault is tried every few steps until it can be made. */
static int cable[DST_HOSTS];
static int n_cables; /* files: one for each cable, or one for all */
static bool have_all;

static void
open_cables(void)
{
	char path[32], target[64] = "";
	int number;

	n_cables = 0;
	for (int fd = 0; fd < DST_FD_MAX; fd++) {
		snprintf(path, sizeof(path), "/proc/" DST_JOB "/fd/%d", fd);
		if (readlink(path, target, sizeof(target) - 1) < 0)
			continue;
		have_all |= strncmp(target, "/memfd:ringbell-claims", 22) == 0;
		if (sscanf(target, "/memfd:ringbell-cable-%d", &number) != 1)
			continue;
		n_cables++;
		if (number >= 0 && number < DST_HOSTS && cable[number] == 0)
			cable[number] = open(path, O_RDWR | O_CLOEXEC);
	}
}

/* Cables go from the first port of a host to the second one of the next. */
static int
handle_cable(const struct dst_fault *f, int hosts)
{
	bool turned = f->b != (f->a + 1) % hosts;
	unsigned int k = (unsigned int)(turned ? f->b : f->a);
	uint64_t end = turned != faults[f->verb].at_far_end;

	if (!have_all)
		open_cables();
	if (n_cables != hosts && n_cables != 1)
		return -ENODATA;
	return plxm_ring_fault(cable[n_cables == 1 ? 0 : k],
			       n_cables == 1 ? (unsigned int)hosts : 0, n_cables == 1 ? k : 0,
			       faults[f->verb].fault, end << 32 | faults[f->verb].arg);
}

static void *
watch_cables(void *arg)
{
	struct seg *seg = DST_AT;

	for (;;) {
		while (__atomic_load_n(&seg->cable_go, __ATOMIC_ACQUIRE) == 0)
			RAW6(SYS_futex, &seg->cable_go, FUTEX_WAIT, 0, 0, 0, 0);
		seg->cable_ret = handle_cable(&seg->fault[seg->next_fault], *(int *)arg);
		__atomic_store_n(&seg->cable_go, 0, __ATOMIC_RELEASE);
		RAW6(SYS_futex, &seg->cable_go, FUTEX_WAKE, 1, 0, 0, 0);
	}
	return NULL;
}

void
dst_cables_watch(int *hosts)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, watch_cables, hosts) == 0)
		pthread_detach(thread);
}
