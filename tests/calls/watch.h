/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef WATCH_H
#define WATCH_H

#include "calls.h"

/** An epoch that takes longer than @p seconds ends the program; it says where each thread is. */
void watch_open(unsigned int seconds);
void watch_epoch(int number);
void watch_op(int lane, const struct op *op);

#endif /* WATCH_H */
