/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_SPACE_H
#define SHMEMX_SPACE_H

/**
 * @file
 * Part of shmemx.h: memory spaces, which are symmetric heaps of a team.
 */

#include <stddef.h>

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup spaces Memory spaces
 *
 *  Follows pull requests 567 and 90, issues 195, 341 and 455 of openshmem-org/specification.
 *
 *  A space is symmetric memory beside the heap, made for a team, with a size, a NUMA node, a kind
 * of pages and maybe a file of its own. Objects in it are symmetric among the members of the team,
 * and every call of the library takes them as it takes objects of the heap: put, get, atomics,
 * signals, waits, collectives, locks, shmem_ptr().
 *
 *  The environment variable SHMEM_SPACES gives the bytes for all spaces of a PE, and for
 * shmemx_heap_grow() (default 0). They are address space behind the heap, within the same windows;
 * a space takes memory when it is created.
 *
 *  Create, destroy, malloc, align, free and flush are collective: all members make them, in the
 * same order, with the same arguments, by one thread each, and a PE takes part in one creation at a
 * time. They return on all members alike.
 */
/** @{ */
struct shmemx_space;
typedef struct shmemx_space *shmemx_space_t;
#define SHMEMX_SPACE_INVALID ((shmemx_space_t)0)

/** How a space shall be. */
typedef struct {
	size_t size;	  /**< bytes of each member; rounded up to the granule, 2 MiB or more */
	size_t page_size; /**< 0: any; 2097152: huge pages, where the kernel has them for shared
			     memory */
	int node; /**< NUMA node that its memory must be on; -1: the PE's own, if it can be */
	/** NULL, or the beginning of a file name: member i begins with the content of the file
	 * named file.i, and with zeros beyond its end or where there is none. shmemx_space_flush()
	 * and shmemx_space_destroy() write it. So the content outlives the job, and so do the
	 * places of objects that are allocated by the same calls. May name any folder. */
	const char *file;
} shmemx_space_config_t;

/** What a space, or the heap, is like now. All is of the calling PE. */
typedef struct {
	void *base;	     /**< first byte */
	size_t size;	     /**< bytes */
	size_t used;	     /**< of them allocated, rounded up to 64 for each block */
	size_t largest_free; /**< of the largest block that can be allocated now */
	size_t page_size;    /**< that was asked for, or 4096 */
	int node;	     /**< of its first page; -1: unknown */
} shmemx_space_info_t;

/**
 * Create a space of @p team. Its memory is zero, or has the content of the file.
 *
 * @return 0; -1, after a line on stderr: the team is SHMEM_TEAM_INVALID, a bad configuration, no
 * room in SHMEM_SPACES, no memory on some member, no such node, the file cannot be read. @p space
 * is SHMEMX_SPACE_INVALID then
 */
int shmemx_space_create(shmem_team_t team, const shmemx_space_config_t *config,
			shmemx_space_t *space);

/** Barrier of the team, write the file if there is one, give the memory back. Destroying the team
 *  does this for all of its spaces; shmem_finalize() does not. @return 0; -1: a file could not be
 *  written on some member, after a line on stderr */
int shmemx_space_destroy(shmemx_space_t space);

/** Allocate in a space, as shmem_malloc() and shmem_align(): a barrier of the team is at the end.
 *  @return NULL on all members: no room, or @p size is 0 */
void *shmemx_space_malloc(shmemx_space_t space, size_t size);
void *shmemx_space_align(shmemx_space_t space, size_t alignment, size_t size);
/** A barrier of the team is at the beginning. @p ptr is NULL or what the calls above returned. */
void shmemx_space_free(shmemx_space_t space, void *ptr);

/** Barrier of the team, then write the file. @return 0, also without a file; -1 as above */
int shmemx_space_flush(shmemx_space_t space);

/** Not collective, by any thread, at any time. @return 0; -1: invalid space, or @p info is NULL */
int shmemx_space_query(shmemx_space_t space, shmemx_space_info_t *info);
/** The same for the symmetric heap, with what it has grown by. What the library keeps there counts
 * as used. */
int shmemx_heap_query(shmemx_space_info_t *info);

/**
 * Make the symmetric heap larger by @p size bytes of SHMEM_SPACES, rounded up as the size of a
 * space is. shmem_malloc() and its kin take what they need from the new part where the heap has no
 * room; a block lies in one part, so shmemx_heap_query() tells the sum of all in size, and the
 * largest block of any in largest_free. The heap never gets smaller again.
 *
 * Collective over SHMEM_TEAM_WORLD. All PEs pass the same.
 * @return 0; -1, after a line on stderr: @p size is 0, no room in SHMEM_SPACES, no memory on some
 * PE, or the heap has grown 63 times
 */
int shmemx_heap_grow(size_t size);
/** @} */

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_SPACE_H */
