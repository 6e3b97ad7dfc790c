/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ALONE_H
#define ALONE_H

/**
 * @file
 * What the programs that the call fuzzer prints have in common: memory with a pattern in it, and
 * looking at it. They define PES, SEED, ROOM, DATA_ROOM, SECONDS, LEVEL, STATIC_AMO, LANES, CTXS,
 * TEAMS, BLOCKS, MAX_BLOCK, MAX_PES, LOCKS and PSYNCS first; fuzz.py puts this file in the place of
 * its #include.
 */

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "alone_look.h"
#include "padding.h"
#include "pattern.h"

enum {
	HEAP,
	DATA,
	OWN,
	BLOCK,
	PSYNC = BLOCK + BLOCKS,
	REGIONS
};

static unsigned char *heap, *own, *block[BLOCKS], *psync;
static unsigned char data[DATA_ROOM] __attribute__((aligned(64)));
static long psync_data[PSYNCS * SHMEM_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long lock_data[LOCKS];
static long *locks;
static unsigned char work[1 << 20] __attribute__((aligned(64))); /* of active sets */
static shmem_ctx_t ctx[CTXS];
static shmem_team_t team[TEAMS];
static unsigned char *want[REGIONS]; /* what is to stand in this PE's memory */
static size_t room[REGIONS];

static void
region(int i, unsigned char *at, size_t size)
{
	room[i] = size;
	want[i] = malloc(size);
	world_pattern(want[i], size, hash64(SEED, (uint64_t)(i * MAX_PES + me)));
	if (i == PSYNC)
		memset(want[i], 0, size);
	memcpy(at, want[i], size);
}

static void
begin(void)
{
	int provided, i;

	signal(SIGALRM, on_alarm);
	alarm(SECONDS);
	if (shmem_init_thread(LEVEL, &provided) != 0 || provided < LEVEL)
		exit(1);
	me = shmem_my_pe();
	if (shmem_n_pes() != PES) {
		fprintf(stderr, "This program is for %d PEs.\n", PES);
		shmem_global_exit(2);
	}
	heap = shmem_malloc(ROOM);
	own = malloc(ROOM);
	locks = STATIC_AMO ? lock_data : shmem_calloc(LOCKS, sizeof(long));
	psync = STATIC_AMO ? (unsigned char *)psync_data : shmem_calloc(1, sizeof(psync_data));
	region(HEAP, heap, ROOM);
	region(DATA, data, sizeof(data));
	region(OWN, own, ROOM);
	region(PSYNC, psync, sizeof(psync_data));
	for (i = 0; i < BLOCKS; i++)
		want[BLOCK + i] = malloc(MAX_BLOCK);
	for (i = 0; i < CTXS; i++)
		ctx[i] = SHMEM_CTX_INVALID;
	team[0] = SHMEM_TEAM_WORLD;
	shmem_barrier_all();
}

/** Block @p i has come: @p kept bytes of it are known, the owner fills the rest. */
static void
new_block(const char *call, int i, size_t size, size_t kept, uint64_t key)
{
	if (block[i] == NULL)
		wrong(call, "no memory for %zu bytes", size);
	if (kept > room[BLOCK + i])
		memset(want[BLOCK + i], 0, kept); /* calloc */
	compare(call, block[i], want[BLOCK + i], kept);
	world_pattern(want[BLOCK + i] + kept, size - kept, key);
	memcpy(block[i] + kept, want[BLOCK + i] + kept, size - kept);
	room[BLOCK + i] = size;
	shmem_sync_all();
}

static void
lanes(void *(*const lane[LANES])(void *))
{
	pthread_t thread[LANES];
	int i;

	for (i = 1; i < LANES && lane[i] != NULL; i++)
		pthread_create(&thread[i], NULL, lane[i], NULL);
	lane[0](NULL);
	while (--i > 0)
		pthread_join(thread[i], NULL);
}

/** The contexts of thread @p lane; negative: all. */
static void
quiet_contexts(int lane)
{
	int i;

	for (i = 0; i < CTXS; i++)
		if (ctx[i] != SHMEM_CTX_INVALID && (lane < 0 || i % LANES == lane))
			shmem_ctx_quiet(ctx[i]);
}

/** All memory is as it is to be. */
static void
look_at_all(const char *call)
{
	unsigned char *const at[] = {heap, data, own};
	int i;

	for (i = 0; i < BLOCK; i++)
		compare(call, at[i], want[i], room[i]);
	for (i = 0; i < BLOCKS; i++)
		compare(call, block[i], want[BLOCK + i], room[BLOCK + i]);
	compare(call, psync, want[PSYNC], room[PSYNC]);
}

#endif /* ALONE_H */
