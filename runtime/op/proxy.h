/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OP_PROXY_H
#define RB_OP_PROXY_H

/**
 * @file
 * The lead does what the other PEs of its host hand over.
 */

#include <stdbool.h>

/** Once, before rb_host_publish(). 0 or -errno, words. */
int rb_proxy_init(void);
/** Do one thing that another PE handed over, by whoever polls; not inside of a turn: it may wait.
 *  @return true where there was one */
bool rb_proxy_serve(void);

#endif /* RB_OP_PROXY_H */
