/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 2: each PE puts a number into the boxes of all PEs.
 */
#include "lesson.h"

int
main(void)
{
	long *box = NULL; /* box[i] is for the number of PE i */

	shmem_init();
	int me = shmem_my_pe(), n = shmem_n_pes();
	long number = 10 + me;

	/* YOURS: give each PE a box of n longs, all 0, in symmetric memory; then put number
	 * into box[me] of every PE, yourself included. */
	box = shmem_calloc((size_t)n, sizeof(*box));
	for (int pe = 0; pe < n; pe++)
		shmem_long_p(&box[me], number, pe);
	/* END OF YOURS */

	shmem_barrier_all(); /* now all puts of all PEs are there: lesson 4 */
	lesson_says("memory", box != NULL, 1);
	for (int pe = 0; box && pe < n; pe++)
		lesson_says(pe == me ? "own box" : "box", box[pe], 10 + pe);
	shmem_free(box);
	shmem_finalize();
	return 0;
}
