/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A cable breaks while its two hosts load each other's memory, until the job ends by that. Before
 * the end no PE may take for data what is not.
 */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <shmem.h>

enum {
	FEW = 4, /* words of a get that is done by loads */
};

static void
tell_wrong(uint64_t got, uint64_t want)
{
	char text[120];
	int n = snprintf(text, sizeof(text), "PE %d: FAILED: a word got is 0x%llx, not 0x%llx\n",
			 shmem_my_pe(), (unsigned long long)got, (unsigned long long)want);

	/* the process may be in exit() already, which holds the locks of streams */
	if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0)
		_exit(2);
	shmem_global_exit(2);
}

int
main(void)
{
	uint64_t *data, got[FEW], i;

	shmem_init();
	/* on the heap: static data has no place in the window of an adapter */
	data = shmem_calloc(FEW, sizeof(*data));
	if (data == NULL)
		shmem_global_exit(3);
	for (i = 0; i < FEW; i++)
		data[i] = i;
	shmem_barrier_all();
	for (;;) {
		shmem_uint64_get(got, data, FEW, 1 - shmem_my_pe());
		for (i = 0; i < FEW; i++)
			if (got[i] != i)
				tell_wrong(got[i], i);
	}
}
