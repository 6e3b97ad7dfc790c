/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_POSTED_H
#define COLL_POSTED_H

/**
 * @file
 * Posted collectives. Each team has a queue of them and a fiber (core/fiber.h), in which they run
 * one after the other by the same algorithms as blocking ones. Members post the collectives of a
 * team in the same order, so they run in the same order everywhere, in the same symmetric memory:
 * there is no protocol between PEs besides that of the blocking ones. Those of different teams run
 * beside each other.
 */

#include <stdbool.h>

#include "request.h"

/** A request of a team, whose work the caller says and then posts. Sets *handle. NULL: no such
 * team, or no memory. */
struct coll_request *coll_post_begin(const char *call, shmem_team_t team, shmemx_req_h *handle);
/** Returns 0. */
int coll_post_request(struct coll_request *request);

/** A call of the interface: 0, or -1. The work is written to where it stays. */
#define COLL_POST(call, team, handle, ...)                                           \
	do {                                                                         \
		struct coll_request *r_ = coll_post_begin((call), (team), (handle)); \
                                                                                     \
		if (r_ == NULL)                                                      \
			return -1;                                                   \
		r_->work = (struct coll_work){__VA_ARGS__};                          \
		return coll_post_request(r_);                                        \
	} while (0)

/** Advance all that is posted, by a bounded amount. */
void coll_posted_advance(void);
/** Wait for @p request. */
void coll_posted_wait(struct coll_request *request);
/** Advance all that is posted until @p ended says that it is enough. */
void coll_posted_wait_any(bool (*ended)(void *arg), void *arg);
/** A completed request is given back. */
void coll_posted_end(struct coll_request *request);
/** Both. */
void coll_posted_complete(struct coll_request *request);
/** Requests of a team that the program has not completed. */
unsigned int coll_posted_open_on(const struct shmemi_team *team);
/** Wait until nothing that this PE has posted is under way. Requests stay. */
void coll_posted_drain_all(const char *call);

void coll_posted_open(void);
/** After coll_posted_drain_all(). Before the runtime closes. */
void coll_posted_close(void);

#endif /* COLL_POSTED_H */
