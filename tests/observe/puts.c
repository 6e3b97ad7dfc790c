/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Puts by a list: puts FILE SIZE, where a line of FILE is "PE TARGET"; or collectives: puts - SIZE.
 * PE 0 prints "ready" and waits for a line of input, then each PE makes its puts; PE 0 prints
 * "done" when all are complete, and waits for the end of its input.
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

static void
put_by_list(const char *name, char *to, const char *from, size_t size)
{
	FILE *list = fopen(name, "r");
	int pe, target;

	if (list == NULL)
		shmem_global_exit(1);
	while (fscanf(list, "%d %d", &pe, &target) == 2)
		if (pe == shmem_my_pe())
			shmem_putmem(to, from, size, target);
	fclose(list);
}

static void
call_collectives(char *to, const char *from, size_t size)
{
	int root;

	for (root = 0; root < shmem_n_pes(); root++)
		shmem_broadcastmem(SHMEM_TEAM_WORLD, to, from, size, root);
	shmem_fcollectmem(SHMEM_TEAM_WORLD, to, from, size);
	shmem_collectmem(SHMEM_TEAM_WORLD, to, from, size);
	shmem_uchar_sum_reduce(SHMEM_TEAM_WORLD, (unsigned char *)to, (const unsigned char *)from,
			       size);
}

int
main(int argc, char **argv)
{
	size_t size = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	char *to, *from;

	shmem_init();
	to = shmem_calloc((size_t)shmem_n_pes(), size);
	from = shmem_calloc(1, size);
	if (to == NULL || from == NULL)
		shmem_global_exit(1);
	meet(shmem_my_pe(), "ready");
	if (*argv[1] == '-')
		call_collectives(to, from, size);
	else
		put_by_list(argv[1], to, from, size);
	shmem_barrier_all();
	meet(shmem_my_pe(), "done");
	shmem_free(from);
	shmem_free(to);
	shmem_finalize();
	return 0;
}
