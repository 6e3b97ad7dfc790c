/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Included in front of each file by "make coverage": a process that ends by _exit() writes its
 * counts too, such as a PE of a job that has ended.
 */
#include <stdlib.h>
#include <unistd.h>

void __gcov_dump(void);

#define _exit(status) (__gcov_dump(), _exit(status))
#define _Exit(status) (__gcov_dump(), _Exit(status))
