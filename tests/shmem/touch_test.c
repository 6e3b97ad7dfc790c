/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * SHMEM_SYMMETRIC_SIZE is a limit: an object takes memory when it is allocated, from the PE that
 * owns it and on that PE's node, before any PE can store into it; and its memory is given back.
 */
#include <numa.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <shmemx.h>

#include "multi.h"

enum {
	MIB = 1 << 20,
	PAGE = 4096,
	START = 16 * MIB, /* what the library itself may take */
	STEP = 2 * MIB,	  /* memory is taken in such steps */
	KEPT = 68 * MIB,  /* free, and kept for the next objects */
};

static int my_node = -1; /* the only one whose CPUs this process may use; -1: there are not two */

/* Before shmem_init(): PEs on all nodes. */
static void
choose_node(void)
{
	int nodes = numa_available() < 0 ? 0 : numa_num_configured_nodes();

	if (nodes < 2)
		return;
	my_node = getpid() % nodes;
	if (numa_run_on_node(my_node) < 0)
		my_node = -1;
}

/* The file that the heaps of this host's PEs are in. Pages that were taken and not yet written are
 * in no mapping, and mincore() does not see them, but the file has them. */
static int
region_file(void)
{
	char link[64], name[64];
	int fd;

	for (fd = 3; fd < 1024; fd++) {
		ssize_t n;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, name, sizeof(name) - 1);
		if (n > 0 && (name[n] = '\0', strstr(name, "/memfd:ringbell (") != NULL))
			return fd;
	}
	return -1;
}

/* Bytes that all PEs of this host have taken. */
static size_t
taken(void)
{
	struct stat st = {0};

	CHECK_EQ(fstat(region_file(), &st), 0);
	return (size_t)st.st_blocks * 512;
}

static size_t
pes_here(void)
{
	size_t n = 0;
	int pe;

	for (pe = 0; pe < mt_npes; pe++)
		n += shmemx_pe_host(pe) == shmemx_pe_host(mt_me);
	return n;
}

/* A neighbour stores into each page first; that does not decide where the page is. */
static void
touched_by_others(char *block, size_t len)
{
	size_t at;
	int node;

	for (at = 0; my_node >= 0 && at < len; at += PAGE)
		shmem_char_p(block + at, 1, mt_pe(1));
	shmem_barrier_all();
	for (at = 0; my_node >= 0 && at < len; at += PAGE) {
		CHECK_EQ(get_mempolicy(&node, NULL, 0, block + at, MPOL_F_NODE | MPOL_F_ADDR), 0);
		CHECK_EQ(node, my_node);
	}
	shmem_barrier_all();
}

static void
case_heap(void)
{
	const size_t len = 32 * MIB, more = 128 * MIB;
	size_t here = pes_here(), start;
	char *block, *large;

	if (my_node < 0 && mt_me == 0)
		printf("one NUMA node: nodes are not looked at\n");
	shmem_barrier_all();
	start = taken();
	CHECK_MSG(start <= here * START, "%zu bytes are taken at the start", start);
	shmem_barrier_all();
	block = shmem_align(PAGE, len);
	CHECK(block != NULL);
	CHECK(taken() >= start + here * len);
	CHECK(taken() <= start + here * (len + STEP));
	touched_by_others(block, len);
	large = shmem_align(PAGE, more);
	CHECK(large != NULL);
	CHECK(taken() >= start + here * (len + more));
	shmem_barrier_all();
	shmem_free(large);
	shmem_free(block);
	shmem_barrier_all();
	CHECK_MSG(taken() <= start + here * KEPT, "%zu bytes are taken after the free", taken());
}

static void
case_space(void)
{
	const shmemx_space_config_t c = {.size = 8 * MIB, .node = -1};
	size_t here = pes_here(), start;
	shmemx_space_info_t info;
	shmemx_space_t space;

	shmem_barrier_all();
	start = taken();
	shmem_barrier_all();
	CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, &c, &space), 0);
	CHECK_EQ(shmemx_space_query(space, &info), 0);
	CHECK(taken() >= start + here * info.size);
	touched_by_others(shmemx_space_malloc(space, info.size), info.size);
	CHECK_EQ(shmemx_space_destroy(space), 0);
	shmem_barrier_all();
	CHECK(taken() < start + here * info.size);
}

static void
case_grow(void)
{
	size_t here = pes_here(), start;

	shmem_barrier_all();
	start = taken();
	shmem_barrier_all();
	CHECK_EQ(shmemx_heap_grow(8 * MIB), 0);
	CHECK(taken() >= start + here * 8 * MIB);
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"heap", case_heap},
		{"space", case_space},
		{"grow", case_grow},
		{0},
	};

	choose_node();
	setenv("SHMEM_SYMMETRIC_SIZE", "1G", 1);
	setenv("SHMEM_SPACES", "16M", 1);
	setenv("RINGBELL_HUGE", "never", 1);
	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
