/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Doing this PE's part of an epoch, and looking at what became of its memory.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "watch.h"

static const struct epoch *epoch;
static _Thread_local int my_lane;

/* Calls of a lane that return before they are done, by context; the default one comes last. */
static struct {
	const struct op *op[OPS];
	int n;
} later[LANES][CTXS + 1];

int
run_lane(void)
{
	return my_lane;
}

void *
run_at(struct place at)
{
	return world.mem[at.region] + at.off;
}

shmem_ctx_t
run_context(const struct op *op)
{
	return op->ctx == NO_CTX ? SHMEM_CTX_DEFAULT : world.ctx[op->ctx];
}

int
run_rank(const struct op *op, int pe)
{
	return team_rank(&op->team, pe);
}

void
fail(const struct op *op, const char *fmt, ...)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	char text[300];
	va_list ap;

	pthread_mutex_lock(&one); /* the first one ends the job */
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "PE %d: FAILED seed %llu epoch %d call %d: %s\n", world.me,
		(unsigned long long)world.seed, epoch != NULL ? epoch->number : -1,
		op != NULL ? op->id : -1, text);
	if (op != NULL)
		show_op(op, epoch->number);
	shmem_global_exit(3);
}

static void
compare(const struct op *op, const unsigned char *is, const unsigned char *want, size_t len,
	struct place at)
{
	size_t i = 0, bad = 0, j;

	if (memcmp(is, want, len) == 0)
		return;
	while (is[i] == want[i])
		i++;
	for (j = i; j < len; j++)
		bad += is[j] != want[j];
	fail(op, "byte %zu of region %d (%zu of %zu) is %#x, not %#x; %zu bytes differ", at.off + i,
	     at.region, i, len, is[i], want[i], bad);
}

void
run_verify(const struct op *op)
{
	int i;
	size_t j;

	for (i = 0; i < op->ranges; i++) {
		const struct range *r = &op->range[i];

		for (j = 0; j < r->at.count; j++) {
			struct place at = {r->at.at.region, r->at.at.off + j * r->at.stride};

			compare(op, run_at(at), r->bytes + j * r->at.len, r->at.len, at);
		}
	}
}

void
run_fresh(const struct op *op, const struct span *s)
{
	size_t i;

	for (i = 0; op->fresh && i < s->count; i++) {
		struct place at = {s->at.region, s->at.off + i * s->stride};

		world_pattern(run_at(at), s->len, hash64(op->key, i));
	}
}

void
run_later(const struct op *op)
{
	int ctx = op->ctx == NO_CTX ? CTXS : op->ctx;

	later[my_lane][ctx].op[later[my_lane][ctx].n++] = op;
}

void
run_completed(int ctx, const struct team *targets)
{
	int slot = ctx == NO_CTX ? CTXS : ctx, i, left = 0;

	for (i = 0; i < later[my_lane][slot].n; i++) {
		const struct op *was = later[my_lane][slot].op[i];

		if (targets == NULL || team_rank(targets, was->to) >= 0)
			run_verify(was);
		else
			later[my_lane][slot].op[left++] = was;
	}
	later[my_lane][slot].n = left;
}

void
run_forget(void)
{
	later[my_lane][CTXS].n = 0;
}

bool
run_has_part(const struct op *op, int pe)
{
	switch (kinds[op->kind].part) {
	case OF_PE:
		return op->pe == pe;
	case OF_READER:
		return op->pe == pe || op->to == pe || op->third == pe;
	case OF_WAITER:
		return op->to == pe || op_includes(op, pe);
	default:
		return op_includes(op, pe);
	}
}

static void *
run_lane_of(void *arg)
{
	int i;

	my_lane = (int)(intptr_t)arg;
	for (i = 0; i < epoch->n; i++) {
		const struct op *op = &epoch->op[i];

		if (op->dropped || op->kind >= K_ALLOC ||
		    (op->lane != my_lane && op->kind != K_SHARED_AMO) ||
		    !run_has_part(op, world.me))
			continue;
		watch_op(my_lane, op);
		kinds[op->kind].run(op);
	}
	watch_op(my_lane, NULL);
	return NULL;
}

/* Blocks of the heap come and go before the threads that use them. */
static void
run_heap_ops(void)
{
	int i;

	for (i = 0; i < epoch->n; i++)
		if (epoch->op[i].kind >= K_ALLOC && !epoch->op[i].dropped) {
			watch_op(0, &epoch->op[i]);
			run_heap(&epoch->op[i]);
		}
}

static void
run_lanes(void)
{
	pthread_t thread[LANES];
	int i;

	run_heap_ops();

	for (i = 1; i < epoch->lanes; i++)
		if (pthread_create(&thread[i], NULL, run_lane_of, (void *)(intptr_t)i) != 0)
			fail(NULL, "cannot start a thread");
	(void)run_lane_of((void *)(intptr_t)0);
	for (i = 1; i < epoch->lanes; i++)
		pthread_join(thread[i], NULL);
}

/* All operations are complete, and all PEs have come here. */
static void
end_epoch(void)
{
	int ctx;

	for (ctx = 0; ctx < CTXS; ctx++)
		if (world.live.ctx[world.me][ctx].serial != 0)
			shmem_ctx_quiet(world.ctx[ctx]);
	if (epoch->end == 0)
		shmem_barrier_all();
	else
		shmem_quiet();
	for (my_lane = 0; my_lane < LANES; my_lane++)
		for (ctx = NO_CTX; ctx < CTXS; ctx++)
			run_completed(ctx, NULL);
	my_lane = 0;
	if (epoch->end == 1)
		shmem_sync_all();
	else if (epoch->end == 2)
		shmem_team_sync(SHMEM_TEAM_WORLD);
}

void
run_epoch(const struct epoch *e)
{
	int region;

	epoch = e;
	watch_epoch(e->number);
	run_lanes();
	end_epoch();
	for (region = 0; region < REGIONS; region++) {
		size_t room = region >= R_BLOCK && region < R_PSYNC
				      ? world.live.block[region - R_BLOCK]
				      : world.room[region];

		if (room != 0)
			compare(NULL, world.mem[region], world.shadow[region][world.me], room,
				(struct place){region, 0});
	}
	/* No PE begins the next one while others still check. */
	shmem_sync_all();
}
