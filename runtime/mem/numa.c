/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/numa.h"

#include <errno.h>
#include <numaif.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include <rte_config.h>

#include "base/exit.h"
#include "base/state.h"
#include "mem/layout.h"

/* The calls may fail, in a container that forbids them: the heap then gets memory of any node.
 * --report-bindings shows the node it got. */

/* "0-3,8" */
static void
format_ranges(const char *unknown, bool (*has)(int i), char *text, size_t size)
{
	size_t at = 0;
	int from, to;

	text[0] = '\0';
	for (from = 0; from < CPU_SETSIZE && at < size; from = to + 1) {
		to = from;
		if (!has(from))
			continue;
		while (to + 1 < CPU_SETSIZE && has(to + 1))
			to++;
		at += (size_t)snprintf(text + at, size - at, to > from ? "%s%d-%d" : "%s%d",
				       at > 0 ? "," : "", from, to);
	}
	if (at == 0)
		snprintf(text, size, "%s", unknown);
}

static cpu_set_t cpus, nodes;

static bool
has_cpu(int i)
{
	return CPU_ISSET(i, &cpus);
}

static bool
has_node(int i)
{
	return CPU_ISSET(i, &nodes);
}

/* libnuma ends the process where it gets no memory for the answer; this needs none. */
static bool
has_one_of(int node)
{
	char path[64];
	int i, len = snprintf(path, sizeof(path), "/sys/devices/system/node/node%d", node);

	if (access(path, F_OK) < 0)
		return false;
	for (i = 0; i < CPU_SETSIZE; i++) {
		snprintf(path + len, sizeof(path) - (size_t)len, "/cpu%d", i);
		if (CPU_ISSET(i, &cpus) && access(path, F_OK) == 0)
			return true;
	}
	return false;
}

/* The nodes of the CPUs that this process may use. */
static void
find_nodes(void)
{
	int i;

	CPU_ZERO(&nodes);
	if (sched_getaffinity(0, sizeof(cpus), &cpus) < 0)
		CPU_ZERO(&cpus);
	for (i = 0; i < RTE_MAX_NUMA_NODES; i++)
		if (has_one_of(i))
			CPU_SET(i, &nodes);
}

/* The kernel's node masks have the form of the C library's CPU masks. */
static long
bind_to(void *at, size_t len, int policy, const cpu_set_t *set)
{
	return mbind(at, len, policy, set == NULL ? NULL : set->__bits,
		     set == NULL ? 0 : CPU_SETSIZE, rb_mem.whole ? MPOL_MF_MOVE : 0);
}

void
rb_numa_heap(void)
{
	find_nodes();
	/* preferred: memory of another node is better than none */
	if (CPU_COUNT(&nodes) == 1 && rb_mem.file.fd >= 0)
		bind_to(rb_mem.heap, rb_mem.lay.heap_span, MPOL_PREFERRED, &nodes);
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
	char on[512], of[256], heap[32] = "unknown";
	int node;

	if (!rb.env.report)
		return;
	find_nodes();
	format_ranges("unknown", has_cpu, on, sizeof(on));
	format_ranges("unknown", has_node, of, sizeof(of));
	node = rb_numa_node(rb_mem.heap);
	if (node >= 0)
		snprintf(heap, sizeof(heap), "%d", node);
	rb_note("host %d, PE %d: CPUs %s, node %s, heap on node %s%s%s", rb.host, rb.pe, on, of,
		heap, rb.booted && rb.env.service_cpus[0] ? ", service on CPUs " : "",
		rb.booted ? rb.env.service_cpus : "");
}
