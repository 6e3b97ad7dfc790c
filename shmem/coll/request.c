/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sched.h>
#include <stdlib.h>

#include "request.h"

enum {
	PLACE_BITS = 20,
	CHUNK_BITS = 8,
	CHUNK = 1 << CHUNK_BITS, /* requests that are allocated at a time */
	CHUNKS = 1 << (PLACE_BITS - CHUNK_BITS),
};

/* Requests never move, and their memory stays until the end: a handle of the past leads to a
 * request whose use differs. */
static struct {
	atomic_flag lock; /* held for a few instructions, but where the table grows */
	struct coll_request *chunk[CHUNKS];
	unsigned int chunks; /* stored with release after the chunk: pairs with coll_request_of() */
	struct coll_request *free;
} table = {.lock = ATOMIC_FLAG_INIT};

/* Threads that the program orders need no lock; service lcores neither take nor give back. */
static bool
is_locked(void)
{
	return shmemi.thread_level == SHMEM_THREAD_MULTIPLE;
}

static void
lock_table(void)
{
	while (is_locked() && atomic_flag_test_and_set_explicit(&table.lock, memory_order_acquire))
		sched_yield();
}

static void
unlock_table(void)
{
	if (is_locked())
		atomic_flag_clear_explicit(&table.lock, memory_order_release);
}

/* Under the lock. */
static void
grow_table(void)
{
	unsigned int n = table.chunks, i;
	struct coll_request *chunk;

	chunk = n < CHUNKS ? calloc(CHUNK, sizeof(*chunk)) : NULL;
	if (chunk == NULL)
		return;
	for (i = CHUNK; i-- > 0;) {
		chunk[i].place = n << CHUNK_BITS | i;
		chunk[i].next = table.free;
		table.free = &chunk[i];
	}
	table.chunk[n] = chunk;
	__atomic_store_n(&table.chunks, n + 1, __ATOMIC_RELEASE);
}

struct coll_request *
coll_request_new(void)
{
	struct coll_request *r;

	lock_table();
	if (table.free == NULL)
		grow_table();
	r = table.free;
	if (r != NULL)
		table.free = r->next;
	unlock_table();
	if (r != NULL)
		coll_request_turn(r);
	return r;
}

void
coll_request_free(struct coll_request *r)
{
	coll_request_turn(r);
	lock_table();
	r->next = table.free;
	table.free = r;
	unlock_table();
}

/* Never SHMEMX_REQ_INVALID: the use of a request that is posted is odd. */
shmemx_req_h
coll_request_handle(const struct coll_request *r)
{
	return (shmemx_req_h)(uintptr_t)(r->use << PLACE_BITS | r->place);
}

struct coll_request *
coll_request_of(shmemx_req_h handle)
{
	uint64_t v = (uint64_t)(uintptr_t)handle, use = v >> PLACE_BITS;
	uint64_t place = v & ((1u << PLACE_BITS) - 1);
	struct coll_request *r;

	if (place >> CHUNK_BITS >= __atomic_load_n(&table.chunks, __ATOMIC_ACQUIRE))
		return NULL;
	r = &table.chunk[place >> CHUNK_BITS][place & (CHUNK - 1)];
	/* 44 bits of the use fit the handle */
	if (use % 2 == 0 || (__atomic_load_n(&r->use, __ATOMIC_RELAXED) ^ use) << PLACE_BITS != 0)
		return NULL;
	return r;
}

void
coll_requests_close(void)
{
	unsigned int i;

	for (i = 0; i < table.chunks; i++)
		free(table.chunk[i]);
	table.chunks = 0;
	table.free = NULL;
}
