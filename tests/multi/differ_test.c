/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Needs no static data of other PEs. NAME makes two programs of it with static data of one size. */
#include <stdio.h>

#include <shmem.h>

static const char name[] = NAME;

int
main(void)
{
	long *word;
	int me, n, bad;

	shmem_init();
	me = shmem_my_pe();
	n = shmem_n_pes();
	word = shmem_calloc(1, sizeof(*word));
	shmem_long_p(word, me + 1, (me + 1) % n);
	shmem_barrier_all();
	bad = *word != (me + n - 1) % n + 1;
	if (bad)
		fprintf(stderr, "PE %d, program %s: %ld\n", me, name, *word);
	shmem_finalize();
	return bad;
}
