/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 9: a hash table over all PEs counts words, here numbers. Each PE owns a part of it.
 */
#include "lesson.h"

#define SLOTS 64 /* of each PE */
#define KEYS 40
#define TIMES 5

static long keys[SLOTS], counts[SLOTS]; /* key 0: the slot is free */
static long locks[64];			/* locks[pe] guards the part of PE pe */

/** Count @p key up in the part of PE @p owner, from slot @p first on. */
static void
count_key(long key, int owner, int first)
{
	/* YOURS: while you hold locks[owner], look at the slots of owner from first on (after the
	 * last comes slot 0) until one has the key or is free. Write the key and its count, one
	 * more than before. */
	shmem_set_lock(&locks[owner]);
	for (int i = 0; i < SLOTS; i++) {
		int slot = (first + i) % SLOTS;
		long there = shmem_long_g(&keys[slot], owner);

		if (there != key && there != 0)
			continue;
		shmem_long_p(&keys[slot], key, owner);
		shmem_long_p(&counts[slot], shmem_long_g(&counts[slot], owner) + 1, owner);
		break;
	}
	shmem_clear_lock(&locks[owner]);
	/* END OF YOURS */
	(void)key, (void)owner, (void)first;
}

int
main(void)
{
	static long used[2], total[2]; /* slots, counts */

	shmem_init();
	int n = shmem_n_pes();

	for (long i = 0; i < (long)KEYS * TIMES; i++) {
		long key = 1 + i % KEYS;

		count_key(key, (int)(key % n), (int)(key / n * 7 % 8)); /* many begin at one slot */
	}
	shmem_barrier_all();
	for (int i = 0; i < SLOTS; i++) {
		used[0] += keys[i] != 0;
		used[1] += counts[i];
	}
	shmem_long_sum_reduce(SHMEM_TEAM_WORLD, total, used, 2);
	lesson_says("slots", total[0], KEYS);
	lesson_says("counts", total[1], (long)KEYS * TIMES * n);
	shmem_finalize();
	return 0;
}
