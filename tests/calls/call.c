/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Calls by their names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "calls.h"

static int
by_name(const void *name, const void *row)
{
	return strcmp(name, ((const struct call_row *)row)->name);
}

static const struct call_row *
find(bool plain, int type, const char *op)
{
	const char *ctx = plain ? "" : "ctx_";
	int word = (int)strcspn(op, "_");
	char name[80];

	if (type < T_SIZED)
		snprintf(name, sizeof(name), "shmem_%s%s_%s", ctx, types[type].name, op);
	else
		snprintf(name, sizeof(name), "shmem_%s%.*s%s%s", ctx, word, op, types[type].name,
			 op + word);
	return bsearch(name, call_rows, call_count, sizeof(*call_rows), by_name);
}

void
call_make(struct call *c, bool plain, int type, const char *op)
{
	const struct call_row *row = find(plain, type, op);

	if (row == NULL)
		fail(NULL, "no call %s of %s", op, types[type].name);
	row->make(c);
}

bool
call_has(int type, const char *op)
{
	return find(true, type, op) != NULL;
}

int
call_type(const char *op)
{
	int type;

	do
		type = (int)rnd(T_SIZED);
	while (!call_has(type, op));
	return type;
}
