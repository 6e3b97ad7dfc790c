/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Many small messages: an array of doubles goes to the right neighbour element by element, each
 * by a shmem_double_p of its own.
 */
#include "example.h"

static double
value(int pe, size_t i, size_t count)
{
	return (double)pe + (double)(i + 1) / (double)(count + 1);
}

static long
send_singly(double *array, size_t count)
{
	int me = shmem_my_pe(), npes = shmem_n_pes();
	int right = (me + 1) % npes, left = (me + npes - 1) % npes;
	double t, issued, done;
	long errors = 0;
	size_t i;

	for (i = 0; i < count; i++)
		array[i] = -1.0;
	shmem_barrier_all();
	t = ex_now();
	for (i = 0; i < count; i++)
		shmem_double_p(&array[i], value(me, i, count), right);
	issued = ex_now() - t;
	shmem_barrier_all();
	done = ex_now() - t;
	for (i = 0; i < count; i++)
		errors += array[i] != value(left, i, count);
	if (me == 0)
		printf("%10zu %10zu %12.3f %12.3f %12.1f\n", count, count * sizeof(double),
		       issued * 1e3, done * 1e3, done * 1e9 / (double)count);
	shmem_barrier_all();
	return errors;
}

int
main(int argc, char **argv)
{
	long max = 130000, errors = 0;
	const struct ex_opt opts[] = {
		{'n', "doubles of the largest array", &max, 1, 1L << 27, NULL},
		{0},
	};
	double *array;
	size_t count;

	ex_start(argc, argv, "Send an array by shmem_double_p, element by element.", opts);
	array = ex_alloc((size_t)max * sizeof(double));
	if (shmem_my_pe() == 0)
		printf("dip: %d PEs\n%10s %10s %12s %12s %12s\n", shmem_n_pes(), "doubles", "bytes",
		       "issued ms", "done ms", "ns/double");
	for (count = 130; count < (size_t)max; count *= 10)
		errors += send_singly(array, count);
	errors += send_singly(array, (size_t)max);
	return ex_finish(errors);
}
