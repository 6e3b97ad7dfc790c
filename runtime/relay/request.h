/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_REQUEST_H
#define RB_RELAY_REQUEST_H

/**
 * @file
 * Requests that wait for a reply.
 */

#include <stdbool.h>
#include <stdint.h>

#include "host/lbuf.h"

struct rb_desc;

/** A get or fetching AMO that waits for its reply. Claimed by app, finished by poll. */
struct rb_req {
	struct rb_lbuf dst;
	uint32_t len;
	uint32_t id;		   /**< generation << 8 | index; what the reply must carry */
	bool remote_store;	   /**< the reply may say RB_DESC_STORED */
	_Atomic uint32_t *pending; /**< decremented (release) when dst is filled */
};
enum {
	RB_REQS = 128
};

extern struct rb_requests {
	struct rb_req req[RB_REQS];
	_Atomic uint64_t claimed[RB_REQS / 64]; /**< app, poll: a bit for each */
} rb_requests;

/** Claim a request entry; waits until one is free. */
struct rb_req *rb_req_claim(const struct rb_lbuf *dst, uint32_t len, _Atomic uint32_t *pending);
/** Wait until @p pending is 0. */
void rb_pending_wait(_Atomic uint32_t *pending);
/** Handle a GET_REPLY or AMO_REPLY frame for this host. */
void rb_req_finish(const struct rb_desc *d, const uint8_t *payload);

#endif /* RB_RELAY_REQUEST_H */
