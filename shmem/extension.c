/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "shmemi.h"
#include "shmemx.h"

SHMEMI_EXPORT void *
shmemx_window(int pe, size_t *len)
{
	shmemi_enter("shmemx_window");
	if (pe < 0 || pe >= shmemi.npes || len == NULL)
		return NULL;
	return rb_window(pe, len);
}
