/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_REQUEST_H
#define COLL_REQUEST_H

/**
 * @file
 * The requests of posted collectives, and their handles. A handle is a place in a table and the
 * number of its use, so one that was completed before is known as such, whoever has copied it.
 */

#include <stdatomic.h>

#include "shmemx.h"
#include "work.h"

enum {
	COLL_PLACE_BITS = 20,	  /**< of a handle; the rest is the use */
	COLL_REQUEST_CHUNK = 256, /**< requests that are allocated at a time */
	COLL_REQUEST_CHUNKS = (1 << COLL_PLACE_BITS) / COLL_REQUEST_CHUNK,
};

enum coll_request_state {
	COLL_REQUEST_POSTED,
	COLL_REQUEST_DONE
};

struct coll_request {
	/** Poster: POSTED, before it pushes the request. Runner: DONE, release, as the last thing
	 *  that it does with the request: pairs with the acquire of test and wait, which then may
	 *  read the program's dest and give the request back. */
	_Alignas(64) _Atomic uint32_t state;
	const char *call;
	struct shmemi_team *team; /**< may be destroyed before the request is given back */
	int slot;		  /**< of the team */
	uint32_t place;
	uint64_t use; /**< counts up: odd while it is used; others read it to check a handle */
	struct coll_request *next; /**< in its queue, or among the free ones */
	uint64_t since;		   /**< time of the post, for the wait; 0: not taken, or used */
	uintptr_t posted;	   /**< checked mode: where the program posted it */
	_Alignas(64) struct coll_work work; /**< a line, which the post writes and the run reads */
};

/** A free request is used from here on, or one that is used is free: handles of it until now name
 *  none. By the thread that has it. */
static inline void
coll_request_turn(struct coll_request *r)
{
	__atomic_store_n(&r->use, r->use + 1, __ATOMIC_RELAXED);
}

/** @return NULL: no memory, or 2^20 are in use */
struct coll_request *coll_request_new(void);
void coll_request_free(struct coll_request *request);
void coll_requests_close(void);

/** Requests never move, and their memory stays until the end: a handle of the past leads to a
 *  request whose use differs. */
struct coll_request_table {
	unsigned int
		chunks; /**< stored with release after the chunk: pairs with coll_request_of() */
	struct coll_request *chunk[COLL_REQUEST_CHUNKS];
};
extern struct coll_request_table coll_request_table __attribute__((visibility("hidden")));

/** Never SHMEMX_REQ_INVALID: the use of a request that is posted is odd. */
static inline shmemx_req_h
coll_request_handle(const struct coll_request *r)
{
	return (shmemx_req_h)(uintptr_t)(r->use << COLL_PLACE_BITS | r->place);
}

/** @return NULL: @p handle names none, or one that was completed before */
static inline struct coll_request *
coll_request_of(shmemx_req_h handle)
{
	uint64_t v = (uint64_t)(uintptr_t)handle, use = v >> COLL_PLACE_BITS;
	uint64_t place = v & ((1u << COLL_PLACE_BITS) - 1);
	struct coll_request *r;

	if (place / COLL_REQUEST_CHUNK >=
	    __atomic_load_n(&coll_request_table.chunks, __ATOMIC_ACQUIRE))
		return NULL;
	r = &coll_request_table.chunk[place / COLL_REQUEST_CHUNK][place % COLL_REQUEST_CHUNK];
	/* 44 bits of the use fit the handle */
	if (use % 2 == 0 ||
	    (__atomic_load_n(&r->use, __ATOMIC_RELAXED) ^ use) << COLL_PLACE_BITS != 0)
		return NULL;
	return r;
}

#endif /* COLL_REQUEST_H */
