/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 4: numbers travel round the ring, one step at a time, until each is at home again.
 */
#include "lesson.h"

static long
	slot[2]; /* in even rounds slot[0] is full and slot[1] is filled; in odd ones the reverse */

int
main(void)
{
	long seen = 0;

	shmem_init();
	int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n;

	slot[0] = 1L << me;
	shmem_sync_all(); /* nobody is sent anything before its slot is set */
	for (int round = 0; round < n; round++) {
		long now = slot[round % 2];

		seen |= now;
		if (me == round % n)
			usleep(20000); /* somebody is always late */

		/* YOURS: put now into the slot that the right neighbour reads in the next round. No
		 * PE may begin that round before its number has come, and nobody may overwrite a
		 * number that was not read yet. One put, one call. */
		shmem_long_p(&slot[(round + 1) % 2], now, right);
		shmem_barrier_all();
		/* END OF YOURS */
	}
	lesson_says("seen", seen, (1L << n) - 1);
	lesson_says("home", slot[n % 2], 1L << me);
	shmem_finalize();
	return 0;
}
