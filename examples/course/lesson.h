/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What all lessons share: lesson.py reads the lines that lesson_says() prints.
 */
#include <stdio.h>
#include <unistd.h>

#include <shmem.h>

#define UNSET (-99)

static inline void
lesson_says(const char *what, long is, long should)
{
	printf("%s: PE %d has %ld, should have %ld\n", what, shmem_my_pe(), is, should);
}
