/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "coll.h"
#include "../stuck.h"

/* What all members must do alike, and whether they do. */
struct call {
	uint64_t name;
	uint64_t dest;
	uint64_t args[2];
	uint64_t differs;
};

enum {
	NAMES_DIFFER = 1 << 0,
	DESTS_DIFFER = 1 << 1,
	ARGS_DIFFER = 1 << 2,
};

static void
compare(void *out, const void *a, const void *b, size_t n)
{
	const struct call *x = a, *y = b;
	struct call *o = out;
	size_t i;

	for (i = 0; i < n; i++) {
		uint64_t differs = x[i].differs | y[i].differs;

		if (x[i].name != y[i].name)
			differs |= NAMES_DIFFER;
		if (x[i].dest != y[i].dest)
			differs |= DESTS_DIFFER;
		if (x[i].args[0] != y[i].args[0] || x[i].args[1] != y[i].args[1])
			differs |= ARGS_DIFFER;
		o[i] = x[i];
		o[i].differs = differs;
	}
}

/* FNV-1a: of names of calls, which nobody chooses to collide. */
static uint64_t
hash(const char *text)
{
	uint64_t h = 14695981039346656037u;

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * 1099511628211u;
	return h;
}

/* The same object on all PEs? Only the heap is at known offsets. */
static uint64_t
place_of(const void *dest)
{
	uintptr_t off = (uintptr_t)dest - (uintptr_t)rb_heap_base();

	return off < rb_heap_size() ? off + 1 : 0;
}

static void
in_team(const struct coll_op *op, const struct call *mine)
{
	const struct coll_reduction how = {
		.combine = compare, .size = sizeof(struct call), .local = true};
	struct call all;
	char who[128];

	coll_reduce(op, &all, mine, 1, &how);
	if (all.differs & NAMES_DIFFER) {
		shmemi_stuck_others(who, sizeof(who));
		shmemi_fatal(op->call, "another member of the team called another collective: %s",
			     who);
	}
	if (all.differs & DESTS_DIFFER)
		shmemi_fatal(
			op->call,
			"the object is %#zx bytes into the heap here, elsewhere on another member",
			(size_t)(mine->dest - 1));
	if (all.differs & ARGS_DIFFER)
		shmemi_fatal(op->call,
			     "size %llu or root or alignment %llu is not what another member of "
			     "the team "
			     "gave",
			     (unsigned long long)mine->args[0], (unsigned long long)mine->args[1]);
}

void
coll_check_buffers(const struct coll_op *op, const void *dest, size_t dest_len, const void *source,
		   size_t source_len)
{
	uintptr_t d = (uintptr_t)dest, s = (uintptr_t)source;

	if (!shmemi.check || source_len == 0)
		return;
	if (source == NULL)
		shmemi_fatal(op->call, "source is NULL, %zu bytes", source_len);
	/* in place is for reductions to allow, and let pass elsewhere as programs do it */
	if (d != s && (d < s ? s - d < dest_len : d - s < source_len))
		shmemi_fatal(op->call, "source and dest overlap: %p and %p, %zu bytes", source,
			     dest, source_len);
}

void
coll_check_enter(const struct coll_op *op, const void *dest, uint64_t size, uint64_t root)
{
	const struct call mine = {
		.name = hash(op->call), .dest = place_of(dest), .args = {size, root}};

	shmemi_stuck_enter(op->call);
	if (__atomic_exchange_n(&op->state->busy, true, __ATOMIC_ACQUIRE))
		shmemi_fatal(op->call, "another thread is in a collective of this team");
	in_team(op, &mine);
}

void
coll_check_leave(const struct coll_op *op)
{
	__atomic_store_n(&op->state->busy, false, __ATOMIC_RELEASE);
	shmemi_stuck_leave();
}

void
shmemi_check_team(const char *call, struct shmemi_team *team, const void *at, uint64_t size,
		  uint64_t how)
{
	struct coll_op op;

	coll_begin_on(&op, call, team);
	coll_enter(&op, at, size, how);
}

void
shmemi_check_team_end(struct shmemi_team *team)
{
	struct coll_op op;

	coll_begin_on(&op, "", team);
	coll_leave(&op);
}
