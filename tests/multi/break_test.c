/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A cable breaks while its two hosts use its window directly, until the job ends by that. Before
 * the end no PE may take for data what is not.
 *
 * Usage: multi-break loads|stores
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <shmem.h>

enum {
	SLOTS = 64, /* puts under way */
	WORDS = 32, /* of a put */
	FEW = 4,    /* of a get that is done by loads */
};

/* on the heap: static data has no place in the window of an adapter */
static uint64_t *data, *flag, *back;

static void
wrong(const char *what, uint64_t got, uint64_t want)
{
	char text[120];
	int n = snprintf(text, sizeof(text), "PE %d: WRONG DATA: %s is 0x%llx, not 0x%llx\n",
			 shmem_my_pe(), what, (unsigned long long)got, (unsigned long long)want);

	/* the process may be in exit() already, which holds the locks of streams */
	if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0)
		_exit(2);
	shmem_global_exit(2);
}

static void
load(int from)
{
	static uint64_t got[FEW];
	unsigned int i;

	shmem_uint64_get(got, data, FEW, from);
	for (i = 0; i < FEW; i++)
		if (got[i] != i)
			wrong("a word got", got[i], i);
}

static void
send(uint64_t round)
{
	static uint64_t from[WORDS];
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		from[i] = round;
	if (round >= SLOTS)
		shmem_uint64_wait_until(back, SHMEM_CMP_GT, round - SLOTS);
	shmem_uint64_put(data + round % SLOTS * WORDS, from, WORDS, 1);
	shmem_fence();
	shmem_uint64_p(flag, round, 1);
}

static void
receive(uint64_t round)
{
	const uint64_t *slot = data + round % SLOTS * WORDS;
	unsigned int i;

	shmem_uint64_wait_until(flag, SHMEM_CMP_GE, round);
	for (i = 0; i < WORDS; i++)
		if (slot[i] != round)
			wrong("a word put", slot[i], round);
	shmem_uint64_p(back, round, 0);
}

int
main(int argc, char **argv)
{
	bool loads = argc == 2 && strcmp(argv[1], "loads") == 0;
	uint64_t round;
	int me;

	shmem_init();
	me = shmem_my_pe();
	data = shmem_calloc(SLOTS * WORDS + 2, sizeof(*data));
	if (data == NULL)
		shmem_global_exit(3);
	flag = &data[SLOTS * WORDS];
	back = flag + 1;
	for (round = 0; loads && round < FEW; round++)
		data[round] = round;
	shmem_barrier_all();
	for (round = 1;; round++)
		if (loads)
			load(1 - me);
		else if (me == 0)
			send(round);
		else
			receive(round);
}
