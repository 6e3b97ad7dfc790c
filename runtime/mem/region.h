/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_REGION_H
#define RB_MEM_REGION_H

/**
 * @file
 * The inbound region of this host: control blocks, rings, heaps and static data of its PEs.
 */

#include <stddef.h>
#include <stdint.h>

/** Fill rb.lay for a heap of @p heap_size bytes. 0, or -EINVAL / -ENOMEM with words. */
int rb_layout(size_t heap_size);
/** Inbound region of rb.lay.size bytes: huge pages where they suffice, else ordinary ones. */
int rb_region_create(void);
/** The same from the EAL's memory, for ports that need a bus address aligned to @p align. */
int rb_region_reserve(uint64_t align);
/** Where adapters find it; 0: they are emulated. */
uint64_t rb_region_bus(void);
/** Map the region that @p fd already holds; takes the fd. */
int rb_region_map(int fd);
/** The same where @p map maps it piece by piece into addresses that are reserved; what it returns
 *  is returned. */
int rb_region_map_pieces(int (*map)(uint8_t *at, void *arg), void *arg);

void rb_region_free(void);

#endif /* RB_MEM_REGION_H */
