/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_LAYOUT_FIT_H
#define RB_MEM_LAYOUT_FIT_H

/**
 * @file
 * The layout of the region against the size of the windows that show it.
 *
 * A window shows a region from its start, where the runtime's rings and slots are; the heaps
 * follow. Normally it shows all of it. A window in which no heap has room, such as one of 1 MiB,
 * shows the runtime's part alone: frames then carry what is stored in heaps and static data, and
 * what is loaded from there. A heap that is only too large for the window is an error.
 */

#include <stdint.h>

/** Fit rb_mem.lay to windows of @p window bytes, whose size is set by @p setting (for messages).
 *  Takes a smaller rb.chunk where the window needs it and the user gave none. All PEs of a job come
 *  to the same layout if their windows are alike. 0, or -ENOMEM with words. */
int rb_layout_fit(uint64_t window, const char *setting);

/** -ENOMEM, with words on what does not fit and how large a heap may be. */
int rb_layout_fit_refuse(uint64_t window, const char *setting);

#endif /* RB_MEM_LAYOUT_FIT_H */
