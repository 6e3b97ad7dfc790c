/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef STORE_H
#define STORE_H

/**
 * @file
 * All stores of this program through a window, and the fence between them. A test has others.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef _Atomic(uint64_t) word;

/** One store of 8 bytes. */
void store_word(word *at, uint64_t value);

/** @p value into @p n words that follow each other, by non-temporal stores where there are any. */
void store_stream(word *at, uint64_t value, unsigned int n);

/** All earlier stores leave the CPU before any later one. */
void store_fence(void);

#endif /* STORE_H */
