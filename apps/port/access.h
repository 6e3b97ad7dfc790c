/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ACCESS_H
#define ACCESS_H

/**
 * @file
 * All that the tests do with a port: its handle, and accesses of its window, which go in messages
 * where it is addresses alone. A test of theirs puts a port that misbehaves in place of access.c.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct ntb_port;
struct ntb_port_config;
struct ntb_port_info;

/** As ntb_port_get() and its like. */
int access_port(uint16_t dev_id, struct ntb_port_info *ret_info);
int access_configure(struct ntb_port *port, const struct ntb_port_config *conf);
void access_stop(struct ntb_port *port);

/** One access of 1, 2, 4 or 8 bytes, aligned. */
void access_store(volatile void *at, uint64_t v, unsigned int width);
uint64_t access_load(const volatile void *at, unsigned int width);
/** Store @p len bytes as a copy does, in accesses of any width. */
void access_copy(volatile void *at, const void *from, size_t len);
/** Load them. */
void access_fetch(void *to, const volatile void *at, size_t len);
/** Copy whole words of 8 bytes by non-temporal stores, which only a fence orders. */
void access_stream(volatile void *at, const void *from, size_t len);
/** Stores before it come before those behind it. */
void access_fence(void);

typedef _Atomic(uint64_t) port_word;

/** One store of 8 bytes; access_fence() alone orders it. */
static inline void
store_word(port_word *at, uint64_t v)
{
	access_store((volatile void *)at, v, sizeof(v));
}

#endif /* ACCESS_H */
