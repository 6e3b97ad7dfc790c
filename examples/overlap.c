/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Power iteration: each PE has some rows of a matrix, and all need the norm of the product. The sum
 * over the PEs is under way while the next rows are computed. doc/nonblocking.md explains the
 * calls.
 */
#include <math.h>
#include <shmemx.h>

#include "example.h"

enum {
	ROWS = 64,  /* of each PE */
	PARTS = 8,  /* of these rows, of which each has a sum of its own */
	ROUNDS = 20 /* enough for six digits */
};

static double *vector, *product; /* of all PEs, of this one */
static double part[PARTS], sum[PARTS];

/* Row @p i of a matrix whose largest eigenvalue is the number of rows plus 1. */
static double
multiply_row(int i, int rows)
{
	double y = vector[i];
	int k;

	for (k = 0; k < rows; k++)
		y += vector[k];
	return y;
}

/* The square of the norm of the product, part by part: computing hides the sums. */
static double
multiply(int rows)
{
	shmemx_req_h under_way[PARTS];
	int first = shmem_my_pe() * ROWS, p, i;
	double all = 0;

	for (p = 0; p < PARTS; p++) {
		part[p] = 0;
		for (i = p * ROWS / PARTS; i < (p + 1) * ROWS / PARTS; i++) {
			product[i] = multiply_row(first + i, rows);
			part[p] += product[i] * product[i];
		}
		if (shmemx_double_sum_reduce_nb(SHMEM_TEAM_WORLD, &sum[p], &part[p], 1,
						&under_way[p]) != 0)
			shmem_global_exit(1);
	}
	shmemx_req_wait_all(under_way, PARTS);
	for (p = 0; p < PARTS; p++)
		all += sum[p];
	return all;
}

int
main(int argc, char **argv)
{
	const struct ex_opt opts[] = {{0}};
	int rows, round, i;
	double norm = 0;

	ex_start(argc, argv, "Power iteration: sums over the PEs go on beside the product.", opts);
	rows = ROWS * shmem_n_pes();
	vector = ex_alloc((size_t)rows * sizeof(*vector));
	product = ex_alloc(ROWS * sizeof(*product));
	for (i = 0; i < rows; i++)
		vector[i] = i == 0 ? 1 : 0;
	shmem_barrier_all();
	for (round = 0; round < ROUNDS; round++) {
		norm = sqrt(multiply(rows));
		for (i = 0; i < ROWS; i++)
			product[i] /= norm;
		shmem_double_fcollect(SHMEM_TEAM_WORLD, vector, product, ROWS);
		shmem_barrier_all();
	}
	if (shmem_my_pe() == 0)
		printf("overlap: %d rows, largest eigenvalue %g\n", rows, norm);
	return ex_finish(fabs(norm - (rows + 1)) < 1e-6 ? 0 : 1);
}
