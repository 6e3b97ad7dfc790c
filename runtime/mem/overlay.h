/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_OVERLAY_H
#define RB_MEM_OVERLAY_H

/**
 * @file
 * Files in place of parts of heaps: the memory of a part is that of a file, in each process that
 * maps the part. A process maps the heaps of its host's PEs, and those of neighbours in windows.
 * All of them must do so before any stores into the part.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Can this process have them? 0, or -ENOTSUP with words in rb_error(). */
int rb_overlay_may(void);
/** Does this process map the heap of @p pe? */
bool rb_overlay_reaches(int pe);
/** Map the file over [from, from + size) of the heap of @p pe: whole huge pages, without an overlay
 *  there. What was stored there is kept out of sight. The file may be closed then.
 *  @return 0, or -errno: nothing is mapped */
int rb_overlay_put(int pe, size_t from, size_t size, int fd, off_t off);
/** Map the host's memory there again. Nothing where there is no overlay. */
void rb_overlay_take(int pe, size_t from);

#endif /* RB_MEM_OVERLAY_H */
