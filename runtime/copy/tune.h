/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_COPY_TUNE_H
#define RB_COPY_TUNE_H

/**
 * @file
 * The table of copy methods.
 */

#include <stdint.h>

/** Apply one line of a file of copy methods (copy/tune.c). No operation may be outstanding.
 *  @return 0, or -EINVAL with words in rb_error() */
int rb_tune_line(const char *line);

/* ---- within the runtime ---- */

/** Built-in values, then the file @p path ("none": no file). As above. */
int rb_tune_change(const char *path);

enum rb_tune_op {
	RB_TUNE_PUT,
	RB_TUNE_GET,
	RB_TUNE_OPS
};

enum rb_dist {
	RB_DIST_HOST,	/**< memory of this host */
	RB_DIST_WINDOW, /**< a neighbour's, through a window that is memory */
	RB_DIST_BRIDGE, /**< a neighbour's, through a window of PCI Express */
	RB_DIST_FAR,	/**< the slot of a neighbour, on the way to another host */
	RB_DISTS
};

/** Kind of the remote memory. */
enum rb_memkind {
	RB_MEM_HEAP,
	RB_MEM_STATIC,
	RB_MEM_PRIVATE, /**< static data that was not remapped */
	RB_MEM_KINDS
};

/** Is the source in a cache? Assumed up to the size that the table calls `cache`. */
enum rb_warmth {
	RB_WARM,
	RB_COLD,
	RB_WARMTHS
};

enum rb_method {
	RB_METHOD_MEMCPY,
	RB_METHOD_NT,	   /**< stores of 64 bytes past the caches */
	RB_METHOD_CMA,	   /**< Cross Memory Attach */
	RB_METHOD_DMA,	   /**< a dmadev */
	RB_METHOD_REQUEST, /**< get: a request, answered by stores of the other side */
	RB_METHODS
};

#define RB_NEVER UINT64_MAX

struct rb_tune {
	uint64_t cache;
	/** least bytes of each method; the largest value that fits selects it */
	uint64_t from[RB_TUNE_OPS][RB_DISTS][RB_MEM_KINDS][RB_WARMTHS][RB_METHODS];
	char path[512]; /**< file that was read; empty: built-in values */
};
extern struct rb_tune rb_tune;

/** Built-in values, then the file. 0, or -errno with words. */
int rb_tune_open(void);

#endif /* RB_COPY_TUNE_H */
