/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/claim.h"
#include "base/launcher_msg.h"
#include "oshrun.h"

/* A memfd has no name in the file system, so it cannot outlive its users. */
static int
make_memory(const char *what, int k, int fd[], int *n)
{
	char name[32];

	snprintf(name, sizeof(name), "ringbell-%s-%d", what, k);
	fd[*n] = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); /* for fault.c */
	if (fd[*n] < 0)
		return -errno;
	(*n)++;
	return 0;
}

/* Are both NT ports of a host those of one chip, by RINGBELL_EMU as the PEs will see it? */
static bool
one_chip(const struct options *opt)
{
	const char *value = opts_variable(opt, "RINGBELL_EMU");

	value = value != NULL ? rb_emu_value(value, "chips") : NULL;
	return value != NULL && *value == '1';
}

static int
make_claims(struct job *job)
{
	void *va = MAP_FAILED;

	job->claims_fd = memfd_create("ringbell-claims", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (job->claims_fd >= 0 && ftruncate(job->claims_fd, sizeof(*job->claims)) == 0 &&
	    fcntl(job->claims_fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
		va = mmap(NULL, sizeof(*job->claims), PROT_READ, MAP_SHARED, job->claims_fd, 0);
	if (va == MAP_FAILED)
		return -errno;
	job->claims = va;
	return 0;
}

int
ring_make(struct job *job)
{
	const struct options *opt = job->opt;
	int cables = opt->hosts == 1 || opt->host_id >= 0 ? 0 : cables_count(opt);
	uint64_t nonce;
	int ret = 0;
	int k;

	if (getrandom(&nonce, sizeof(nonce), 0) != (ssize_t)sizeof(nonce))
		return -EIO;
	job->one_chip = cables > 0 && one_chip(opt);
	cables = job->one_chip ? 1 : cables;
	snprintf(job->nonce, sizeof(job->nonce), "%016llx", (unsigned long long)nonce);
	/* the model makes an empty file into a cable, or into a ring of chips with all its cables
	 */
	for (k = 0; k < cables && ret == 0; k++)
		ret = make_memory("cable", k, job->cable, &job->n_cables);
	for (k = 0; k < opt->hosts && opt->npes > opt->hosts && ret == 0; k++)
		ret = make_memory("host", k, job->host_fd, &job->n_host_fds);
	if (ret == 0)
		ret = make_claims(job);
	return ret;
}

/* The file of the cable at a port; -1: none. */
static int
cable_file(const struct job *job, int host, int port, int *ret_end)
{
	int k = cables_number(job->opt, host, port, ret_end);

	return k < 0 || job->n_cables == 0 ? -1 : job->cable[job->one_chip ? 0 : k];
}

int
ring_fds(const struct job *job, const struct pe *pe, int fds[OSHRUN_FDS_OF_PE])
{
	int n = 0, port, end;

	for (port = 0; port < RB_MAX_PORTS; port++) {
		fds[n] = cable_file(job, pe->host, port, &end);
		n += fds[n] >= 0;
	}
	if (job->n_host_fds > 0)
		fds[n++] = job->host_fd[pe->host];
	fds[n++] = job->blocked_fd;
	fds[n++] = job->claims_fd;
	fds[n++] = pe->end;
	if (pe->trace >= 0)
		fds[n++] = pe->trace;
	return n;
}

static void
set_number(const char *name, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", value);
	setenv(name, text, 1);
}

static void
set_cables(const struct job *job, int host)
{
	char text[RB_MAX_PORTS * 16] = "";
	int port, end, n = cables_ports(job->opt);
	size_t at = 0;

	/* more than a ring has: a PE looks for itself where they lead */
	if (strcmp(job->opt->wiring, "ring") != 0 && n <= RB_RING_PORTS)
		n = RB_RING_PORTS + 1;
	for (port = 0; port < n; port++) {
		int fd = cable_file(job, host, port, &end);

		at += (size_t)(fd < 0 ? snprintf(text + at, sizeof(text) - at, "-,")
				      : snprintf(text + at, sizeof(text) - at, "%d:%d,", fd, end));
	}
	text[at - 1] = '\0';
	setenv("RINGBELL_CABLE_FD", text, 1);
}

/* oshrun may itself be a task of a PMIx launcher. Its PEs do not have the rank of that task. */
static void
outer_rank_is_not_theirs(void)
{
	const char *space = getenv("PMIX_NAMESPACE"), *rank = getenv("PMIX_RANK");
	char text[512];

	if (space == NULL || rank == NULL)
		return;
	snprintf(text, sizeof(text), "%d %s %s", (int)getppid(), rank, space);
	setenv("RINGBELL_RANK_TAKEN", text, 1);
}

void
ring_set_env(const struct job *job, const struct pe *pe)
{
	const struct options *opt = job->opt;
	int host = pe->host;
	int i;

	/* oshrun may itself run inside a job: the variables of that job are not for this one */
	unsetenv("RINGBELL_CABLE_FD");
	unsetenv("RINGBELL_HOST_FD");
	unsetenv("RINGBELL_TRACE_FD");
	unsetenv("RINGBELL_PER_HOST_LAUNCHER");
	unsetenv("RINGBELL_JOB");
	outer_rank_is_not_theirs();
	set_number("RINGBELL_HOSTS", opt->hosts);
	set_number("RINGBELL_HOST_ID", host);
	set_number("RINGBELL_PES", opt->npes);
	set_number("RINGBELL_PE", pe->id);
	set_number("RINGBELL_CTL_FD", pe->end);
	set_number("RINGBELL_BLOCKED_FD", job->blocked_fd);
	set_number("RINGBELL_CLAIM", job->claims_fd);
	if (pe->trace >= 0)
		set_number("RINGBELL_TRACE_FD", pe->trace);
	if (opt->host_id < 0)
		setenv("RINGBELL_JOB", job->nonce, 1);
	else
		setenv("RINGBELL_PER_HOST_LAUNCHER", "1", 1);
	place_set_env(job, pe);
	if (job->n_cables > 0)
		set_cables(job, host);
	if (job->n_host_fds > 0)
		set_number("RINGBELL_HOST_FD", job->host_fd[host]);
	if (opt->hello_timeout > 0)
		set_number("RINGBELL_HELLO_TIMEOUT", opt->hello_timeout);
	else if (opt->host_id >= 0 && opts_variable(opt, "RINGBELL_HELLO_TIMEOUT") == NULL)
		set_number("RINGBELL_HELLO_TIMEOUT", OSHRUN_HELLO_S);
	for (i = 0; i < opt->n_exports; i++)
		putenv(opt->exports[i]);
}
