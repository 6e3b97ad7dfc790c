/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_errno.h>

#include "cli.h"
#include "eal.h"

#define EMULATED "raw_ntb_"

enum {
	WORDS_MAX = 64,
};

static bool
is_vdev(const char *port)
{
	return port == NULL || strncmp(port, EMULATED, strlen(EMULATED)) == 0;
}

static bool has_folder; /* of the EAL, which this process made */

/* One lcore that may run wherever this program may: a pinned one would share its CPU with a peer's
 * on the same machine. */
static void
lcore_on_all(char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "--lcores=0@(");
	cpu_set_t set;
	int cpu;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	for (cpu = 0; cpu < CPU_SETSIZE && used + 8 < size; cpu++)
		if (CPU_ISSET(cpu, &set))
			used += (size_t)snprintf(text + used, size - used, "%s%d",
						 text[used - 1] == '(' ? "" : ",", cpu);
	snprintf(text + used, size - used, ")");
}

/* An EAL with an emulated port shares nothing: a file in the way of its folder, none is made. The
 * EAL goes on without, but calls it an error; nobody is to look for a fault there. */
static int
start_emulated(char **argv, int argc, const char *port)
{
	const char *words[] = {"--no-huge",
			       "--no-shconf",
			       "--no-pci",
			       "-m",
			       "64",
			       "--file-prefix=.",
			       "--log-level=lib.eal:critical"};
	size_t i;

	if (setenv("RUNTIME_DIRECTORY", "/dev/null", 1) != 0)
		return -1;
	for (i = 0; i < RTE_DIM(words); i++)
		argv[argc++] = (char *)(uintptr_t)words[i];
	if (port != NULL) {
		argv[argc++] = (char *)"--vdev";
		argv[argc++] = (char *)(uintptr_t)port;
	}
	argv[argc] = NULL;
	return rte_eal_init(argc, argv);
}

/* All huge pages, sorted: the region is to be contiguous on the bus. */
static int
start_real(char **argv, int argc, const char *port)
{
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "--file-prefix=ringbell-port-%d", (int)getpid());
	has_folder = true;
	argv[argc++] = (char *)"--legacy-mem";
	argv[argc++] = prefix;
	argv[argc++] = (char *)"-a";
	argv[argc++] = (char *)(uintptr_t)port;
	argv[argc] = NULL;
	return rte_eal_init(argc, argv);
}

static bool
begins_one(const wordexp_t *words, const char *option, size_t len)
{
	size_t i;

	for (i = 0; i < words->we_wordc; i++)
		if (strncmp(words->we_wordv[i], option, len) == 0)
			return true;
	return false;
}

/* Do the user's words have option @p own, as in "--name=value", or one that contradicts it? */
static bool
is_chosen(const wordexp_t *words, const char *own)
{
	static const struct {
		const char *own, *rival;
	} rivals[] = {
		{"--no-telemetry", "--telemetry"},
		{"--lcores", "-l"},
		{"--lcores", "-c"},
	};
	size_t len = strcspn(own, "="), i;

	for (i = 0; i < RTE_DIM(rivals); i++)
		if (strncmp(own, rivals[i].own, len) == 0 &&
		    begins_one(words, rivals[i].rival, strlen(rivals[i].rival)))
			return true;
	return begins_one(words, own, len);
}

/* The user's words, and of what is chosen here what they say nothing of: newer DPDK takes an option
 * once, and none that contradicts another. */
static int
start_with(char **argv, int argc, const char *port, const char *options)
{
	char prefix[64];
	wordexp_t words;
	int ret = -1, i, n;

	if (wordexp(options, &words, WRDE_NOCMD | WRDE_UNDEF) != 0) {
		rte_errno = EINVAL;
		return -1;
	}
	snprintf(prefix, sizeof(prefix), "--file-prefix=ringbell-port-%d", (int)getpid());
	has_folder = !is_chosen(&words, prefix);
	argv[argc++] = prefix;
	for (i = n = 1; i < argc; i++)
		if (!is_chosen(&words, argv[i]))
			argv[n++] = argv[i];
	argc = n;
	if (port != NULL) {
		argv[argc++] = (char *)(uintptr_t)(is_vdev(port) ? "--vdev" : "-a");
		argv[argc++] = (char *)(uintptr_t)port;
	}
	if (argc + words.we_wordc < WORDS_MAX) {
		memcpy(&argv[argc], words.we_wordv, words.we_wordc * sizeof(*argv));
		argc += (int)words.we_wordc;
		argv[argc] = NULL;
		ret = rte_eal_init(argc, argv);
	} else {
		rte_errno = E2BIG;
	}
	wordfree(&words);
	return ret;
}

/* The EAL leaves its folder, with what other processes of its would read. */
static void
remove_folder(void)
{
	const char *path = rte_eal_get_runtime_dir();
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL)
		unlinkat(dirfd(dir), entry->d_name, 0); /* not the two that are folders */
	if (dir)
		closedir(dir);
	rmdir(path);
}

int
eal_start(const char *port, const char *options, const char *lcores)
{
	char all[6 * CPU_SETSIZE];
	char *argv[WORDS_MAX] = {program_invocation_short_name, (char *)"--no-telemetry",
				 (char *)"--log-level=5", all};
	int ret;

	if (lcores != NULL)
		snprintf(all, sizeof(all), "--lcores=%s", lcores);
	else
		lcore_on_all(all, sizeof(all));
	ret = options	      ? start_with(argv, 4, port, options)
	      : is_vdev(port) ? start_emulated(argv, 4, port)
			      : start_real(argv, 4, port);
	if (ret >= 0)
		return 0;
	cli_say("the EAL did not start: %s", rte_strerror(rte_errno));
	if (has_folder)
		remove_folder();
	return -1;
}

void
eal_end(void)
{
	rte_eal_cleanup();
	if (has_folder)
		remove_folder();
}
