/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 5: a row goes through all PEs, each adds its part, without any barrier.
 */
#include "lesson.h"

#define N 500

static long row[N];
static uint64_t arrived; /* the signal: how many rows have come */

int
main(void)
{
	shmem_init();
	int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n;

	if (me == 0) { /* PE 0 begins, and gets the row last */
		usleep(20000);
		shmem_long_put_signal(row, row, N, &arrived, 1, SHMEM_SIGNAL_SET, right);
	}

	/* YOURS: wait until a row has arrived here. All but PE 0 then add me to each of its
	 * numbers, and put it on to the right neighbour, together with its signal. */
	shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
	if (me != 0) {
		for (int i = 0; i < N; i++)
			row[i] += me;
		shmem_long_put_signal(row, row, N, &arrived, 1, SHMEM_SIGNAL_SET, right);
	}
	/* END OF YOURS */

	if (me == 0)
		lesson_says("row", row[0] + row[N - 1], n * (n - 1L));
	lesson_says("signal", (long)shmem_signal_fetch(&arrived), 1);
	shmem_finalize();
	return 0;
}
