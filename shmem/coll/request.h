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

enum coll_request_state {
	COLL_REQUEST_POSTED,
	COLL_REQUEST_DONE
};

struct coll_request {
	/** Poster: POSTED, before it pushes the request. Runner: DONE, release, as the last thing
	 *  that it does with the request: pairs with the acquire of test and wait, which then may
	 *  read the result and the program's dest, and give the request back. */
	_Atomic uint32_t state;
	int result; /**< of coll_work_run() */
	struct coll_op op;
	struct coll_work work;
	struct coll_request *next; /**< in its queue, or among the free ones */
	uint64_t since;		   /**< time of the post, for the wait; 0: not taken, or used */
	int slot; /**< of its team, which may be destroyed before the request is given back */
	uint32_t place;
	uint64_t use; /**< counts up: odd while it is used; others read it to check a handle */
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
shmemx_req_h coll_request_handle(const struct coll_request *request);
/** @return NULL: @p handle names none, or one that was completed before */
struct coll_request *coll_request_of(shmemx_req_h handle);
void coll_requests_close(void);

#endif /* COLL_REQUEST_H */
