/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_WEAK_POSTED_H
#define LAB_WEAK_POSTED_H

/**
 * @file
 * Stores through a window that have left the CPU and are on their way, in builds with
 * -Dweak_window=true: of weak.c alone.
 */

#include <stdint.h>

/** A store of @p size bytes, which weak.c has let go. With RINGBELL_WEAK_POSTED=1 it lands
 *  later, behind all earlier ones of @p window. */
void rb_weak_post(unsigned int window, uint8_t *to, uint64_t value, unsigned int size);
/** What is under way through @p window lands. */
void rb_weak_land(unsigned int window);

#endif /* LAB_WEAK_POSTED_H */
