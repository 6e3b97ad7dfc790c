/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 1: each PE finds its two neighbours in a ring of all PEs.
 */
#include "lesson.h"

int
main(void)
{
	int left = UNSET, right = UNSET;

	shmem_init();
	int me = shmem_my_pe(), n = shmem_n_pes();

	/* YOURS: compute left and right. The ring is closed: PE 0 has the last PE at its left. */
	left = (me + n - 1) % n;
	right = (me + 1) % n;
	/* END OF YOURS */

	printf("Hello from PE %d of %d, between PE %d and PE %d\n", me, n, left, right);
	lesson_says("left", left, me > 0 ? me - 1 : n - 1);
	lesson_says("right", right, me < n - 1 ? me + 1 : 0);
	shmem_finalize();
	return 0;
}
