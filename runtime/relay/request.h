/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_REQUEST_H
#define RB_RELAY_REQUEST_H

/**
 * @file
 * Requests that wait for a reply.
 */

#include <stdint.h>

struct rb_desc;
struct rb_lbuf;
struct rb_req;

/** Create the pool of requests, after the EAL has started. 0 or -errno with an error text. */
int rb_req_open(void);

void rb_req_close(void);
/** Claim a request entry; waits until one is free. */
struct rb_req *rb_req_claim(const struct rb_lbuf *dst, uint32_t len, _Atomic uint32_t *pending);
/** Wait until @p pending is 0. */
void rb_pending_wait(_Atomic uint32_t *pending);
/** Handle a GET_REPLY or AMO_REPLY frame for this host. */
void rb_req_finish(const struct rb_desc *d, const uint8_t *payload);

#endif /* RB_RELAY_REQUEST_H */
