/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "oshrun.h"

/* Ends of a cable: the right port of the host before it, the left port of the host behind it. */
enum {
	END_RIGHT_PORT = 0,
	END_LEFT_PORT = 1,
};

int
ring_make(struct job *job)
{
	int hosts = job->opt->hosts;
	uint64_t nonce;
	char name[32];

	if (getrandom(&nonce, sizeof(nonce), 0) != (ssize_t)sizeof(nonce))
		return -EIO;
	snprintf(job->nonce, sizeof(job->nonce), "%016llx", (unsigned long long)nonce);
	if (hosts == 1)
		return 0;
	while (job->n_cables < hosts) {
		int fd;

		/* a memfd has no name in the file system, so it cannot outlive its users; the
		 * model makes an empty one into a cable */
		snprintf(name, sizeof(name), "ringbell-cable-%d", job->n_cables);
		fd = memfd_create(name, MFD_CLOEXEC);
		if (fd < 0)
			return -errno;
		job->cable[job->n_cables++] = fd;
	}
	return 0;
}

void
ring_close(struct job *job)
{
	while (job->n_cables > 0)
		close(job->cable[--job->n_cables]);
}

static int
left_cable(const struct job *job, int host)
{
	return (host + job->n_cables - 1) % job->n_cables;
}

int
ring_fds(const struct job *job, int host, int fds[OSHRUN_CABLES_OF_PE])
{
	if (job->n_cables == 0)
		return 0;
	fds[0] = job->cable[left_cable(job, host)];
	fds[1] = job->cable[host];
	return OSHRUN_CABLES_OF_PE;
}

static void
set_number(const char *name, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", value);
	setenv(name, text, 1);
}

static void
set_port(const char *name, int fd, int end)
{
	char text[32];

	snprintf(text, sizeof(text), "%d:%d", fd, end);
	setenv(name, text, 1);
}

void
ring_set_env(const struct job *job, int host, int ctl_fd)
{
	const struct options *opt = job->opt;
	int i;

	/* oshrun may itself run inside a job, whose variables are not for this one */
	unsetenv("RINGBELL_LEFT");
	unsetenv("RINGBELL_RIGHT");
	set_number("RINGBELL_HOSTS", opt->hosts);
	set_number("RINGBELL_HOST_ID", host);
	set_number("RINGBELL_CTL_FD", ctl_fd);
	setenv("RINGBELL_JOB", job->nonce, 1);
	if (job->n_cables > 0) {
		set_port("RINGBELL_LEFT", job->cable[left_cable(job, host)], END_LEFT_PORT);
		set_port("RINGBELL_RIGHT", job->cable[host], END_RIGHT_PORT);
	}
	if (opt->eal != NULL)
		setenv("RINGBELL_EAL", opt->eal, 1);
	for (i = 0; i < opt->n_exports; i++)
		putenv(opt->exports[i]);
}

/* As a shell would read it back. */
static void
print_quoted(const char *text)
{
	putchar('\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	}
	putchar('\'');
}

void
ring_print(const struct job *job)
{
	const struct options *opt = job->opt;
	int i;
	int k;

	for (k = 0; k < job->n_cables; k++)
		printf("cable %d: right port of host %d - left port of host %d\n", k, k,
		       (k + 1) % opt->hosts);
	for (k = 0; k < opt->hosts; k++) {
		printf("PE %d: RINGBELL_HOSTS=%d RINGBELL_HOST_ID=%d", k, opt->hosts, k);
		if (opt->eal != NULL) {
			printf(" RINGBELL_EAL=");
			print_quoted(opt->eal);
		}
		for (i = 0; i < opt->n_exports; i++) {
			const char *entry = opt->exports[i];
			size_t name = strcspn(entry, "=");

			printf(" %.*s=", (int)name, entry);
			print_quoted(entry + name + 1);
		}
		putchar(' ');
		print_quoted(opt->program);
		for (i = 1; opt->argv[i] != NULL; i++) {
			putchar(' ');
			print_quoted(opt->argv[i]);
		}
		putchar('\n');
	}
}
