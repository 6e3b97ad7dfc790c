/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_CLOCK_H
#define LAB_DST_CLOCK_H

/**
 * @file
 * Virtual time.
 */

#include <stdint.h>

/** What clock @p id shows, in ns. */
uint64_t dst_clock(long id);
/** The virtual time at which it shows @p ns. */
uint64_t dst_due(long id, uint64_t ns);
/** The clock counter: a cycle takes 1 ns. */
uint64_t dst_tsc(void);

#endif /* LAB_DST_CLOCK_H */
