/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_DESCRIBE_H
#define RB_JOB_DESCRIBE_H

#include <stdio.h>

/** How this process copies, and how it reaches static data of others: a few lines, for people. */
void rb_describe(FILE *out);

/** At start, by PE 0: a line for what is not as usual. */
void rb_describe_start(void);

#endif /* RB_JOB_DESCRIBE_H */
