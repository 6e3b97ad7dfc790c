/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_REGION_H
#define RB_MEM_REGION_H

/**
 * @file
 * The inbound region of this host: control blocks, rings, heaps and static data of its PEs.
 */

#include <stdint.h>

#include <rte_pmd_ntb_port.h>

/** Create the inbound region of rb_mem.lay.size bytes: on huge pages where there are enough, else
 * on ordinary ones. */
int rb_region_create(void);
/** Create it from the EAL's memory, for ports that need a bus address aligned to @p align. */
int rb_region_reserve(uint64_t align);
/** Take the memory that the ports bring along. */
int rb_region_adopt(const struct ntb_port_memory *memory);
/** That memory; NULL: it is not the ports'. */
const struct ntb_port_memory *rb_region_memory(void);
/** Bus address of the region; 0: the ports are emulated. */
uint64_t rb_region_bus(void);
/** Map the region that @p fd already holds; takes the fd. */
int rb_region_map(int fd);
/** Reserve addresses for the region and let @p map map it there, piece by piece. Returns the result
 *  of @p map, or -errno. */
int rb_region_map_pieces(int (*map)(uint8_t *at, void *arg), void *arg);

void rb_region_free(void);

#endif /* RB_MEM_REGION_H */
