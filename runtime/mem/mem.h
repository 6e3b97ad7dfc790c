/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_MEM_H
#define RB_MEM_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rb.h"
#include "base/wire.h"

/** A place in a symmetric segment. */
struct rb_loc {
	enum rb_seg seg;
	uint64_t off;
};

/** Fill rb.lay for a heap of @p heap_size bytes. 0, or -EINVAL / -ENOMEM with words. */
int rb_layout(size_t heap_size);

/** Bytes for the heap of each PE: what was given, or so much of the default as fits the machine. 0,
 * or -ENOMEM with words where the machine has not even what a job takes to start. */
int rb_heap_fit(const struct rb_params *params, size_t *size);
/** What of it the library has for itself. */
size_t rb_heap_own(void);

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

/** The EAL's files behind the region, for the other PEs of this host: a file of this process that
 *  lists them. It, or -errno and words. */
int rb_pieces_list(void);
/** Map what such a list of the lead's process says; takes the fd. 0 or -errno, words. */
int rb_pieces_map(int fd);

/** Find the writable static data of the main executable. */
void rb_data_find(void);
/** Move it into the region, so that others reach it as they reach the heap. 0 or -errno, words. */
int rb_data_remap(void);
/** Copy it to @p at of a file that is zero there, without what was never touched. 0 or -errno. */
int rb_static_copy(int fd, uint64_t at);

/** Threads of this process; 0: /proc does not say. */
int rb_threads(void);
/** Of them, those that the kernel counts and the C library has not started. To be asked first. */
int rb_threads_unknown(void);

/** @return 0 or -EFAULT: not in a symmetric segment */
int rb_locate(const void *addr, size_t len, struct rb_loc *loc);

/** Memory of (seg, off) of a PE of this host; the caller has checked the bounds. NULL where it is
 *  another process's static data that was not remapped. */
uint8_t *rb_seg_at(unsigned int local, enum rb_seg seg, uint64_t off);

#endif /* RB_MEM_MEM_H */
