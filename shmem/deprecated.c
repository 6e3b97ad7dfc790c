/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "core/shmemi.h"

/*
 * Heap routines under the names of OpenSHMEM 1.0 and 1.1 (annex F). They are other names of the
 * API's functions, hence the profiling names: a tool must not see one call twice.
 */

SHMEMI_EXPORT void *pshmem_malloc(size_t size);
SHMEMI_EXPORT void pshmem_free(void *ptr);
SHMEMI_EXPORT void *pshmem_realloc(void *ptr, size_t size);
SHMEMI_EXPORT void *pshmem_align(size_t alignment, size_t size);

SHMEMI_EXPORT void *
shmalloc(size_t size)
{
	return pshmem_malloc(size);
}

SHMEMI_EXPORT void
shfree(void *ptr)
{
	pshmem_free(ptr);
}

SHMEMI_EXPORT void *
shrealloc(void *ptr, size_t size)
{
	return pshmem_realloc(ptr, size);
}

SHMEMI_EXPORT void *
shmemalign(size_t alignment, size_t size)
{
	return pshmem_align(alignment, size);
}
