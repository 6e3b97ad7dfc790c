/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_SPACE_H
#define LAB_DST_SPACE_H

/**
 * @file
 * Names for places in memory that processes share.
 */

#include <stdbool.h>
#include <stdint.h>

#include "seg.h"

/** Where an address is: number of the shared object and offset, 0 outside of all. */
uint64_t dst_place(uint64_t addr);
struct key dst_key(uint64_t addr, bool shared);
void dst_mapped(uint64_t from, uint64_t len, uint64_t fd, uint64_t off);
void dst_unmapped(uint64_t from, uint64_t len);

#endif /* LAB_DST_SPACE_H */
