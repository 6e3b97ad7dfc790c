/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * C++ as it was written for headers of C: shmem.h and shmemx.h inside of an extern "C", C's complex
 * types, and a finalize that the destructor of a global object makes.
 */
extern "C" {
#include <shmem.h>
#include <shmemx.h>
}
#include <complex>
#include <cstdio>
#include <cstdlib>

namespace
{
__extension__ typedef double _Complex complex_double;
__extension__ typedef float _Complex complex_float;

complex_double sums[4], parts[4];
complex_float old_sums[4], old_parts[4], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 4];
std::complex<double> std_sum, std_part;
long psync[SHMEM_REDUCE_SYNC_SIZE];
int failures;

/* Destroyed behind whatever shmem_init() has registered for the exit. */
struct Job {
	~Job()
	{
		shmem_finalize();
		std::printf("%d of %d: %s\n", shmem_my_pe(), shmem_n_pes(),
			    failures ? "FAILED" : "passed");
		std::fflush(stdout);
		if (failures)
			std::_Exit(1);
	}
} job;

void
expect(bool ok, const char *what)
{
	if (ok)
		return;
	std::fprintf(stderr, "%d: %s\n", shmem_my_pe(), what);
	failures++;
}
} // namespace

int
main()
{
	shmem_init();
	const int me = shmem_my_pe(), n = shmem_n_pes();
	const double ranks = n * (n - 1) / 2.0;

	for (int i = 0; i < 4; i++) {
		__real__ parts[i] = me;
		__imag__ parts[i] = -i;
		__real__ old_parts[i] = static_cast<float>(i);
		__imag__ old_parts[i] = static_cast<float>(me);
	}
	for (long &word : psync)
		word = SHMEM_SYNC_VALUE;
	std_part = std::complex<double>(1, me);
	shmem_barrier_all();

	shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, sums, parts, 4);
	expect(__real__ sums[3] == ranks && __imag__ sums[3] == -3.0 * n, "the sum by name");
	shmem_barrier_all();
	shmem_sum_reduce(SHMEM_TEAM_WORLD, sums, parts, 1);
	expect(__real__ sums[0] == ranks && __imag__ sums[0] == 0, "the generic sum");
	shmem_sum_reduce(SHMEM_TEAM_WORLD, &std_sum, &std_part, 1);
	expect(std_sum == std::complex<double>(n, ranks), "the sum of the standard type");
	shmem_complexf_sum_to_all(old_sums, old_parts, 4, 0, 0, n, work, psync);
	expect(__real__ old_sums[2] == 2.0f * n && __imag__ old_sums[2] == ranks, "the old sum");
	shmem_barrier_all();
	return 0;
}
