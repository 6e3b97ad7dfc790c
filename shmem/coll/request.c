/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "request.h"

struct coll_request_table coll_request_table;

/* Those that are not used. */
static struct {
	atomic_flag lock; /* held for a few instructions, but where the table grows */
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
	unsigned int n = coll_request_table.chunks, i;
	struct coll_request *chunk;

	if (n == COLL_REQUEST_CHUNKS)
		return;
	chunk = aligned_alloc(_Alignof(struct coll_request), COLL_REQUEST_CHUNK * sizeof(*chunk));
	if (chunk == NULL)
		return;
	memset(chunk, 0, COLL_REQUEST_CHUNK * sizeof(*chunk));
	for (i = COLL_REQUEST_CHUNK; i-- > 0;) {
		chunk[i].place = n * COLL_REQUEST_CHUNK + i;
		chunk[i].next = table.free;
		table.free = &chunk[i];
	}
	coll_request_table.chunk[n] = chunk;
	__atomic_store_n(&coll_request_table.chunks, n + 1, __ATOMIC_RELEASE);
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

void
coll_requests_close(void)
{
	unsigned int i;

	for (i = 0; i < coll_request_table.chunks; i++)
		free(coll_request_table.chunk[i]);
	coll_request_table.chunks = 0;
	table.free = NULL;
}
