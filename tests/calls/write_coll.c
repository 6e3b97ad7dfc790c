/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Collectives, teams, contexts and the heap as C.
 */
#include <stdio.h>
#include <stdlib.h>

#include "coll.h"
#include "make.h"
#include "ref.h"
#include "write.h"

static void
write_set(const struct op *op)
{
	out("%d, %d, %d", op->team.pe[0], op->stride, op->team.n);
}

static void
write_psync(const struct op *op)
{
	out("(long *)psync + %d * SHMEM_SYNC_SIZE);\n", op->psync);
}

void
write_sync(const struct op *op, int pe)
{
	bool barrier = op->what == S_BARRIER_ALL || op->what == S_ASET_BARRIER;
	int ctx;

	out("\t\tquiet_contexts(%d);\n", op->vector ? op->lane : -1);
	for (ctx = 0; ctx < CTXS; ctx++)
		if (!op->vector || ctx % LANES == op->lane)
			write_quiet(pe, op->lane, ctx, NULL);
	if (barrier) {
		write_forget(pe, op->lane);
	} else {
		out("\t\tshmem_quiet();\n");
		write_quiet(pe, op->lane, NO_CTX, NULL);
	}
	if (op->what == S_TEAM) {
		out("\t\tif (shmem_team_sync(team[%d]) != 0)\n", op->slot);
		out("\t\t\twrong(\"%d.%d\", \"returns an error\");\n", write_now->number, op->id);
	} else if (op->what == S_ALL || op->what == S_BARRIER_ALL) {
		out("\t\tshmem_%s_all();\n", op->what == S_ALL ? "sync" : "barrier");
	} else {
		out("\t\tshmem_%s(", op->what == S_ASET ? "sync" : "barrier");
		write_set(op);
		out(", ");
		write_psync(op);
	}
}

static const char *const coll_names[COLLS] = {
	"broadcast", "collect", "fcollect", "alltoall", "alltoalls", "and",	   "or",
	"xor",	     "max",	"min",	    "sum",	"prod",	     "sum_inscan", "sum_exscan"};

/* What a member brings. */
static void
write_contribution(const struct op *op, int rank)
{
	struct span src = coll_src(op, rank);
	size_t len = op->n * types[op->type].size;
	unsigned char *values;

	if (op->what < C_AND) {
		if (op->what != C_BROADCAST || rank == op->third)
			write_fresh(op, &src);
		return;
	}
	if (!(types[op->type].flags & IS_FLOAT)) {
		out("\t\tworld_pattern(%s, %zu, %#llxu);\n", write_place(op->src), len,
		    (unsigned long long)hash64(op->key, (uint64_t)rank + 1000));
		return;
	}
	values = malloc(len + 1);
	if (values == NULL)
		exit(1);
	coll_values(op, rank, values);
	write_bytes(write_place(op->src), values, len);
	free(values);
}

/* The name, and the arguments up to the number of elements. */
static void
write_coll_head(const struct op *op, const char *tail)
{
	const char *name = types[op->type].name, *what = coll_names[op->what];

	if (op->type < T_SIZED)
		out("shmem_%s_%s%s(", name, what, tail);
	else
		out("shmem_%s%s(", what, name);
	if (!op->aset)
		out("team[%d], ", op->slot);
	out("%s, %s, ", write_typed(op, op->dst), write_typed(op, op->src));
	if (op->what == C_ALLTOALLS)
		out("%td, %td, ", op->dst_stride, op->src_stride);
}

static void
write_coll_call(const struct op *op, int rank)
{
	if (!op->aset) {
		out("\t\tif (");
		write_coll_head(op, op->what >= C_AND && op->what < C_INSCAN ? "_reduce" : "");
		out("%zu", coll_count(op, rank));
		if (op->what == C_BROADCAST)
			out(", %d", op->third);
		out(") != 0)\n\t\t\twrong(\"%d.%d\", \"returns an error\");\n", write_now->number,
		    op->id);
		return;
	}
	out("\t\t");
	write_coll_head(op, "_to_all");
	out("%zu, ", coll_count(op, rank));
	if (op->what == C_BROADCAST)
		out("%d, ", op->third);
	write_set(op);
	out(", ");
	if (op->what >= C_AND)
		out("(void *)work, ");
	write_psync(op);
}

void
write_coll(const struct op *op, int pe)
{
	int rank = team_rank(&op->team, pe);

	write_contribution(op, rank);
	if (op->in_place)
		out("\t\tshmem_team_sync(team[%d]);\n", op->slot);
	write_coll_call(op, rank);
	if (op->what >= C_AND && (types[op->type].flags & IS_PADDED))
		out("\t\tclear_padding(%s, %zu);\n", write_place(op->dst), op->n);
	write_looks(op, pe);
}

