/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Handles an emulated cable of a running job: "retrain" loses the link and restores it at once,
 * "pull" takes the cable out, "plug" puts it back, "garbage=SEED" gives the scratchpads of both
 * ends random values, and a number lets so many microseconds pass.
 *
 * Usage: flap FD WORD..., the cable as descriptor FD; exits with 3 where that is no cable yet
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plxm.h"

static int
act(int fd, const char *word)
{
	char *end;
	unsigned long us = strtoul(word, &end, 10);

	if (end != word && *end == '\0')
		return usleep((useconds_t)us) < 0 ? -errno : 0;
	if (strcmp(word, "retrain") == 0)
		return plxm_cable_fault(fd, PLXM_FAULT_RETRAIN, 1);
	if (strcmp(word, "pull") == 0)
		return plxm_cable_fault(fd, PLXM_FAULT_CABLE, 1);
	if (strcmp(word, "plug") == 0)
		return plxm_cable_fault(fd, PLXM_FAULT_CABLE, 0);
	if (strncmp(word, "garbage=", strlen("garbage=")) == 0)
		return plxm_cable_fault(fd, PLXM_FAULT_SPAD_GARBAGE,
					strtoull(word + strlen("garbage="), NULL, 10));
	return -EINVAL;
}

int
main(int argc, char **argv)
{
	int i, ret = argc > 2 ? 0 : -EINVAL;

	for (i = 2; i < argc && ret == 0; i++)
		ret = act(atoi(argv[1]), argv[i]);
	if (ret == -ENODATA)
		return 3;
	if (ret < 0)
		fprintf(stderr, "flap: %s: %s\n", argv[i - 1], strerror(-ret));
	return ret < 0;
}
