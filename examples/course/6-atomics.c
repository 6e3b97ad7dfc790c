/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 6: PEs take tasks from one counter, and add up in one place what they have done.
 */
#include "lesson.h"

#define TASKS 300

static long next_task;	 /* of PE 0: the first task that nobody has taken */
static long done[TASKS]; /* of PE 0: how often each task was done */

int
main(void)
{
	long mine = 0, once = 0;

	shmem_init();
	int me = shmem_my_pe();

	shmem_barrier_all();
	for (;;) {
		long task = TASKS;

		/* YOURS: take the next task: its number is what next_task of PE 0 was before you
		 * counted it up. If it is below TASKS, count done[task] of PE 0 up. */
		task = shmem_long_atomic_fetch_inc(&next_task, 0);
		if (task < TASKS)
			shmem_long_atomic_inc(&done[task], 0);
		/* END OF YOURS */

		if (task >= TASKS)
			break;
		mine++;
	}
	shmem_barrier_all();
	printf("PE %d did %ld tasks\n", me, mine);
	for (int i = 0; i < TASKS; i++)
		once += done[i] == 1;
	if (me == 0) {
		lesson_says("counter", next_task, TASKS + shmem_n_pes());
		lesson_says("once", once, TASKS);
	}
	shmem_finalize();
	return 0;
}
