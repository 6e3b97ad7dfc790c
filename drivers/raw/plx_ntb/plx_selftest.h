/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_SELFTEST_H
#define PLX_SELFTEST_H

#include "plx_chip.h"

/* Exercises registers of a shut chip; scratchpads survive, doorbells end clear and masked. */
int plx_chip_selftest(struct plx_chip *chip);

#endif /* PLX_SELFTEST_H */
