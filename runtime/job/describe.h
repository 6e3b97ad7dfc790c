/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_DESCRIBE_H
#define RB_JOB_DESCRIBE_H

#include <stdio.h>

/** Print a few lines for people: how this process copies, and how it reaches the static data of
 *  others. */
void rb_describe(FILE *out);

/** At start, by PE 0: print a line for unusual static data. */
void rb_describe_start(void);

#endif /* RB_JOB_DESCRIBE_H */
