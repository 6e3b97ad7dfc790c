/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The frame of a program: its threads, and what all memory is to hold at the end of an epoch.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "ref.h"
#include "write.h"

enum {
	SHORT = 64, /* bytes that are not worth the search for a pattern */
	GAP = 16,   /* bytes that stayed, between two changes that are written as one */
};

const struct epoch *write_now;

static unsigned char *known[REGIONS][MAX_PES]; /* what the program knows is to be there */
static bool any[EPOCHS];		       /* in which something is left */

void
out(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

static bool
is_slice(const unsigned char *bytes, size_t len, uint64_t key, size_t from)
{
	unsigned char part[SHORT];
	size_t i, n;

	for (i = 0; i < len; i += n) {
		n = len - i < SHORT ? len - i : SHORT;
		pattern_slice(part, n, key, from + i);
		if (memcmp(part, bytes + i, n) != 0)
			return false;
	}
	return true;
}

/* Are these bytes something that a call has filled, or that a PE had at the start? */
static bool
find_pattern(const unsigned char *bytes, size_t len, uint64_t *key, size_t *from)
{
	int i, pe, region;

	for (i = 0; i < write_now->n; i++) {
		const struct op *op = &write_now->op[i];

		if (op->dropped)
			continue;
		*from = 0;
		*key = op->kind == K_FILL ? op->key : hash64(op->key, 0);
		if (is_slice(bytes, len, *key, 0))
			return true;
		*from = op->src.off;
		for (pe = 0; pe < world.npes; pe++)
			for (region = 0; region < R_BLOCK; region++) {
				*key = hash64(world.seed, (uint64_t)(region * MAX_PES + pe));
				if (is_slice(bytes, len, *key, *from))
					return true;
			}
	}
	return false;
}

static void
out_hex(const unsigned char *bytes, size_t len)
{
	size_t i;

	out("\"");
	for (i = 0; i < len; i++)
		out("%s%02x", i > 0 && i % 40 == 0 ? "\"\n\t\t     \"" : "", bytes[i]);
	out("\"");
}

void
write_bytes(const char *at, const unsigned char *bytes, size_t len)
{
	uint64_t key;
	size_t from;

	if (len >= SHORT && find_pattern(bytes, len, &key, &from)) {
		out("\t\tpattern_slice(%s, %zu, %#llxu, %zu);\n", at, len, (unsigned long long)key,
		    from);
		return;
	}
	out("\t\tbytes(%s, ", at);
	out_hex(bytes, len);
	out(");\n");
}

void
write_fresh(const struct op *op, const struct span *s)
{
	size_t i;

	for (i = 0; op->fresh && s->len != 0 && i < s->count; i++) {
		struct place at = {s->at.region, s->at.off + i * s->stride};

		out("\t\tworld_pattern(%s, %zu, %#llxu);\n", write_place(at), s->len,
		    (unsigned long long)hash64(op->key, i));
	}
}

static void
look_at(const struct op *op, const struct range *r, size_t i)
{
	struct place at = {r->at.at.region, r->at.at.off + i * r->at.stride};
	const unsigned char *bytes = r->bytes + i * r->at.len;
	uint64_t key;
	size_t from;

	if (r->at.len >= SHORT && find_pattern(bytes, r->at.len, &key, &from)) {
		out("\t\tlook_slice(\"%d.%d\", %s, %zu, %#llxu, %zu);\n", write_now->number, op->id,
		    write_place(at), r->at.len, (unsigned long long)key, from);
		return;
	}
	out("\t\tlook(\"%d.%d\", %s, ", write_now->number, op->id, write_place(at));
	out_hex(bytes, r->at.len);
	out(");\n");
}

void
write_looks(const struct op *op, int pe)
{
	size_t j;
	int i;

	for (i = 0; i < op->ranges; i++)
		for (j = 0; op->range[i].pe == pe && j < op->range[i].at.count; j++)
			look_at(op, &op->range[i], j);
}

/* ---- calls that return before they are done ---- */

static struct {
	const struct op *op;
} later[OPS];
static int laters;

void
write_looks_later(const struct op *op)
{
	later[laters++].op = op;
}

void
write_quiet(int pe, int lane, int ctx, const struct team *targets)
{
	int i, left = 0;

	for (i = 0; i < laters; i++) {
		const struct op *op = later[i].op;

		if (op->pe == pe && op->lane == lane && op->ctx == ctx &&
		    (targets == NULL || team_rank(targets, op->to) >= 0))
			write_looks(op, pe);
		else
			later[left++].op = op;
	}
	laters = left;
}

void
write_forget(int pe, int lane)
{
	int i, left = 0;

	for (i = 0; i < laters; i++)
		if (later[i].op->pe != pe || later[i].op->lane != lane ||
		    later[i].op->ctx != NO_CTX)
			later[left++].op = later[i].op;
	laters = left;
}

/* ---- an epoch ---- */

static void (*const writers[KINDS])(const struct op *, int) = {
	[K_RMA] = write_rma,	       [K_AMO] = write_amo,
	[K_MESSAGE] = write_message,   [K_WAIT] = write_wait,
	[K_LOCK] = write_lock,	       [K_OVERWRITE] = write_overwrite,
	[K_FILL] = write_fill,	       [K_FENCE] = write_fence,
	[K_QUIET] = write_quiet_op,    [K_SYNC] = write_sync,
	[K_COLL] = write_coll,	       [K_SPLIT] = write_split,
	[K_SPLIT_2D] = write_split_2d, [K_TEAM_END] = write_team_end,
	[K_CTX] = write_ctx_make,      [K_CTX_END] = write_ctx_end,
	[K_ALLOC] = write_heap,	       [K_REALLOC] = write_heap,
	[K_FREE] = write_heap,
};

void
write_step(const struct op *op, int lane)
{
	out("\t\tstep[%d] = \"%d.%d\";\n", lane, write_now->number, op->id);
}

static void
write_call(const struct op *op, int lane)
{
	char text[SHOW];
	int pe;

	show_text(op, write_now->number, text);
	out("\t/* %s */\n", text);
	for (pe = 0; pe < world.npes; pe++) {
		if (!run_has_part(op, pe))
			continue;
		out("\tif (me == %d) {\n", pe);
		write_step(op, lane);
		if (op->kind == K_SHARED_AMO)
			write_shared_amo(op, pe, lane);
		else
			writers[op->kind](op, pe);
		out("\t}\n");
	}
}

static void
write_lane(int lane)
{
	int i;

	out("static void *\nepoch%d_thread%d(void *unused)\n{\n", write_now->number, lane);
	for (i = 0; i < write_now->n; i++) {
		const struct op *op = &write_now->op[i];

		if (!op->dropped && op->kind < K_ALLOC &&
		    (op->lane == lane || op->kind == K_SHARED_AMO))
			write_call(op, lane);
	}
	out("\tstep[%d] = NULL;\n\treturn unused;\n}\n\n", lane);
}

/* Where memory of @p pe is to be another one than the program knows. */
static void
write_changes(int pe, int region, size_t room)
{
	unsigned char *was = known[region][pe], *is = world.shadow[region][pe];
	static const char *const names[] = {"HEAP", "DATA", "OWN"};
	size_t i, end, last;
	char at[80];

	for (i = 0; i < room; i = end) {
		end = i + 1;
		if (was[i] == is[i])
			continue;
		for (last = i; end < room && end - last <= GAP; end++)
			if (was[end] != is[end])
				last = end;
		if (region < R_BLOCK)
			snprintf(at, sizeof(at), "want[%s] + %zu", names[region], i);
		else
			snprintf(at, sizeof(at), "want[BLOCK + %d] + %zu", region - R_BLOCK, i);
		write_bytes(at, is + i, last + 1 - i);
		end = last + 1;
	}
	memcpy(was, is, room);
}

static size_t
room_of(int region)
{
	return region >= R_BLOCK ? world.live.block[region - R_BLOCK] : world.room[region];
}

static void
write_end_of_epoch(void)
{
	int pe, region, lane, ctx;

	out("static void\nepoch%d_end(void)\n{\n\tquiet_contexts(-1);\n\t%s();\n",
	    write_now->number, write_now->end == 0 ? "shmem_barrier_all" : "shmem_quiet");
	for (pe = 0; pe < world.npes; pe++) {
		out("\tif (me == %d) {\n", pe);
		for (lane = 0; lane < LANES; lane++)
			for (ctx = NO_CTX; ctx < CTXS; ctx++)
				write_quiet(pe, lane, ctx, NULL);
		for (region = 0; region < R_PSYNC; region++)
			write_changes(pe, region, room_of(region));
		out("\t}\n");
	}
	if (write_now->end != 0)
		out("\t%s;\n",
		    write_now->end == 1 ? "shmem_sync_all()" : "shmem_team_sync(SHMEM_TEAM_WORLD)");
	out("\tlook_at_all(\"end of epoch %d\");\n\tshmem_sync_all();\n}\n\n", write_now->number);
}

static void
write_heap_calls(void)
{
	int i;

	out("static void\nepoch%d_heap(void)\n{\n", write_now->number);
	for (i = 0; i < write_now->n; i++) {
		const struct op *op = &write_now->op[i];
		int pe;

		if (op->kind < K_ALLOC || op->dropped)
			continue;
		write_call(op, 0);
		for (pe = 0; pe < world.npes && op->kind != K_FREE; pe++) {
			struct span kept = ref_kept(op);

			world_pattern(known[R_BLOCK + op->slot][pe] + kept.len, op->n - kept.len,
				      hash64(op->key, (uint64_t)pe));
			if (op->kind == K_ALLOC)
				memset(known[R_BLOCK + op->slot][pe], 0, kept.len);
		}
	}
	out("\tstep[0] = NULL;\n}\n\n");
}

void
write_epoch(const struct epoch *e)
{
	bool left = false;
	int i;

	for (i = 0; i < e->n; i++)
		left = left || !e->op[i].dropped;
	if (!left)
		return;
	if (e->number < EPOCHS)
		any[e->number] = true;
	write_now = e;
	write_heap_calls();
	for (i = 0; i < e->lanes; i++)
		write_lane(i);
	out("static void *(*const epoch%d[LANES])(void *) = {", e->number);
	for (i = 0; i < e->lanes; i++)
		out("%sepoch%d_thread%d", i == 0 ? "" : ", ", e->number, i);
	out("};\n\n");
	write_end_of_epoch();
}

void
write_begin(unsigned int seconds)
{
	const int numbers[] = {world.npes, LANES,   CTXS,  TEAMS, BLOCKS,
			       MAX_BLOCK,  MAX_PES, LOCKS, PSYNCS};
	static const char *const names[] = {"PES",	 "LANES",   "CTXS",  "TEAMS", "BLOCKS",
					    "MAX_BLOCK", "MAX_PES", "LOCKS", "PSYNCS"};
	int region, pe;
	size_t i;

	out("/* Printed by the call fuzzer of Ringbell: a program that failed, as far as it is\n"
	    " * needed for that. oshcc -pthread FILE.c -o PROGRAM, and start it on %d PEs. */\n",
	    world.npes);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		out("#define %s %d\n", names[i], numbers[i]);
	out("#define SEED %lluu\n", (unsigned long long)world.seed);
	out("#define ROOM %zu\n#define DATA_ROOM %d\n", world.room[R_HEAP], STATIC_ROOM);
	out("#define SECONDS %u /* then it hangs */\n", seconds);
	out("#define STATIC_AMO %d\n", world.static_amo);
	out("#define LEVEL SHMEM_THREAD_%s\n", world.threads ? "MULTIPLE" : "SINGLE");
	out("#include \"alone.h\"\n\n");
	for (region = 0; region < R_PSYNC; region++)
		for (pe = 0; pe < world.npes; pe++) {
			size_t room = region < R_BLOCK ? world.room[region] : MAX_BLOCK;

			known[region][pe] = malloc(room);
			if (known[region][pe] == NULL)
				exit(1);
			memcpy(known[region][pe], world.shadow[region][pe], room);
		}
}

void
write_end(void)
{
	size_t i;

	out("int\nmain(void)\n{\n\tbegin();\n");
	for (i = 0; i < sizeof(any); i++)
		if (any[i])
			out("\talarm(SECONDS);\n\tepoch%zu_heap();\n\tlanes(epoch%zu);\n"
			    "\tepoch%zu_end();\n",
			    i, i, i);
	out("\tif (me == 0)\n\t\tprintf(\"ok\\n\");\n");
	out("\tshmem_finalize();\n\treturn 0;\n}\n");
}
