/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * How far PEs are apart, and how to reach them without the library. The API has no hosts, but it
 * says which PEs' memory a PE can reach by plain stores, and which through a window: the rest
 * follows.
 */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#ifdef PERF_WINDOW
#include <shmemx.h>
#endif

#include "perf.h"

enum {
	FAR = 255
};

/** The window onto @p pe's heap, if it is a neighbour's. */
static char *
window_onto(int pe, size_t *len)
{
#ifdef PERF_WINDOW
	return shmemx_window(pe, len);
#else
	(void)pe;
	*len = 0;
	return NULL;
#endif
}

/* The window shows the whole heap, and the API does not say where a block lies in it: mark the
 * page at the target and look for the mark. */
void *
perf_bare(void *page, int pe)
{
	const long mark[2] = {(long)0x9e3779b97f4a7c15, pe + 1}, none[2] = {0, 0};
	void *near = shmem_ptr(page, pe), *found = NULL;
	size_t len, off;
	char *base;

	if (near)
		return near;
	base = window_onto(pe, &len);
	if (!base)
		return NULL;
	shmem_putmem(page, mark, sizeof(mark), pe);
	shmem_quiet();
	for (off = 0; !found && off + PERF_PAGE <= len; off += PERF_PAGE)
		if (memcmp(base + off, mark, sizeof(mark)) == 0)
			found = base + off;
	shmem_putmem(page, none, sizeof(none), pe);
	shmem_quiet();
	return found;
}

static void
own_row(unsigned char *row, void *page)
{
	int pe, n = shmem_n_pes();
	size_t len;

	for (pe = 0; pe < n; pe++)
		row[pe] = shmem_ptr(page, pe) ? 0 : window_onto(pe, &len) ? 1 : FAR;
}

/* Distances from PE 0 over all PEs' rows: relax until no distance gets shorter. */
static void
measure_hops(unsigned char *row, int *hops)
{
	static unsigned char other[PERF_PES_MAX];
	int n = shmem_n_pes(), from, to;
	bool shorter = true;

	for (to = 0; to < n; to++)
		hops[to] = to == 0 ? 0 : FAR;
	while (shorter) {
		shorter = false;
		for (from = 0; from < n; from++) {
			if (hops[from] == FAR)
				continue;
			shmem_getmem(other, row, (size_t)n, from);
			for (to = 0; to < n; to++) {
				if (hops[from] + other[to] >= hops[to])
					continue;
				hops[to] = hops[from] + other[to];
				shorter = true;
			}
		}
	}
}

static bool
in_list(const char *list, int number)
{
	char *end;

	for (; *list; list = *end ? end + 1 : end) {
		if (strtol(list, &end, 10) == number)
			return true;
		if (end == list)
			return false;
	}
	return false;
}

int
perf_targets(const struct perf_args *a, void *page, int *ret_pes, int *ret_hops)
{
	static unsigned char row[PERF_PES_MAX];
	static int hops[PERF_PES_MAX];
	int n = shmem_n_pes(), pe, k, found = 0;

	own_row(row, page);
	shmem_barrier_all();
	if (shmem_my_pe() == 0)
		measure_hops(row, hops);
	shmem_barrier_all();
	if (!a->hops && a->target < n) {
		ret_pes[0] = a->target;
		ret_hops[0] = hops[a->target] == FAR ? -1 : hops[a->target];
		return 1;
	}
	for (k = 0; a->hops && k < FAR; k++) {
		for (pe = 1; pe < n && hops[pe] != k; pe++)
			;
		if (pe == n || (strcmp(a->hops, "all") != 0 && !in_list(a->hops, k)))
			continue;
		ret_pes[found] = pe;
		ret_hops[found++] = k;
	}
	return found;
}
