/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives, teams, contexts, the heap.
 */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "coll.h"
#include "make.h"
#include "padding.h"
#include "run.h"

/* Scratch of active-set reductions: n / 2 + 1 elements would do. */
static unsigned char work[1 << 20] __attribute__((aligned(64)));

static long *
psync_of(const struct op *op)
{
	return (long *)(void *)world.mem[R_PSYNC] + op->psync * SHMEM_SYNC_SIZE;
}

/* Data that a quiet call has completed are checked before other PEs learn of it, because these may
 * then write there. A barrier lets them go on before it returns, so data that it completes are not
 * checked. */
static void
quiet_contexts(const struct op *op, bool barrier)
{
	int ctx;

	for (ctx = 0; ctx < CTXS; ctx++) {
		if (op->vector && ctx % LANES != op->lane)
			continue;
		if (world.ctx[ctx] != SHMEM_CTX_INVALID)
			shmem_ctx_quiet(world.ctx[ctx]);
		run_completed(ctx, NULL);
	}
	if (barrier) {
		run_forget();
		return;
	}
	shmem_quiet();
	run_completed(NO_CTX, NULL);
}

void
run_sync(const struct op *op)
{
	quiet_contexts(op, op->what == S_BARRIER_ALL || op->what == S_ASET_BARRIER);
	if (op->what == S_TEAM && shmem_team_sync(world.team[op->slot]) != 0)
		fail(op, "returns an error");
	else if (op->what == S_ALL)
		shmem_sync_all();
	else if (op->what == S_BARRIER_ALL)
		shmem_barrier_all();
	else if (op->what == S_ASET)
		shmem_sync(op->team.pe[0], op->stride, op->team.n, psync_of(op));
	else if (op->what == S_ASET_BARRIER)
		shmem_barrier(op->team.pe[0], op->stride, op->team.n, psync_of(op));
}

void
run_coll(const struct op *op)
{
	int rank = team_rank(&op->team, world.me);
	struct span src = coll_src(op, rank);
	struct call c = {.root = op->third,
			 .team = world.team[op->slot],
			 .dest = run_at(op->dst),
			 .source = run_at(op->src),
			 .dst = op->dst_stride,
			 .sst = op->src_stride,
			 .n = coll_count(op, rank),
			 .start = op->team.pe[0],
			 .log_stride = op->stride,
			 .size = op->team.n,
			 .work = work,
			 .psync = psync_of(op)};
	char name[COLL_NAME];

	if (op->what >= C_AND)
		coll_values(op, rank, run_at(op->src));
	else if (op->what != C_BROADCAST || rank == op->third)
		run_fresh(op, &src);
	/* Where source and dest are one, it may be written only once all have what they bring. */
	if (op->in_place)
		shmem_team_sync(c.team);
	call_make(&c, true, op->type, coll_name(op, name));
	if (c.ret != 0)
		fail(op, "returns %d", (int)c.ret);
	if (op->what >= C_AND && (types[op->type].flags & IS_PADDED))
		clear_padding(c.dest, op->n);
	run_verify(op);
}

static void
check_team(const struct op *op, shmem_team_t team, const struct team *want)
{
	int rank = team_rank(want, world.me), i;

	if (rank < 0) {
		if (team != SHMEM_TEAM_INVALID)
			fail(op, "a PE outside of the new team gets a handle");
		return;
	}
	if (shmem_team_my_pe(team) != rank || shmem_team_n_pes(team) != want->n)
		fail(op, "this PE is %d of %d in the new team, not %d of %d",
		     shmem_team_my_pe(team), shmem_team_n_pes(team), rank, want->n);
	for (i = 0; i < want->n; i++)
		if (shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD) != want->pe[i] ||
		    shmem_team_translate_pe(SHMEM_TEAM_WORLD, want->pe[i], team) != i)
			fail(op, "rank %d of the new team is not PE %d", i, want->pe[i]);
}

void
run_split(const struct op *op)
{
	shmem_team_config_t config = {.num_contexts = (int)op->options};
	shmem_team_t made = SHMEM_TEAM_WORLD;
	struct team want = {0};
	int err;

	err = shmem_team_split_strided(world.team[op->parent], op->start, op->stride, (int)op->n,
				       op->options > 0 ? &config : NULL,
				       op->options > 0 ? SHMEM_TEAM_NUM_CONTEXTS : 0, &made);
	if ((err != 0) != (op->cond != 0))
		fail(op, "split returns %d", err);
	if (!op->cond)
		want = split_child(op);
	check_team(op, made, &want);
	if (!op->cond)
		world.team[op->slot] = made;
}

void
run_split_2d(const struct op *op)
{
	int columns = split_columns(op), rank = team_rank(&op->team, world.me);
	int row = rank / columns, column = split_rows(op) + rank % columns;
	struct team in_row = split_2d_child(op, row), in_column = split_2d_child(op, column);
	shmem_team_t x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;

	if (shmem_team_split_2d(world.team[op->parent], op->start, NULL, 0, &x, NULL, 0, &y) != 0)
		fail(op, "split_2d returns an error");
	check_team(op, x, &in_row);
	check_team(op, y, &in_column);
	world.team[op->from[row]] = x;
	world.team[op->from[column]] = y;
}

void
run_team_end(const struct op *op)
{
	shmem_team_destroy(world.team[op->slot]);
	world.team[op->slot] = SHMEM_TEAM_INVALID;
}

void
run_ctx(const struct op *op)
{
	shmem_ctx_t *ctx = &world.ctx[op->ctx];
	int err = op->plain ? shmem_ctx_create(op->options, ctx)
			    : shmem_team_create_ctx(world.team[op->slot], op->options, ctx);
	shmem_team_t team;

	if (err != 0)
		fail(op, "context creation returns %d", err);
	if (shmem_ctx_get_team(*ctx, &team) != 0 || shmem_team_n_pes(team) != op->team.n)
		fail(op, "the context is of another team");
}

void
run_ctx_end(const struct op *op)
{
	shmem_ctx_destroy(world.ctx[op->ctx]);
	run_completed(op->ctx, NULL);
	world.ctx[op->ctx] = SHMEM_CTX_INVALID;
}

static void *
allocate(const struct op *op)
{
	void *p;

	switch (op->what) {
	case 1:
		return op->n % 8 == 0 ? shmem_calloc(op->n / 8, 8) : shmem_calloc(1, op->n);
	case 2:
		p = shmem_align(op->bsize, op->n);
		if ((uintptr_t)p % op->bsize != 0)
			fail(op, "%p is not aligned to %zu", p, op->bsize);
		return p;
	case 3:
		return shmem_malloc_with_hints(op->n, SHMEM_MALLOC_ATOMICS_REMOTE);
	default:
		return shmem_malloc(op->n);
	}
}

void
run_heap(const struct op *op)
{
	unsigned char **at = &world.mem[R_BLOCK + op->slot];
	size_t kept = op->ranges > 0 ? op->range[0].at.len : 0;

	if (op->kind == K_FREE) {
		shmem_free(*at);
		*at = NULL;
		return;
	}
	*at = op->kind == K_REALLOC ? shmem_realloc(*at, op->n) : allocate(op);
	if (*at == NULL)
		fail(op, "no memory for %zu bytes", op->n);
	run_verify(op);
	/* Nobody has touched the rest; others may, once all have written their own. */
	world_pattern(*at + kept, op->n - kept, hash64(op->key, (uint64_t)world.me));
	shmem_sync_all();
}
