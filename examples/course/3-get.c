/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Lesson 3: read what another PE has, and read back what was written there.
 */
#include "lesson.h"

#define N 1000

static long theirs[N]; /* what others read */
static long place[N];  /* what the left neighbour writes */

int
main(void)
{
	long got[N] = {0}, back[N] = {0}, mine[N], sum = 0, same = 0;

	shmem_init();
	int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();

	for (int i = 0; i < N; i++) {
		theirs[i] = me + 1;
		mine[i] = 7L * i + me;
	}
	shmem_barrier_all();

	/* YOURS: get the right neighbour's theirs into got. Then put mine into its place, make
	 * sure that it has arrived, and get place from there into back. */
	shmem_long_get(got, theirs, N, right);
	shmem_long_put(place, mine, N, right);
	shmem_quiet();
	shmem_long_get(back, place, N, right);
	/* END OF YOURS */

	for (int i = 0; i < N; i++) {
		sum += got[i];
		same += back[i] == mine[i];
	}
	lesson_says("got", sum, N * (right + 1L));
	lesson_says("back", same, N);
	shmem_finalize();
	return 0;
}
