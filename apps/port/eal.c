/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dirent.h>
#include <errno.h>
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
#include <rte_pci.h>

#include "cli.h"
#include "eal.h"

#define EMULATED "raw_ntb_"
#define PACKETS "net_af_packet,"

enum {
	WORDS_MAX = 64,
	CHOSEN = 9, /* options at most */
};

static bool
is_vdev(const char *port)
{
	return port == NULL || strncmp(port, EMULATED, strlen(EMULATED)) == 0 ||
	       strncmp(port, PACKETS, strlen(PACKETS)) == 0;
}

/* The device that a cable is short for, as RINGBELL_CABLES has it. */
static const char *
device_of(const char *port, char *text, size_t size)
{
	if (strncmp(port, PACKETS, strlen(PACKETS)) != 0)
		return port;
	snprintf(text, size, "raw_ntb_ether0,%s", port + strlen(PACKETS));
	return text;
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

/* Nothing but a check of the form: the EAL would complain in three lines. */
static void
check_form(const char *port)
{
	struct rte_pci_addr addr;
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(port, ","), port);
	if (rte_pci_addr_parse(name, &addr) != 0)
		cli_fail(CLI_USAGE,
			 "PORT %s: neither a PCI address, such as 05:00.0, nor an emulated "
			 "port, nor a cable; see --help",
			 port);
}

/* All options: of those that are chosen here, what the user's words say nothing of, because newer
 * DPDK takes an option once, and none that contradicts another. @return how many, 0: too many */
static int
collect_words(char **argv, const char *const *own, const char *port, const wordexp_t *users)
{
	int n = 1;

	for (; *own != NULL; own++)
		if (!is_chosen(users, *own))
			argv[n++] = (char *)(uintptr_t)*own;
	if (port != NULL) {
		argv[n++] = (char *)(uintptr_t)(is_vdev(port) ? "--vdev" : "-a");
		argv[n++] = (char *)(uintptr_t)port;
	}
	if (n + users->we_wordc >= WORDS_MAX)
		return 0;
	if (users->we_wordc > 0)
		memcpy(&argv[n], users->we_wordv, users->we_wordc * sizeof(*argv));
	n += (int)users->we_wordc;
	argv[n] = NULL;
	return n;
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
	char lcore_words[6 * CPU_SETSIZE], prefix[64], *argv[WORDS_MAX];
	char device[160];
	const char *own[CHOSEN + 1] = {"--no-telemetry", "--log-level=5", lcore_words, prefix};
	/* An EAL with an emulated port shares nothing: a file in the way of its folder, none is
	 * made. The EAL goes on without, but calls it an error; nobody is to look for a fault
	 * there. */
	static const char *const alone[] = {"--no-huge", "--no-shconf", "--no-pci", "-m64",
					    "--log-level=lib.eal:critical"};
	wordexp_t users = {0};
	int n, ret = -1;

	if (port != NULL && !is_vdev(port))
		check_form(port);
	if (lcores != NULL)
		snprintf(lcore_words, sizeof(lcore_words), "--lcores=%s", lcores);
	else
		lcore_on_all(lcore_words, sizeof(lcore_words));
	snprintf(prefix, sizeof(prefix), "--file-prefix=ringbell-port-%d", (int)getpid());
	if (options == NULL && !is_vdev(port)) {
		own[4] = "--legacy-mem"; /* huge pages, sorted: the region is contiguous */
	} else if (options == NULL) {
		snprintf(prefix, sizeof(prefix), "--file-prefix=.");
		memcpy(&own[4], alone, sizeof(alone));
		if (setenv("RUNTIME_DIRECTORY", "/dev/null", 1) != 0)
			return -1;
	} else if (wordexp(options, &users, WRDE_NOCMD | WRDE_UNDEF) != 0) {
		cli_fail(CLI_USAGE, "--eal %s: words as in a shell are needed", options);
	}
	has_folder = prefix[strlen(prefix) - 1] != '.' && !is_chosen(&users, prefix);
	argv[0] = program_invocation_short_name;
	if (port != NULL)
		port = device_of(port, device, sizeof(device));
	n = collect_words(argv, own, port, &users);
	if (n > 0)
		ret = rte_eal_init(n, argv);
	else
		rte_errno = E2BIG;
	wordfree(&users);
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
