/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_LATER_H
#define SHMEMI_LATER_H

/**
 * @file
 * Checked mode: the sources of nonblocking puts, which the program must not change before a quiet
 * (section 9.7). What they held is compared with what they hold at that quiet.
 */

#include <stddef.h>

#include "rb.h"

void shmemi_later_note(const char *call, const struct rb_ctx *ctx, const void *source, size_t len)
	__attribute__((cold));
/** A quiet of @p ctx begins. */
void shmemi_later_end(const struct rb_ctx *ctx) __attribute__((cold));

#endif /* SHMEMI_LATER_H */
