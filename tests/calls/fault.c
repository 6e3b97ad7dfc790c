/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Calls that go wrong, by the profiling interface: linked into the fuzzer's program, and into those
 * that it prints, they stand for a library with a fault. CALLS_FAULT says which.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>
#include <pshmem.h>

enum {
	LONG = 100, /* bytes; a put of more loses the last one */
};

static bool
fault(const char *name)
{
	const char *is = getenv("CALLS_FAULT");

	return is != NULL && strcmp(is, name) == 0;
}

static size_t
put_bytes(size_t n)
{
	return n > LONG && fault("put") ? n - 1 : n;
}

void
shmem_putmem(void *dest, const void *source, size_t n, int pe)
{
	pshmem_putmem(dest, source, put_bytes(n), pe);
}

void
shmem_ctx_putmem(shmem_ctx_t ctx, void *dest, const void *source, size_t n, int pe)
{
	pshmem_ctx_putmem(ctx, dest, source, put_bytes(n), pe);
}

/* Rank 1 finds a wrong byte. */
int
shmem_fcollectmem(shmem_team_t team, void *dest, const void *source, size_t n)
{
	int err = pshmem_fcollectmem(team, dest, source, n);

	if (n > 0 && pshmem_team_my_pe(team) == 1 && fault("fcollect"))
		((unsigned char *)dest)[0] ^= 1;
	return err;
}
