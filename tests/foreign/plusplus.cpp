/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A C++ program: overloads instead of generic selection, standard containers beside symmetric
 * memory, and a finalize that the destructor of a global object makes. Before C++20 as it was
 * written for headers of C: inside of an extern "C", with C's complex types.
 */
#if __cplusplus < 202002L
extern "C" {
#include <shmem.h>
#include <shmemx.h>
}
#endif
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <shmem.h>
#include <shmemx.h>

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
	int me, n;
	~Job()
	{
		shmem_finalize();
		std::printf("%d of %d: %s\n", me, n, failures ? "FAILED" : "passed");
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

template <typename T>
void
rotate(T first)
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	T *at = static_cast<T *>(shmem_calloc(16, sizeof(T)));
	std::vector<T> mine(16), back(16);

	std::iota(mine.begin(), mine.end(), first);
	shmem_put(at, mine.data(), mine.size(), (me + 1) % n);
	shmem_barrier_all();
	shmem_get(back.data(), at, back.size(), me);
	expect(mine == back, "what came is what was sent");
	shmem_barrier_all();
	shmem_p(at, first, (me + 1) % n);
	shmem_quiet();
	expect(shmem_g(at, (me + 1) % n) == first, "one element");
	shmem_barrier_all();
	shmem_free(at);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/* Overloads beyond what the standard names: the old atomics, and waits for several short words. */
void
old_names()
{
	const int pe = (shmem_my_pe() + 1) % shmem_n_pes();
	unsigned long *word = static_cast<unsigned long *>(shmem_calloc(1, sizeof(*word)));
	short *words = static_cast<short *>(shmem_calloc(2, sizeof(*words)));

	expect(shmem_fadd(word, 2ul, pe) == 0, "fadd of unsigned long");
	shmem_p(&words[0], static_cast<short>(-1), pe);
	shmem_p(&words[1], static_cast<short>(-2), pe);
	shmem_wait_until_all(words, 2, static_cast<const int *>(nullptr), SHMEM_CMP_LT,
			     static_cast<short>(0));
	expect(shmem_test_any(words, 2, static_cast<const int *>(nullptr), SHMEM_CMP_EQ,
			      static_cast<short>(-2)) == 1,
	       "test_any of short");
	shmem_barrier_all();
	shmem_free(words);
	shmem_free(word);
}
#pragma GCC diagnostic pop

void
complex_sums()
{
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
}
} // namespace

int
main()
{
	shmem_init();
	job.me = shmem_my_pe();
	job.n = shmem_n_pes();
	rotate<int>(5);
	rotate<unsigned long>(7);
	rotate<double>(0.5);
	rotate<char>('a');
	rotate<long long>(-9);
	old_names();
	complex_sums();
	return 0;
}
