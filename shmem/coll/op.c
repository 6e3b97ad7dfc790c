/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>

#include "core/check.h"
#include "core/team_table.h"
#include "core/state.h"
#include "ctx.h"
#include "op.h"

void (*coll_drain)(const struct coll_op *op);

void
coll_begin_on(struct coll_op *op, const char *call, struct shmemi_team *team)
{
	coll_begin_posted(op, call, team);
	/* acquire: what the posted ones did to the state of the team comes before this call */
	if (__builtin_expect((atomic_load_explicit(&rb_background.pending, memory_order_acquire) >>
				      team->slot &
			      1) != 0,
			     0))
		coll_drain(op);
}

bool
coll_begin(struct coll_op *op, const char *call, shmem_team_t handle)
{
	struct shmemi_team *team;

	shmemi_enter(call);
	team = shmemi_team_of(call, handle);
	if (team == NULL)
		return false;
	coll_begin_on(op, call, team);
	return true;
}

size_t
coll_bytes(const char *call, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		shmemi_fatal(call, "%zu elements of %zu bytes exceed memory", n, size);
	return bytes;
}

void
coll_check_dest(const struct coll_op *op, const void *addr, size_t len)
{
	if (len != 0 && !rb_symmetric(addr, len))
		shmemi_fail(op->call, -EFAULT, shmemi.pe, addr, len);
	if (shmemi.check && len != 0)
		shmemi_check_block(op->call, addr, len, shmemi.pe);
}

int
coll_pe(const struct coll_op *op, int rank)
{
	rank = coll_wrap(op, rank);
	if (op->ranks != NULL)
		rank = op->ranks[rank];
	return shmemi_team_pe(op->team, rank);
}

void
coll_wait(const struct coll_op *op, int rank, const uint64_t *word, uint64_t value)
{
	rb_wait_until(word, value,
		      (struct rb_wait){.what = RB_FOR_PE,
				       .whom = (uint64_t)coll_pe(op, rank),
				       .leaves = true});
}

void
coll_post(const struct coll_op *op, int rank, uint64_t *word, uint64_t value)
{
	int pe = coll_pe(op, rank), err;

	/* A put, not an atomic: an aligned one of 8 bytes is a single store, which no CPU on the
	 * other side has to execute. The fence then costs nothing, as only executed requests can be
	 * overtaken. */
	coll_fence();
	err = rb_put(coll_ctx(), pe, word, &value, sizeof(value));
	if (err != 0)
		shmemi_fail(op->call, err, pe, word, sizeof(*word));
}
