/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "error.h"
#include "heap.h"
#include "race_log.h"
#include "state.h"

static struct race_log *log_own; /* at one address of the heap on all PEs */
static struct rb_ctx *log_ctx;

struct race_log *
race_log_mine(void)
{
	return log_own;
}

int
race_log_open(void)
{
	log_own = shmemi_heap_alloc(SHMEMI_HEAP_ALIGN, sizeof(*log_own));
	if (log_own == NULL)
		return -ENOMEM;
	memset(log_own, 0, sizeof(*log_own));
	log_ctx = rb_ctx_create();
	return log_ctx == NULL ? -ENOMEM : 0;
}

void
race_log_close(void)
{
	if (log_ctx != NULL)
		rb_ctx_destroy(log_ctx);
	log_ctx = NULL;
}

static void
fail_if(int err, int pe, const void *addr, size_t len)
{
	if (err != 0)
		shmemi_fail("SHMEM_CHECK", err, pe, addr, len);
}

void
race_log_read(int pe, void *to, const void *from, size_t len)
{
	fail_if(rb_get(log_ctx, pe, to, from, len), pe, from, len);
}

static void
write_log(int pe, void *to, const void *from, size_t len)
{
	if (len != 0)
		fail_if(rb_put(log_ctx, pe, to, from, len), pe, to, len);
}

static uint64_t
swap_lock(int pe, const struct rb_amo *a)
{
	uint64_t old = 0;

	fail_if(rb_amo(log_ctx, pe, &log_own->lock, a, &old, false), pe, &log_own->lock,
		sizeof(old));
	return old;
}

/* The memory is in the heap, where the program may store anything. */
static void
check_copy(const struct race_copy *c)
{
	bool good = c->head.used <= RACE_RECORDS && c->head.next < RACE_RECORDS;
	size_t i;

	for (i = 0; good && i < c->head.used; i++) {
		const struct race_record *r = &c->record[i];

		good = r->pe >= 0 && r->pe < shmemi.npes && r->later <= 1 &&
		       r->kind <= SHMEMI_LOCK && r->span.n != 0 && r->span.stride != 0 &&
		       memchr(r->call, '\0', sizeof(r->call)) != NULL;
	}
	if (!good)
		shmemi_fatal("SHMEM_CHECK", "the log of PE %d's memory was overwritten", c->pe);
}

void
race_log_take(struct race_copy *c, int pe)
{
	const struct rb_amo a = {
		.op = RB_AMO_CSWAP, .size = 8, .operand = (uint64_t)shmemi.pe + 1, .cond = 0};
	struct rb_wait w = {.what = RB_FOR_PE, .whom = (uint64_t)pe};

	while (swap_lock(pe, &a) != 0)
		rb_wait_turn(&w);
	rb_wait_end(&w);
	c->pe = pe;
	race_log_read(pe, &c->head, &log_own->head, sizeof(c->head));
	if (c->head.used <= RACE_RECORDS && c->head.next < RACE_RECORDS)
		race_log_read(pe, c->record, log_own->record, c->head.used * sizeof(*c->record));
	check_copy(c);
}

void
race_log_give(struct race_copy *c, int i)
{
	const struct rb_amo a = {.op = RB_AMO_SWAP, .size = 8, .operand = 0};

	if (i < 0)
		write_log(c->pe, log_own->record, c->record, c->head.used * sizeof(*c->record));
	else if (i < RACE_RECORDS)
		write_log(c->pe, &log_own->record[i], &c->record[i], sizeof(*c->record));
	if (i < RACE_RECORDS)
		write_log(c->pe, &log_own->head, &c->head, sizeof(c->head));
	rb_fence(log_ctx);
	(void)swap_lock(c->pe, &a);
}
