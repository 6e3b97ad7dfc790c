/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A program of the first OpenSHMEM: start_pes, the old allocator, no finalize at the end.
 */
#include <stdio.h>
#include <unistd.h>

#include <shmem.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int
main(void)
{
	int me, n, bad;
	long *word, *more;

	alarm(60);
	start_pes(0);
	start_pes(0);
	me = _my_pe();
	n = _num_pes();
	word = shmemalign(128, sizeof(*word));
	more = shrealloc(shmalloc(100), 10000);
	*word = -1;
	shmem_barrier_all();
	shmem_long_p(word, me, (me + 1) % n);
	more[1200] = me;
	shmem_barrier_all();
	bad = *word != (me + n - 1) % n || shmem_long_g(&more[1200], (me + 1) % n) != (me + 1) % n;
	if (bad)
		fprintf(stderr, "PE %d: word is %ld\n", me, *word);
	shmem_barrier_all();
	shfree(more);
	shfree(word);
	return bad;
}
