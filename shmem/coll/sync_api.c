/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "call.h"

SHMEMI_API(int, team_sync, (shmem_team_t team))
{
	struct coll_op op;

	if (!coll_begin(&op, "shmem_team_sync", team))
		return -1;
	return coll_call_sync(&op);
}

static void
sync_world(const char *call)
{
	struct coll_op op;

	shmemi_enter(call);
	coll_begin_on(&op, call, &shmemi_team_world);
	(void)coll_call_sync(&op);
}

SHMEMI_API(void, sync_all, (void))
{
	sync_world("shmem_sync_all");
}

SHMEMI_API(void, barrier_all, (void))
{
	shmemi_enter("shmem_barrier_all");
	rb_quiet(rb_ctx_default);
	sync_world("shmem_barrier_all");
}
