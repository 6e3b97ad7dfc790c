/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Calls that are left out, or shorter than they were made: a file of lines "EPOCH CALL", where CALL
 * is a number or * for all, and "EPOCH CALL LENGTH".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

static bool skip[EPOCHS][OPS];
static size_t shorter[EPOCHS][OPS]; /* 0: as made, else the length and 1 */

bool
skipped(int epoch, int op)
{
	return epoch < EPOCHS && skip[epoch][op];
}

size_t
skip_length(int epoch, int op, size_t n)
{
	size_t most = epoch < EPOCHS && shorter[epoch][op] != 0 ? shorter[epoch][op] - 1 : n;

	return n < most ? n : most;
}

static bool
take(const char *line)
{
	char what[16];
	size_t length;
	int epoch, op, fields = sscanf(line, "%d %15s %zu", &epoch, what, &length);

	if (fields < 2 || epoch < 0 || epoch >= EPOCHS)
		return false;
	if (strcmp(what, "*") == 0) {
		memset(skip[epoch], true, sizeof(skip[epoch]));
		return true;
	}
	op = atoi(what);
	if (op < 0 || op >= OPS)
		return false;
	if (fields == 3 && length == 0)
		return false;
	if (fields == 3)
		shorter[epoch][op] = length + 1;
	else
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
