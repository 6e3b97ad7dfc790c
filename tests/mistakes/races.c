/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Runs the program of races.def that the argument names; "fine": all that have no race, between
 * barriers; without one, lists the others for test_races.py. Usage: races [NAME]
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <shmem.h>

#define WORLD SHMEM_TEAM_WORLD
#define on(pe) if (me == (pe))
#define await(word, value) shmem_long_wait_until(word, SHMEM_CMP_GE, value)

static long x, y, flag, flag2, counter, lock, lock2, a[16], b[16], *block;
static uint64_t sig;
static shmem_team_t pair;
static int me;

/* clang-format off: statements in arguments */
#define RACE(name, words, ...)        \
	static void race_##name(void) \
	{                             \
		__VA_ARGS__;          \
	}
#define FINE(name, ...)               \
	static void fine_##name(void) \
	{                             \
		__VA_ARGS__;          \
	}
#include "races.def"
#undef RACE
#undef FINE
/* clang-format on */

static const struct program {
	const char *name, *words;
	void (*run)(void);
} programs[] = {
#define RACE(name, words, ...) {#name, words, race_##name},
#define FINE(name, ...) {"fine", #name, fine_##name},
#include "races.def"
};

static void
run_program(const struct program *p)
{
	shmem_barrier_all();
	x = y = flag = flag2 = counter = 0;
	sig = 0;
	memset(a, 0, sizeof(a));
	memset(b, 0, sizeof(b));
	shmem_barrier_all();
	p->run();
	shmem_barrier_all();
}

int
main(int argc, char **argv)
{
	const struct program *p;
	int runs = 0;

	for (p = programs; argc == 1 && p < programs + sizeof(programs) / sizeof(*p); p++)
		printf("%s\t%s\n", p->name, p->words);
	if (argc == 1)
		return 0;
	shmem_init();
	me = shmem_my_pe();
	block = shmem_malloc(3 * 700 * sizeof(*block));
	shmem_team_split_strided(WORLD, 0, 1, 2, NULL, 0, &pair);
	for (p = programs; p < programs + sizeof(programs) / sizeof(*p); p++)
		if (strcmp(p->name, argv[1]) == 0) {
			if (me == 0)
				printf("%s\n", p->words);
			run_program(p);
			runs++;
		}
	shmem_finalize();
	return runs == 0;
}
