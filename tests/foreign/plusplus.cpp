/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A C++ program: overloads instead of generic selection, standard containers beside symmetric
 * memory.
 */
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include <shmem.h>
#include <shmemx.h>

namespace
{
int failures;

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
histogram()
{
	const int n = shmem_n_pes();
	long *bins = static_cast<long *>(shmem_calloc(32, sizeof(long)));
	long *sums = static_cast<long *>(shmem_calloc(32, sizeof(long)));
	std::uint32_t x = static_cast<std::uint32_t>(shmem_my_pe() + 1);

	for (int i = 0; i < 500; i++) {
		x = x * 1664525u + 1013904223u;
		shmem_atomic_inc(&bins[x >> 27], static_cast<int>(x >> 8) % n);
	}
	shmem_barrier_all();
	shmem_sum_reduce(SHMEM_TEAM_WORLD, sums, bins, 32);
	expect(std::accumulate(sums, sums + 32, 0L) == 500L * n, "every count is there");
	shmem_free(sums);
	shmem_free(bins);
}

/* Extensions, by names without types. */
template <typename T>
void
extensions()
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	T *at = static_cast<T *>(shmem_calloc(64, sizeof(T)));
	T *all = static_cast<T *>(shmem_calloc(64, sizeof(T)));
	shmemx_req_h request;

	at[0] = at[1] = static_cast<T>(me + 1);
	expect(shmemx_sum_reduce_nb(SHMEM_TEAM_WORLD, all, at, 2, &request) == 0, "post");
	expect(shmemx_req_wait(&request) == 0, "wait");
	expect(all[1] == static_cast<T>(n * (n + 1) / 2), "sum");
	shmem_sync_all();
	shmemx_iput_nbi(at + 4, all, 2, 1, 2, (me + 1) % n);
	shmemx_iput_nbi(SHMEM_CTX_DEFAULT, at + 5, all, 2, 1, 2, (me + 1) % n);
	shmem_barrier_all();
	expect(at[4] == all[0] && at[5] == all[0] && at[6] == all[1], "strided");
	shmem_barrier_all();
	shmem_free(all);
	shmem_free(at);
}

void
more_extensions()
{
	const int me = shmem_my_pe(), n = shmem_n_pes();
	double *part = static_cast<double *>(shmem_calloc(2, sizeof(*part)));
	std::complex<float> *z = static_cast<std::complex<float> *>(shmem_calloc(2, sizeof(*z)));
	long *flag = static_cast<long *>(shmem_calloc(1, sizeof(*flag)));
	shmemx_req_h request;

	part[0] = me;
	z[0] = std::complex<float>(static_cast<float>(me), 1);
	expect(shmemx_max_reduce_nb(SHMEM_TEAM_WORLD, part + 1, part, 1, &request) == 0, "post");
	expect(shmemx_req_wait(&request) == 0, "wait");
	expect(shmemx_sum_reduce_nb(SHMEM_TEAM_WORLD, z + 1, z, 1, &request) == 0, "complex post");
	expect(shmemx_req_wait(&request) == 0, "wait");
	expect(static_cast<int>(part[1]) == n - 1, "the largest");
	expect(static_cast<int>(z[1].imag()) == n, "the complex sum");
	expect(shmemx_wait_until_for(flag, SHMEM_CMP_EQ, 1l, 0) == 1, "it gives up");
	shmem_barrier_all();
	shmem_p(flag, 1l, (me + 1) % n);
	expect(shmemx_wait_until_for(flag, SHMEM_CMP_EQ, 1l, UINT64_MAX) == 0, "it has come");
	shmem_barrier_all();
	shmem_free(flag);
	shmem_free(z);
	shmem_free(part);
}
} // namespace

int
main()
{
	shmem_init();
	rotate<int>(5);
	rotate<unsigned long>(7);
	rotate<double>(0.5);
	rotate<char>('a');
	rotate<long long>(-9);
	old_names();
	histogram();
	extensions<int>();
	extensions<unsigned long>();
	extensions<float>();
	extensions<short>();
	more_extensions();
	std::printf("%d of %d: %s\n", shmem_my_pe(), shmem_n_pes(), failures ? "FAILED" : "passed");
	shmem_finalize();
	return failures != 0;
}
