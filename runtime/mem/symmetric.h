/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_SYMMETRIC_H
#define RB_MEM_SYMMETRIC_H

/**
 * @file
 * Symmetric segments: the heap, and the static data of the main executable.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Is [addr, addr+len) inside a symmetric segment (heap or static data)? Overflow safe. */
bool rb_symmetric(const void *addr, size_t len);
/** Address at which this PE may load and store PE @p pe's copy of @p addr; NULL if it cannot. */
void *rb_ptr(const void *addr, int pe);
/** A number that names [addr, addr+len) in this PE's symmetric memory to other PEs of this host. 0
 *  where the range is not symmetric, or where they do not map it. */
uint64_t rb_sym_name(const void *addr, size_t len);
/** Memory that PE @p pe of this host has named by rb_sym_name(); NULL: the name is not valid. */
void *rb_sym_at(uint64_t name, size_t len, int pe);
/** The window onto a PE's heap on a neighbour host, as memory of this process, for measurements:
 *  puts store through it. NULL where the PE is on this host, or more than one hop away. */
void *rb_window(int pe, size_t *len);
bool rb_pe_shares(int pe); /**< can this PE load and store that PE's heap (same host)? */

/* ---- within the runtime ---- */

/** Find the writable static data of the main executable. */
void rb_data_find(void);
/** Move the static data into the region, so that other PEs reach it as they reach the heap. 0, or
 *  -errno with words. */
int rb_data_remap(void);

#endif /* RB_MEM_SYMMETRIC_H */
