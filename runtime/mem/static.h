/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_STATIC_H
#define RB_MEM_STATIC_H

#include <stdint.h>

/** Copy the static data to offset @p at of a file that is zero there. Pages that were never touched
 *  are left out. 0 or -errno. */
int rb_static_copy(int fd, uint64_t at);

#endif /* RB_MEM_STATIC_H */
