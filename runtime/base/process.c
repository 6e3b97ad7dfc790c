/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/process.h"

#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

static pid_t pe;    /* the process that is the PE; 0: none yet */
static bool marked; /* in a child */

void
rb_process_claim(void)
{
	pe = getpid();
}

bool
rb_process_mark(void)
{
	if (pe == 0 || marked)
		return false;
	marked = true;
	return true;
}

bool
rb_process_marked(void)
{
	return marked;
}

bool
rb_process_child(void)
{
	return marked || (pe != 0 && pe != getpid());
}
