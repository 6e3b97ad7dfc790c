/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <rte_common.h>

#include "mem/available.h"
#include "base/error.h"
#include "base/file.h"
#include "base/state.h"
#include "base/types.h"
#include "mem/layout.h"
#include "mem/numa.h"

/*
 * The heap of this PE: a reservation in its host's region. It takes memory as parts of it are
 * committed.
 */
enum {
	DEFAULT_LEAST = 4 << 20,
	/* Memory of a process before it has any heap, measured: with ports, and without. */
	START_LEAD = 12 << 20,
	START_PE = 3 << 20,
	STEPS_SHARE = 16, /* all PEs together commit this part of memory at a time, */
	STEPS_MOST = 256 << 20,
};

static size_t own; /* bytes of the heap that the library keeps for itself */

/* Address space that one PE's heap costs: the host's region, and windows of that size. */
static uint64_t
address_space(size_t heap)
{
	uint64_t maps = rb.hosts == 1 ? 1 : 4;

	return maps * (uint64_t)heap * (unsigned int)rb.most_locals;
}

size_t
rb_heap_own(void)
{
	return own;
}

/* PEs of this machine. They commit the same sizes at about the same time. */
static uint64_t
committing_pes(void)
{
	return (uint64_t)(rb_emulated() ? rb.npes : rb.locals);
}

/* Checked beforehand, because a PE that runs out of memory while it starts is killed without a
 * message. */
static int
check_start(const struct rb_available *room)
{
	uint64_t leads = rb.hosts == 1 ? 0 : rb_emulated() ? (uint64_t)rb.hosts : 1;
	uint64_t takes = leads * START_LEAD + (committing_pes() - leads) * START_PE;
	uint64_t mine = rb.hosts > 1 && rb.local == 0 ? START_LEAD : START_PE;

	if (takes > room->limit)
		return rb_fail(-ENOMEM,
			       "%s has %llu MiB, and the PEs of this job take about %llu to start: "
			       "give it more memory, or start fewer PEs",
			       room->limit_of, (unsigned long long)room->limit >> 20,
			       (unsigned long long)takes >> 20);
	if (mine > room->left)
		return rb_fail(-ENOMEM,
			       "%s has %llu of %llu MiB left, and a PE takes about %llu to start: "
			       "give it more memory, or start fewer PEs",
			       room->bound, (unsigned long long)room->left >> 20,
			       (unsigned long long)room->bound_of >> 20,
			       (unsigned long long)mine >> 20);
	return 0;
}

/* The default size, or less where the machine has less. */
static int
fit_default(const struct rb_params *params, const struct rb_available *room, size_t *size)
{
	uint64_t pes = (uint64_t)(rb_emulated() ? rb.npes : rb.most_locals);
	struct rlimit as = {.rlim_cur = RLIM_INFINITY};

	getrlimit(RLIMIT_AS, &as);
	/* halved, so that machines which are nearly alike come to the same */
	while (*size > DEFAULT_LEAST &&
	       (*size + params->heap_own > room->limit / pes ||
		(as.rlim_cur != RLIM_INFINITY && address_space(*size) > as.rlim_cur / 2)))
		*size /= 2;
	if (*size + params->heap_own <= room->limit / (unsigned int)rb.most_locals)
		return 0;
	return rb_fail(-ENOMEM,
		       "%s has %llu MiB, too little for the heaps of %d PEs, of %zu MiB at least: "
		       "give it more memory, or start fewer PEs",
		       room->limit_of, (unsigned long long)room->limit >> 20, rb.most_locals,
		       (*size + params->heap_own) >> 20);
}

int
rb_heap_fit(const struct rb_params *params, size_t *size)
{
	struct rb_available room;
	int ret;

	own = params->heap_own;
	rb_available_look("", &room);
	ret = check_start(&room);
	*size = params->heap_size;
	if (ret == 0 && !params->heap_given)
		ret = fit_default(params, &room, size);
	*size += params->heap_own;
	return ret;
}

void *
rb_heap_base(void)
{
	return rb_mem.heap;
}

size_t
rb_heap_size(void)
{
	return rb_mem.lay.heap_size;
}

/* Without the descriptor, which a program may have closed: since Linux 5.14. */
static int
populate_range(size_t from, size_t upto)
{
	return madvise(rb_mem.heap + from, upto - from, MADV_POPULATE_WRITE) == 0 ? 0 : -errno;
}

