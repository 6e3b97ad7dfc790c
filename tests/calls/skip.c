/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Calls that are left out: a file of lines "EPOCH CALL", where CALL is a number or * for all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum {
	EPOCHS = 4096,
};

static bool skip[EPOCHS][OPS];

bool
skipped(int epoch, int op)
{
	return epoch < EPOCHS && skip[epoch][op];
}

static bool
take(const char *line)
{
	char what[16];
	int epoch, op;

	if (sscanf(line, "%d %15s", &epoch, what) != 2 || epoch < 0 || epoch >= EPOCHS)
		return false;
	if (strcmp(what, "*") == 0) {
		memset(skip[epoch], true, sizeof(skip[epoch]));
		return true;
	}
	op = atoi(what);
	if (op < 0 || op >= OPS)
		return false;
	skip[epoch][op] = true;
	return true;
}

bool
skip_read(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[64];
	bool ok = f != NULL;

	while (ok && fgets(line, sizeof(line), f) != NULL)
		ok = take(line);
	if (f != NULL)
		fclose(f);
	return ok;
}