static void
write_look_at_team(const struct op *op, int slot, int rank, int n)
{
	out("\t\tif (shmem_team_my_pe(team[%d]) != %d || shmem_team_n_pes(team[%d]) != %d)\n", slot,
	    rank, slot, n);
	out("\t\t\twrong(\"%d.%d\", \"rank is %%d of %%d, not %d of %d\", "
	    "shmem_team_my_pe(team[%d]),\n\t\t\t      shmem_team_n_pes(team[%d]));\n",
	    write_now->number, op->id, rank, n, slot, slot);
}

void
write_split(const struct op *op, int pe)
{
	struct team child = {0};
	int i;

	for (i = 0; i < (int)op->n && !op->cond; i++)
		child.pe[child.n++] = op->team.pe[op->start + i * op->stride];
	out("\t\tshmem_team_config_t config = {.num_contexts = %ld};\n", op->options);
	out("\t\tshmem_team_t made;\n\t\tint err = shmem_team_split_strided(team[%d], %d, %d, %zu, "
	    "%s, %s, &made);\n\n",
	    op->parent, op->start, op->stride, op->n, op->options > 0 ? "&config" : "NULL",
	    op->options > 0 ? "SHMEM_TEAM_NUM_CONTEXTS" : "0");
	out("\t\t(void)config;\n\t\tif ((err != 0) != %d)\n", op->cond != 0);
	out("\t\t\twrong(\"%d.%d\", \"returns %%d\", err);\n", write_now->number, op->id);
	if (op->cond)
		return;
	out("\t\tteam[%d] = made;\n", op->slot);
	if (team_rank(&child, pe) >= 0)
		write_look_at_team(op, op->slot, team_rank(&child, pe), child.n);
}

void
write_split_2d(const struct op *op, int pe)
{
	int n = op->team.n, columns = op->start < n ? op->start : n,
	    rank = team_rank(&op->team, pe);
	int rows = (n + columns - 1) / columns, x = op->from[rank / columns];
	int y = op->from[rows + rank % columns], i, row = 0, column = 0;

	for (i = 0; i < n; i++) {
		row += i / columns == rank / columns;
		column += i % columns == rank % columns;
	}
	out("\t\tif (shmem_team_split_2d(team[%d], %d, NULL, 0, &team[%d], NULL, 0, &team[%d]) != "
	    "0)\n",
	    op->parent, op->start, x, y);
	out("\t\t\twrong(\"%d.%d\", \"returns an error\");\n", write_now->number, op->id);
	write_look_at_team(op, x, rank % columns, row);
	write_look_at_team(op, y, rank / columns, column);
}

void
write_team_end(const struct op *op, int pe)
{
	(void)pe;
	out("\t\tshmem_team_destroy(team[%d]);\n", op->slot);
}

void
write_ctx_make(const struct op *op, int pe)
{
	(void)pe;
	if (op->plain)
		out("\t\tif (shmem_ctx_create(%ld, &ctx[%d]) != 0)\n", op->options, op->ctx);
	else
		out("\t\tif (shmem_team_create_ctx(team[%d], %ld, &ctx[%d]) != 0)\n", op->slot,
		    op->options, op->ctx);
	out("\t\t\twrong(\"%d.%d\", \"returns an error\");\n", write_now->number, op->id);
}

void
write_ctx_end(const struct op *op, int pe)
{
	out("\t\tshmem_ctx_destroy(ctx[%d]);\n\t\tctx[%d] = SHMEM_CTX_INVALID;\n", op->ctx,
	    op->ctx);
	write_quiet(pe, op->lane, op->ctx, NULL);
}

void
write_heap(const struct op *op, int pe)
{
	if (op->kind == K_FREE) {
		out("\t\tshmem_free(block[%d]);\n\t\tblock[%d] = NULL;\n\t\troom[BLOCK + %d] = "
		    "0;\n",
		    op->slot, op->slot, op->slot);
		return;
	}
	out("\t\tblock[%d] = ", op->slot);
	if (op->kind == K_REALLOC)
		out("shmem_realloc(block[%d], %zu);\n", op->slot, op->n);
	else if (op->what == 1)
		out("shmem_calloc(%zu, %d);\n", op->n % 8 == 0 ? op->n / 8 : op->n,
		    op->n % 8 == 0 ? 8 : 1);
	else if (op->what == 2)
		out("shmem_align(%zu, %zu);\n", op->bsize, op->n);
	else if (op->what == 3)
		out("shmem_malloc_with_hints(%zu, SHMEM_MALLOC_ATOMICS_REMOTE);\n", op->n);
	else
		out("shmem_malloc(%zu);\n", op->n);
	out("\t\tnew_block(\"%d.%d\", %d, %zu, %zu, %#llxu);\n", write_now->number, op->id,
	    op->slot, op->n, ref_kept(op).len, (unsigned long long)hash64(op->key, (uint64_t)pe));
}
