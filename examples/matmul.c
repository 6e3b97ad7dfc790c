/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * C = A * B by column blocks: every PE owns a block of columns of each matrix. The blocks of A
 * travel round the ring; while one is on its way to the right neighbour, its share of C is added.
 */
#include <string.h>

#include "example.h"

/* Small whole numbers, so that the sums are exact in any order. */
static double
a_at(size_t row, size_t col)
{
	return (double)((row * 3 + col * 7) % 11) - 5.0;
}

static double
b_at(size_t row, size_t col)
{
	return (double)((row * 5 + col * 2) % 13) - 6.0;
}

/** First column of PE @p pe's block of an @p n by @p n matrix. */
static size_t
first_of(int pe, size_t n)
{
	return n * (size_t)pe / (size_t)shmem_n_pes();
}

/** Add the contribution of the columns of A that PE @p owner owns to C. Columns are contiguous. */
static void
multiply(double *c, const double *a, const double *b, size_t cols, size_t n, int owner)
{
	size_t from = first_of(owner, n), to = first_of(owner + 1, n), i, j, k;

	for (j = 0; j < cols; j++) {
		for (k = from; k < to; k++) {
			double factor = b[j * n + k];

			for (i = 0; i < n; i++)
				c[j * n + i] += a[(k - from) * n + i] * factor;
		}
	}
}

static long
check(const double *c, size_t first, size_t cols, size_t n)
{
	size_t i, j, k;
	long errors = 0;
	double sum;

	for (j = 0; j < cols; j++) {
		for (i = 0; i < n; i++) {
			for (sum = 0, k = 0; k < n; k++)
				sum += a_at(i, k) * b_at(k, first + j);
			errors += c[j * n + i] != sum;
		}
	}
	return errors;
}

static long
product(double *a[2], double *b, double *c, size_t n)
{
	int me = shmem_my_pe(), npes = shmem_n_pes(), step, owner;
	size_t first = first_of(me, n), cols = first_of(me + 1, n) - first, i, j;
	double t;
	long errors;

	for (j = 0; j < cols; j++) {
		for (i = 0; i < n; i++) {
			a[0][j * n + i] = a_at(i, first + j);
			b[j * n + i] = b_at(i, first + j);
		}
	}
	memset(c, 0, cols * n * sizeof(*c));
	shmem_barrier_all();
	t = ex_now();
	for (step = 0; step < npes; step++) {
		owner = (me + npes - step) % npes;
		if (step + 1 < npes)
			shmem_double_put_nbi(a[(step + 1) & 1], a[step & 1],
					     (first_of(owner + 1, n) - first_of(owner, n)) * n,
					     (me + 1) % npes);
		multiply(c, a[step & 1], b, cols, n, owner);
		shmem_barrier_all();
	}
	t = ex_now() - t;
	errors = check(c, first, cols, n);
	if (me == 0)
		printf("%6zu %12zu %12.3f %12.1f\n", n, cols * n * sizeof(double), t * 1e3,
		       2e-6 * (double)n * (double)n * (double)n / t);
	shmem_barrier_all();
	return errors;
}

int
main(int argc, char **argv)
{
	long max = 160, errors = 0, n;
	const struct ex_opt opts[] = {
		{'n', "rows of the largest matrix", &max, 1, 8192, NULL},
		{0},
	};
	double *a[2], *b, *c;
	size_t bytes;

	ex_start(argc, argv, "Multiply matrices by column blocks.", opts);
	bytes = (size_t)(max / shmem_n_pes() + 1) * (size_t)max * sizeof(double);
	a[0] = ex_alloc(bytes);
	a[1] = ex_alloc(bytes);
	b = ex_alloc(bytes);
	c = ex_alloc(bytes);
	if (shmem_my_pe() == 0)
		printf("matmul: %d PEs\n%6s %12s %12s %12s\n", shmem_n_pes(), "n", "block bytes",
		       "ms", "Mflop/s");
	for (n = 20; n < max; n *= 2)
		errors += product(a, b, c, (size_t)n);
	errors += product(a, b, c, (size_t)max);
	return ex_finish(errors);
}
