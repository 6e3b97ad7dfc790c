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

/** The form of a reduction or scan. */
#define COLL_POST_FOLD(T, name, which, combine_, chain_)                               \
	SHMEMI_EXPORT int shmemx_##name(shmem_team_t team, T *dest, const T *source,   \
					size_t nelems, shmemx_req_h *request)          \
	{                                                                              \
		COLL_POST("shmemx_" #name, team, request, .kind = which, .dest = dest, \
			  .source = source, .len = nelems, .chain = chain_,            \
			  .what = {combine_, sizeof(T), false});                       \
	}

/** Advance all that is posted, by a bounded amount. */
void coll_posted_advance(void);
/** Wait for @p request. */
void coll_posted_wait(struct coll_request *request);
/** Advance all that is posted until @p ended says that it is enough. */
void coll_posted_wait_any(bool (*ended)(void *arg), void *arg);
/** A completed request is given back: its result. */
int coll_posted_end(struct coll_request *request);
/** Both. */
int coll_posted_complete(struct coll_request *request);
/** Requests of a team that the program has not completed. */
unsigned int coll_posted_open_on(const struct shmemi_team *team);
/** Wait until nothing that this PE has posted is under way. Requests stay. */
void coll_posted_drain_all(const char *call);

void coll_posted_open(void);
/** After coll_posted_drain_all(). Before the runtime closes. */
void coll_posted_close(void);

#endif /* COLL_POSTED_H */
