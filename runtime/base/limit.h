/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_LIMIT_H
#define RB_BASE_LIMIT_H

/**
 * @file
 * Limits of a process (ulimit). -f limits memory files too, and the kernel kills a process that
 * makes a larger one.
 */

#include <stdint.h>

/** May a file have @p size bytes? 0, or -EFBIG with words. */
int rb_limit_check(uint64_t size);
/** For the end of a message: "; limits here, to be raised: ulimit -v 500000", or "" where none is
 *  low. */
const char *rb_limit_words(void);

#endif /* RB_BASE_LIMIT_H */
