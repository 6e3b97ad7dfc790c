/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Memory of all PEs, as it is and as it is to be; random numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

struct world world;

/* In .bss and in .data: both are symmetric. */
static unsigned char static_room[STATIC_ROOM] __attribute__((aligned(64)));
static long psyncs[PSYNCS * SHMEM_SYNC_SIZE] = {SHMEM_SYNC_VALUE};

static long locks[LOCKS];

static uint64_t state;

void
rnd_seed(uint64_t seed)
{
	state = seed;
}

uint64_t
rnd64(void)
{
	return mix64(state += 0x9e3779b97f4a7c15u);
}

size_t
rnd(size_t n)
{
	return n == 0 ? 0 : rnd64() % n;
}

size_t
rnd_length(size_t max)
{
	unsigned int bits = 0;
	size_t n;

	while (((size_t)1 << bits) <= max)
		bits++;
	n = (size_t)1 << rnd(bits + 1);
	if (rnd_percent(30)) {
		n += rnd(5);
		n = n > 2 ? n - 2 : 0;
	} else {
		n = rnd(n + 1);
	}
	return n > max ? max : n;
}

int
team_rank(const struct team *t, int pe)
{
	int i;

	for (i = 0; i < t->n; i++)
		if (t->pe[i] == pe)
			return i;
	return -1;
}

static void *
must(void *p)
{
	if (p == NULL) {
		fprintf(stderr, "PE %d: no memory\n", world.me);
		shmem_global_exit(98);
	}
	return p;
}

static void
open_region(int region, void *mem, size_t room)
{
	int pe;

	world.mem[region] = mem;
	world.room[region] = room;
	for (pe = 0; pe < world.npes; pe++) {
		world.shadow[region][pe] = must(calloc(1, room));
		if (region < R_BLOCK)
			world_pattern(world.shadow[region][pe], room,
				      hash64(world.seed, (uint64_t)(region * MAX_PES + pe)));
	}
	if (region < R_BLOCK)
		memcpy(mem, world.shadow[region][world.me], room);
}

static size_t
heap_room(void)
{
	size_t room = ((size_t)12 << 20) / (size_t)world.npes;

	room = room > (1 << 20) ? 1 << 20 : room;
	return room - room % 64;
}

static void
open_teams(void)
{
	int pe, i;

	for (i = 0; i < BLOCKS; i++)
		for (pe = 0; pe < world.npes; pe++)
			world.shadow[R_BLOCK + i][pe] = must(malloc(MAX_BLOCK));
	world.team[0] = SHMEM_TEAM_WORLD;
	world.made.team_live[0] = true;
	world.made.team[0].n = world.npes;
	for (i = 0; i < world.npes; i++)
		world.made.team[0].pe[i] = i;
	world.live = world.made;
}

void
world_open(void)
{
	size_t room = heap_room();

	open_region(R_HEAP, must(shmem_malloc(room)), room);
	open_region(R_STATIC, static_room, sizeof(static_room));
	open_region(R_PRIVATE, must(malloc(room)), room);
	world.locks = locks;
	open_region(R_PSYNC, psyncs, sizeof(psyncs));
	open_teams();
	shmem_barrier_all();
}

void
world_close(void)
{
	int region, pe, ctx;

	for (ctx = 0; ctx < CTXS; ctx++)
		if (world.ctx[ctx] != SHMEM_CTX_INVALID)
			shmem_ctx_destroy(world.ctx[ctx]);
	for (region = 0; region < REGIONS; region++)
		for (pe = 0; pe < world.npes; pe++)
			free(world.shadow[region][pe]);
	free(world.mem[R_PRIVATE]);
}
