/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands on standard input: they pull and plug cables. */

#include <stdio.h>
#include <string.h>

#include "device.h"

static bool
run_intel(const char *word, struct intm_port *const ports[DEVICE_SIDES])
{
	if (strcmp(word, "pull") != 0 && strcmp(word, "plug") != 0)
		return false;
	intm_cable(ports[0], strcmp(word, "plug") == 0);
	return true;
}

static bool
run_command(const char *word, const struct cable *cable)
{
	if (cable->intel[0] != NULL)
		return run_intel(word, cable->intel);
	if (strcmp(word, "pull") == 0)
		return plxm_fault_set(cable->plx[0], PLXM_FAULT_CABLE, 1) == 0;
	if (strcmp(word, "plug") == 0)
		return plxm_fault_set(cable->plx[0], PLXM_FAULT_CABLE, 0) == 0;
	return false;
}

void
control(const struct cable *cables, int n_cables)
{
	char line[128], word[16];
	int cable;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (strcmp(line, "quit\n") == 0)
			return;
		if (sscanf(line, "%15s %d", word, &cable) == 2 && cable >= 0 && cable < n_cables &&
		    run_command(word, &cables[cable]))
			printf("ok\n");
		else
			printf("what? pull C, plug C or quit; C below %d\n", n_cables);
		fflush(stdout);
	}
}
