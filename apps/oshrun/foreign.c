/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oshrun.h"

/*
 * A program that is linked with another OpenSHMEM library does not know oshrun: N PEs are N jobs of
 * one PE each, which end well with wrong results. So where none of the PEs has joined, oshrun
 * checks the program. The file names the libraries that it needs. A program that a script starts
 * shows its libraries while it runs, in the maps of the first PE's processes.
 */

enum {
	CHILDREN = 16, /* processes of a PE that are checked */
};

static char other[64]; /* library that the PEs have instead of Ringbell's; "": none found */

/* Of Sandia OpenSHMEM and Cray; Open MPI; OSSS. Ours is libshmem.so.1. */
static const char *const others[] = {"libsma.so", "liboshmem.so", "libosss-", NULL};

static bool
is_other(const char *name)
{
	int i;

	for (i = 0; others[i] != NULL; i++)
		if (strncmp(name, others[i], strlen(others[i])) == 0)
			return true;
	return false;
}

/* In the file of a program the names of libraries are strings between zeros. */
static void
look_at_strings(const char *at, const char *end, char *name, size_t size)
{
	while (at != NULL && ++at < end) {
		size_t len = strnlen(at, (size_t)(end - at));

		if (len < (size_t)(end - at) && len < size && is_other(at)) {
			memcpy(name, at, len + 1);
			return;
		}
		at = memchr(at, '\0', (size_t)(end - at));
	}
}

static void
look_at_file(const char *path, char *name, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *va;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		va = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (va != MAP_FAILED) {
			look_at_strings(va, va + st.st_size, name, size);
			munmap(va, (size_t)st.st_size);
		}
	}
	close(fd);
}

static void
look_at_maps(pid_t pid, char *name, size_t size)
{
	char path[64], line[4400];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		const char *base = strrchr(line, '/');

		if (base == NULL || !is_other(base + 1))
			continue;
		snprintf(name, size, "%.*s", (int)strcspn(base + 1, " \n"), base + 1);
		break;
	}
	fclose(f);
}

/* Append the children of @p pid to the list. @return its new length */
static int
add_children(pid_t pid, pid_t list[CHILDREN], int n)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return n;
	while (n < CHILDREN && fscanf(f, "%d", &list[n]) == 1)
		n++;
	fclose(f);
	return n;
}

static bool
anyone_joined(const struct job *job)
{
	int i;

	for (i = 0; i < job->n_pes; i++)
		if (job->pe[i].opened)
			return true;
	return false;
}

void
foreign_look(struct job *job)
{
	pid_t list[CHILDREN];
	int n = 0, i;

	if (job->n_pes < 2 || other[0] != '\0' || !job->pe[0].alive || anyone_joined(job))
		return;
	list[n++] = job->pe[0].pid;
	for (i = 0; i < n && other[0] == '\0'; i++) {
		look_at_maps(list[i], other, sizeof(other));
		n = add_children(list[i], list, n);
	}
}

void
foreign_verdict(struct job *job)
{
	if (job->n_pes < 2 || anyone_joined(job))
		return;
	if (other[0] == '\0')
		look_at_file(job->opt->program, other, sizeof(other));
	if (other[0] == '\0')
		return;
	say("none of the %d PEs joined the job: %s is linked with %s, another OpenSHMEM library, "
	    "so each was a job of one PE; compile it with oshcc, or use that library's launcher",
	    job->n_pes, job->opt->argv[0], other);
	if (job->status == 0)
		job->status = OSHRUN_EXIT_FAULT;
}
