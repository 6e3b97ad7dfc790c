/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_PROXY_H
#define RB_OP_PROXY_H

/**
 * @file
 * The lead carries out the operations that the other PEs of its host post (host/proxy_client.h).
 */

#include <stdbool.h>

/** Call once, before rb_host_publish(). 0 or -errno with an error text. */
int rb_proxy_init(void);
/** Carry out one operation that another PE posted. Any thread that polls may call it, but not
 *  inside a turn, because it may wait. @return true if there was one */
bool rb_proxy_serve(void);

#endif /* RB_OP_PROXY_H */
