/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Habits that other implementations let programs have: the version asked of a macro of theirs, a
 * finalize too many, results and PE numbers looked at behind it.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

#if !defined(OSHMEM_SPEC_VERSION) || OSHMEM_SPEC_VERSION < 10300
#error "not even OpenSHMEM 1.3"
#endif

static uint64_t came;

int
main(void)
{
	int me, n;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	shmem_uint64_p(&came, (uint64_t)me + 1, (me + 1) % n);
	shmem_finalize();
	shmem_finalize();
	if (came != (uint64_t)((me + n - 1) % n) + 1 || me != shmem_my_pe() || n != shmem_n_pes()) {
		fprintf(stderr, "%d of %d: %ju came\n", me, n, (uintmax_t)came);
		return 1;
	}
	printf("%d of %d: passed\n", shmem_my_pe(), shmem_n_pes());
	return 0;
}
