/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>

#include "mem/available.h"
#include "oshrun.h"

/*
 * A PE that the kernel kills for lack of memory cannot report it, and the kernel reports it only in
 * its log. But the kernel counts such kills.
 */
static struct rb_available before;

void
memory_open(void)
{
	rb_available_look("", &before);
}

void
memory_why_killed(char *text, size_t size)
{
	struct rb_available now;

	rb_available_look("", &now);
	text[0] = '\0';
	if (now.killed_here > before.killed_here)
		snprintf(text, size,
			 ": %s, which has %llu MiB, was full; give it more memory, or start fewer "
			 "PEs",
			 now.limit_of, (unsigned long long)now.limit >> 20);
	else if (now.killed > before.killed)
		snprintf(
			text, size,
			": the kernel has killed a process for want of memory since the job began; "
			"use less, or start fewer PEs");
}
