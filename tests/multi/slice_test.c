/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Time slices of the service lcore: short ones where it shares the CPU of a PE that has one to
 * itself otherwise, those of the PE elsewhere. Its nice value and policy are the PE's.
 */
#include <dirent.h>
#include <sched.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

enum {
	SHORT_NS = 100 * 1000,
	FIRST_RUN_S = 20,
	SKIPPED = 77,
};

struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static struct attr
attr_of(pid_t tid)
{
	struct attr a = {.size = sizeof(a)};

	if (syscall(SYS_sched_getattr, tid, &a, sizeof(a), 0) != 0) {
		perror("sched_getattr");
		exit(1);
	}
	return a;
}

/* 0: no such thread. */
static pid_t
service_lcore(void)
{
	char name[64], path[sizeof("/proc/self/task//comm") + 256];
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	pid_t found = 0;
	FILE *f;

	while (tasks != NULL && found == 0 && (entry = readdir(tasks)) != NULL) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		f = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (f == NULL)
			continue;
		if (fgets(name, sizeof(name), f) != NULL &&
		    (strstr(name, "worker") != NULL || strstr(name, "lcore-") != NULL))
			found = (pid_t)atoi(entry->d_name);
		fclose(f);
	}
	if (tasks != NULL)
		closedir(tasks);
	return found;
}

/* The lcore asks for its slices when it first runs, which may be after shmem_init() here. */
static struct attr
attr_of_running(pid_t tid, uint64_t wanted)
{
	time_t end = time(NULL) + FIRST_RUN_S;
	struct attr a = attr_of(tid);

	while (a.runtime != wanted && time(NULL) < end) {
		sched_yield();
		a = attr_of(tid);
	}
	return a;
}

int
main(int argc, char **argv)
{
	int is_short = argc > 1 && strcmp(argv[1], "short") == 0;
	struct attr pe, service;
	uint64_t wanted;
	pid_t tid;
	int ok = 1;

	shmem_init();
	pe = attr_of(0);
	if (pe.runtime == 0 || get_nprocs() < 2) {
		printf("skipped: slices are from Linux 6.12 on, and two CPUs are needed\n");
		return SKIPPED;
	}
	tid = service_lcore();
	if (tid == 0) {
		printf("PE %d has no thread named worker or lcore\n", shmem_my_pe());
		return 1;
	}
	wanted = is_short ? (uint64_t)SHORT_NS : pe.runtime;
	service = attr_of_running(tid, wanted);
	ok = service.policy == pe.policy && service.nice == pe.nice && service.runtime == wanted;
	if (!ok)
		printf("PE %d: slice %ju ns, policy %u, nice %d; service lcore %ju ns, %u, %d\n",
		       shmem_my_pe(), (uintmax_t)pe.runtime, pe.policy, pe.nice,
		       (uintmax_t)service.runtime, service.policy, service.nice);
	shmem_barrier_all();
	shmem_finalize();
	return !ok;
}
