/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/numa.h"

#include <errno.h>
#include <numaif.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/exit.h"
#include "base/state.h"
#include "mem/layout.h"

/* The heap gets memory of the node on which its PE commits it, as the kernel does by itself.
 * --report-bindings shows which that was. */

/* "0-3,8" */
static void
format_cpus(const cpu_set_t *cpus, char *text, size_t size)
{
	size_t at = 0;
	int from, to;

	text[0] = '\0';
	for (from = 0; from < CPU_SETSIZE && at < size; from = to + 1) {
		to = from;
		if (!CPU_ISSET(from, cpus))
			continue;
		while (to + 1 < CPU_SETSIZE && CPU_ISSET(to + 1, cpus))
			to++;
		at += (size_t)snprintf(text + at, size - at, to > from ? "%s%d-%d" : "%s%d",
				       at > 0 ? "," : "", from, to);
	}
}

static void
format_node(int node, char *text, size_t size)
{
	if (node < 0)
		snprintf(text, size, "unknown");
	else
		snprintf(text, size, "%d", node);
}

/* The kernel's node masks have the form of the C library's CPU masks. */
static long
bind_to(void *at, size_t len, int policy, const cpu_set_t *set)
{
	return mbind(at, len, policy, set == NULL ? NULL : set->__bits,
		     set == NULL ? 0 : CPU_SETSIZE, rb_mem.whole ? MPOL_MF_MOVE : 0);
}

int
rb_numa_bind(void *at, size_t len, int node)
{
	/* Ranges are used again: an earlier one may have had a node. Where no range ever got one,
	 * the call may not be there: a container may forbid it, QEMU's user mode has none. */
	static bool bound;
	cpu_set_t one;
	long ret;

	if (node < 0 && !bound)
		return 0;
	if (node >= CPU_SETSIZE)
		return -EINVAL;
	CPU_ZERO(&one);
	if (node >= 0)
		CPU_SET(node, &one);
	ret = node < 0 ? bind_to(at, len, MPOL_DEFAULT, NULL) : bind_to(at, len, MPOL_BIND, &one);
	if (ret < 0)
		return -errno;
	bound = true;
	return 0;
}

int
rb_numa_node(const void *at)
{
	int node;

	(void)*(const volatile uint8_t *)at; /* an untouched page is on no node */
	return get_mempolicy(&node, NULL, 0, (void *)(uintptr_t)at, MPOL_F_NODE | MPOL_F_ADDR) == 0
		       ? node
		       : -1;
}

void
rb_numa_report(void)
{
	char on[512] = "unknown", of[32], heap[32];
	unsigned int node;
	cpu_set_t cpus;

	if (!rb.env.report)
		return;
	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		format_cpus(&cpus, on, sizeof(on));
	format_node(getcpu(NULL, &node) == 0 ? (int)node : -1, of, sizeof(of));
	format_node(rb_numa_node(rb_mem.heap), heap, sizeof(heap));
	rb_note("host %d, PE %d: CPUs %s, node %s, heap on node %s%s%s", rb.host, rb.pe, on, of,
		heap, rb.booted && rb.env.service_cpus[0] ? ", service on CPUs " : "",
		rb.booted ? rb.env.service_cpus : "");
}
