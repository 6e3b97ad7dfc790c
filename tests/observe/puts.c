/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Puts by a list: puts FILE SIZE, where a line of FILE is "PE TARGET". PE 0 prints "ready" and
 * waits for a line of input, then each PE makes its puts; PE 0 prints "done" when all are complete,
 * and waits for the end of its input.
 */
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

/* PE 0 hears from outside, the others from PE 0. */
static void
meet(int me, const char *say)
{
	char line[16];

	if (me == 0) {
		puts(say);
		fflush(stdout);
		if (fgets(line, sizeof(line), stdin) == NULL && *say == 'r')
			shmem_global_exit(1);
	}
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	size_t size = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	FILE *list = argc == 3 ? fopen(argv[1], "r") : NULL;
	int pe, target;
	char *to, *from;

	shmem_init();
	to = shmem_calloc(1, size);
	from = calloc(1, size);
	if (list == NULL || to == NULL || from == NULL)
		shmem_global_exit(1);
	meet(shmem_my_pe(), "ready");
	while (fscanf(list, "%d %d", &pe, &target) == 2)
		if (pe == shmem_my_pe())
			shmem_putmem(to, from, size, target);
	shmem_barrier_all();
	meet(shmem_my_pe(), "done");
	fclose(list);
	free(from);
	shmem_free(to);
	shmem_finalize();
	return 0;
}
