/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/eal_log.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_log.h>

#include "base/run_dir.h"

/*
 * The output of the EAL while it starts is kept, and one line of it is reported if the start fails.
 * The EAL logs into a stream of the caller's choice. But it prints errors about wrong arguments, a
 * usage of a hundred lines and, before DPDK 24.11, its last error to stdout and stderr. These
 * belong to the whole process, whose other threads may print, and to its children. So the
 * descriptors stay unchanged. glibc lets a program set the names stdout and stderr: for a while
 * both are streams that know the thread that starts the EAL. They keep the output of that thread,
 * and pass all other output on. They have no buffer, and are never closed, because another thread
 * may still be inside one of them afterwards.
 */

enum {
	LOG_LINE = 4096
};

static FILE *kept, *was[2];
static pid_t starter;
static char best[LOG_LINE];

static ssize_t
write_stream(void *number, const char *s, size_t len)
{
	int fd = (int)(intptr_t)number;

	if (gettid() == starter && kept != NULL)
		return (ssize_t)fwrite(s, 1, len, kept);
	return write(fd, s, len);
}

static FILE *
make_stream(int fd)
{
	static FILE *made[2];
	FILE **f = &made[fd - STDOUT_FILENO];

	if (*f == NULL)
		*f = fopencookie((void *)(intptr_t)fd, "w",
				 (cookie_io_functions_t){.write = write_stream});
	if (*f != NULL)
		setvbuf(*f, NULL, _IONBF, 0);
	return *f;
}

void
rb_eal_log_begin(void)
{
	int fd = memfd_create("ringbell-eal-log", MFD_CLOEXEC);
	FILE *out = make_stream(STDOUT_FILENO), *err = make_stream(STDERR_FILENO);

	kept = fd < 0 || out == NULL || err == NULL ? NULL : fdopen(fd, "a+");
	if (kept == NULL) {
		close(fd);
		return;
	}
	starter = gettid();
	rte_openlog_stream(kept);
	/* flush what the program has buffered first */
	fflush(stdout);
	was[0] = stdout;
	was[1] = stderr;
	stdout = out;
	stderr = err;
}

/* Is this line not the reason? That is a line that only names the part of the EAL that did not
 * start, after the line with the cause, or a line about the folder that the EAL must not have. */
static bool
not_reason(const char *line)
{
	static const char *const parts[] = {"annot init", "failed to initialize", "probe failed",
					    "parsing command line" /* since DPDK 25.11 */};
	bool part = false;
	size_t i;

	for (i = 0; i < RTE_DIM(parts) && !part; i++)
		part = strstr(line, parts[i]) != NULL;
	return (best[0] != '\0' && part) || strstr(line, RB_NO_FOLDER) != NULL;
}

/* Find the line that names a wrong argument, else the last line that looks like an error. */
static void
find_reason(void)
{
	static const char *const wrong[] = {"annot", "rror", "ail", "nvalid", "plx"};
	static char line[LOG_LINE];
	bool usage = false;
	size_t i;

	rewind(kept);
	best[0] = '\0';
	while (fgets(line, sizeof(line), kept) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strstr(line, "option '") != NULL || strstr(line, "argument --") != NULL) {
			memcpy(best, line, sizeof(best));
			break;
		}
		usage |= strstr(line, "Usage") != NULL;
		for (i = 0; !usage && i < RTE_DIM(wrong); i++)
			if (strstr(line, wrong[i]) != NULL && !not_reason(line))
				memcpy(best, line, sizeof(best));
	}
}

void
rb_eal_log_end(void)
{
	FILE *log = kept;

	if (was[0] == NULL)
		return;
	stdout = was[0];
	stderr = was[1];
	was[0] = NULL;
	rte_openlog_stream(NULL);
	rte_log_set_global_level(RTE_LOG_ERR);
	fflush(kept);
	find_reason();
	kept = NULL;
	fclose(log);
}

const char *
rb_eal_log_best(void)
{
	return best;
}
