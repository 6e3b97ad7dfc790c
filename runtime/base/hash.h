/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_HASH_H
#define RB_BASE_HASH_H

/**
 * @file
 * FNV-1a with 64 bits: a fingerprint for names and builds, not a defence. No DPDK here.
 */

#include <stddef.h>
#include <stdint.h>

#define RB_HASH_START 14695981039346656037u

/** Add @p len bytes to the hash @p h, which begins as RB_HASH_START. */
static inline uint64_t
rb_hash(uint64_t h, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ p[i]) * 1099511628211u;
	return h;
}

#endif /* RB_BASE_HASH_H */
