/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_H
#define RB_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rb_wire.h"

/** A place in a symmetric segment. */
struct rb_loc {
	enum rb_seg seg;
	uint64_t off;
};

/** Fill rb.lay for a heap of @p heap_size bytes. 0, or -EINVAL / -ENOMEM with words. */
int rb_layout(size_t heap_size);
/** What both sides of a link must agree on before they use each other's region. */
uint32_t rb_layout_hash(void);

/** Inbound region of rb.lay.size bytes: huge pages where they suffice, else ordinary ones. */
int rb_region_create(void);
/** The same from the EAL's memory, for ports that need bus addresses aligned to @p align. */
int rb_region_reserve(size_t align);
void rb_region_free(void);

/** Find the writable static data of the main executable. */
void rb_data_find(void);

/** @return 0 or -EFAULT: not in a symmetric segment */
int rb_locate(const void *addr, size_t len, struct rb_loc *loc);

/** Local memory of (seg, off); the caller has checked the bounds. */
uint8_t *rb_seg_at(enum rb_seg seg, uint64_t off);

#endif /* RB_MEM_H */
