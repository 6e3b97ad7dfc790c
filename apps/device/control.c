/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands on standard input that pull, plug and retrain cables. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device.h"

static void
print_stats(struct plxm_port *const ports[DEVICE_SIDES])
{
	for (int end = 0; end < DEVICE_SIDES; end++) {
		struct plxm_stats s;

		plxm_stats_get(ports[end], &s);
		printf("end %d: rid %" PRIu64 " bar %" PRIu64 " alut %" PRIu64 " memory %" PRIu64
		       " link %" PRIu64 " doorbells %" PRIu64 " downs %" PRIu64 "\n",
		       end, s.ur_rid, s.ur_bar, s.ur_alut, s.ur_dram, s.ur_link, s.db_set,
		       s.link_downs);
	}
}

static bool
run_command(const char *word, struct plxm_port *const ports[DEVICE_SIDES])
{
	if (strcmp(word, "pull") == 0)
		return plxm_fault_set(ports[0], PLXM_FAULT_CABLE, 1) == 0;
	if (strcmp(word, "plug") == 0)
		return plxm_fault_set(ports[0], PLXM_FAULT_CABLE, 0) == 0;
	if (strcmp(word, "retrain") == 0)
		return plxm_fault_set(ports[0], PLXM_FAULT_RETRAIN, 0) == 0;
	if (strcmp(word, "stats") != 0)
		return false;
	print_stats(ports);
	return true;
}

void
control(struct plxm_port *(*ports)[DEVICE_SIDES], int cables)
{
	char line[128], word[16];
	int cable;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (strcmp(line, "quit\n") == 0)
			return;
		if (sscanf(line, "%15s %d", word, &cable) != 2 || cable < 0 || cable >= cables ||
		    !run_command(word, ports[cable]))
			printf("what? pull C, plug C, retrain C, stats C or quit; C below %d\n",
			       cables);
		else
			printf("ok\n");
		fflush(stdout);
	}
}