static int
change_file(int mode, size_t from, size_t upto)
{
	return fallocate(rb_mem.file.fd, mode, rb_mem.heap - rb_mem.region + (off_t)from,
			 (off_t)(upto - from)) == 0
		       ? 0
		       : -errno;
}

static int
commit_range(size_t from, size_t upto)
{
	return rb_file_ours(&rb_mem.file) ? change_file(0, from, upto) : populate_range(from, upto);
}

/* By the file, unless the program has closed it: QEMU's user mode answers the advice with success
 * and does nothing. */
static int
remove_range(size_t from, size_t upto)
{
	if (rb_file_ours(&rb_mem.file))
		return change_file(FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, upto);
	return madvise(rb_mem.heap + from, upto - from, MADV_REMOVE);
}

/* Gives the memory back where it is whole pages. */
void
rb_heap_clear(size_t from, size_t upto)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), first, last;

	if (from >= upto)
		return;
	first = RTE_ALIGN_CEIL(from, page);
	last = RTE_ALIGN_FLOOR(upto, page);
	if (rb_mem.whole || first >= last || remove_range(first, last) < 0) {
		memset(rb_mem.heap + from, 0, upto - from);
		return;
	}
	memset(rb_mem.heap + from, 0, first - from);
	memset(rb_mem.heap + last, 0, upto - last);
}

/*
 * How much of @p want bytes to commit next; 0: there is no room. Any other PE of the machine may be
 * between its check and its commit. All PEs have the same largest step, and each check leaves one
 * step for every other PE. So together they never take more than there is.
 */
static size_t
next_step(size_t want)
{
	uint64_t all = committing_pes(), most, others;
	struct rb_available room;

	rb_available_look("", &room);
	most = RTE_MIN(room.limit / STEPS_SHARE, (uint64_t)STEPS_MOST) / all;
	most = RTE_MAX(most & ~(uint64_t)(RB_PAGE - 1), (uint64_t)RB_PAGE);
	others = (all - 1) * most;
	if (room.left > others && want <= room.left - others)
		return RTE_MIN(want, most);
	rb_fail(-ENOMEM,
		"no memory for %zu bytes more of symmetric heap: %s%s has %llu of %llu bytes left",
		want, room.bound, all > 1 ? ", which other PEs share," : "",
		(unsigned long long)room.left, (unsigned long long)room.bound_of);
	return 0;
}

/* Step by step; @p at moves to where it came to. */
static int
commit_steps(size_t *at, size_t upto)
{
	size_t step;
	int err;

	for (; *at < upto; *at += step) {
		step = next_step(upto - *at);
		if (step == 0)
			return -ENOMEM;
		err = commit_range(*at, *at + step);
		if (err < 0)
			return rb_fail(-ENOMEM,
				       "no memory for %zu bytes more of symmetric heap: %s",
				       upto - *at, strerror(-err));
	}
	return 0;
}

int
rb_heap_commit(size_t upto)
{
	size_t at = rb_mem.committed;
	int err;

	if (upto > rb_mem.lay.heap_size)
		return rb_fail(-ENOMEM, "the symmetric heap has %llu bytes",
			       (unsigned long long)rb_mem.lay.heap_size);
	upto = RTE_ALIGN_CEIL(upto, (size_t)RB_PAGE);
	if (rb_mem.whole)
		return 0;
	if (upto < at)
		rb_heap_clear(upto, at);
	err = commit_steps(&at, upto);
	if (err < 0)
		rb_heap_clear(rb_mem.committed, RTE_MIN(at, upto));
	else
		rb_mem.committed = upto;
	return err;
}

int
rb_heap_range(const struct rb_range *range)
{
	size_t at = range->from, upto = range->from + range->size;
	int err;

	if (!rb_inside(range->from, range->size, rb_mem.lay.heap_size))
		return rb_fail(-EINVAL, "no such part of the heap");
	err = rb_numa_bind(rb_mem.heap + at, range->size, range->node);
	if (err < 0)
		return rb_fail(err, "memory of node %d: %s", range->node, strerror(-err));
	/* a wish: the kernel may have no huge pages for shared memory */
	if (range->huge)
		madvise(rb_mem.heap + at, range->size, MADV_HUGEPAGE);
	if (rb_mem.whole)
		return 0;
	err = commit_steps(&at, upto);
	if (err < 0)
		rb_heap_clear(range->from, RTE_MIN(at, upto));
	return err;
}

int
rb_heap_node(const void *at)
{
	return rb_numa_node(at);
}
