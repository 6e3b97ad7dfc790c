/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Waiting for and testing several words: all, any, some, with and without status, with one
 * comparison value and with a vector of them.
 */
#include <string.h>

#include "multi.h"
#include "types.h"

#define N 12

/* Word i is set to i + 100 by the PE i % distances to the left; excluded ones never change. */
#define WRITE(T, name, words, status)                                                          \
	do {                                                                                   \
		int d_, i_;                                                                    \
		for (d_ = 0; d_ < mt_distances(); d_++)                                        \
			for (i_ = d_; i_ < N; i_ += mt_distances())                            \
				if (!(status)[i_])                                             \
					shmem_##name##_atomic_set(&(words)[i_], (T)(i_ + 100), \
								  mt_pe(d_));                  \
	} while (0)

#define FRESH(words)                                      \
	do {                                              \
		memset((words), 0, N * sizeof(*(words))); \
		shmem_barrier_all();                      \
	} while (0)

/* Take words by any or some until all are there; each is to come once. */
#define TAKE(name, words, call, vector)                                                           \
	do {                                                                                      \
		int st_[N], n_, k_;                                                               \
		size_t got_[N], count_;                                                           \
		for (n_ = 0, k_ = 0; k_ < N; k_++) {                                              \
			st_[k_] = status[k_];                                                     \
			n_ += !status[k_];                                                        \
		}                                                                                 \
		mt_waiting(#name "_" #call);                                                      \
		while (n_ > 0) {                                                                  \
			count_ = take_##name##_##call(words, got_, st_, vector);                  \
			for (k_ = 0; k_ < (int)count_; k_++) {                                    \
				if (!mt_check(got_[k_] < N && !st_[got_[k_]], __FILE__, __LINE__, \
					      #name " " #call ": index %zu", got_[k_]))           \
					return;                                                   \
				CHECK_EQ((words)[got_[k_]], got_[k_] + 100);                      \
				st_[got_[k_]] = 1;                                                \
				n_--;                                                             \
			}                                                                         \
		}                                                                                 \
	} while (0)

/* One shape for any and some, waiting and testing: indices to got, their number is returned. */
#define TAKERS(T, name)                                                                         \
	static size_t take_##name##_wait_any(T *w, size_t *got, const int *st, T *vec)          \
	{                                                                                       \
		*got = vec ? shmem_##name##_wait_until_any_vector(w, N, st, SHMEM_CMP_GE, vec)  \
			   : shmem_##name##_wait_until_any(w, N, st, SHMEM_CMP_GT, 99);         \
		return 1;                                                                       \
	}                                                                                       \
	static size_t take_##name##_wait_some(T *w, size_t *got, const int *st, T *vec)         \
	{                                                                                       \
		return vec ? shmem_##name##_wait_until_some_vector(w, N, got, st, SHMEM_CMP_EQ, \
								   vec)                         \
			   : shmem_##name##_wait_until_some(w, N, got, st, SHMEM_CMP_GE, 100);  \
	}                                                                                       \
	static size_t take_##name##_test_any(T *w, size_t *got, const int *st, T *vec)          \
	{                                                                                       \
		*got = vec ? shmem_##name##_test_any_vector(w, N, st, SHMEM_CMP_EQ, vec)        \
			   : shmem_##name##_test_any(w, N, st, SHMEM_CMP_NE, 0);                \
		return *got != SIZE_MAX;                                                        \
	}                                                                                       \
	static size_t take_##name##_test_some(T *w, size_t *got, const int *st, T *vec)         \
	{                                                                                       \
		return vec ? shmem_##name##_test_some_vector(w, N, got, st, SHMEM_CMP_GE, vec)  \
			   : shmem_##name##_test_some(w, N, got, st, SHMEM_CMP_NE, 0);          \
	}

#define TYPED(T, name)                                                                             \
	static void name##_many(T *words, const int *status)                                       \
	{                                                                                          \
		T vec[N], *vectors[2] = {NULL, vec};                                               \
		int i, v;                                                                          \
		for (i = 0; i < N; i++)                                                            \
			vec[i] = (T)(i + 100);                                                     \
		for (v = 0; v < 2; v++) {                                                          \
			FRESH(words);                                                              \
			WRITE(T, name, words, status);                                             \
			TAKE(name, words, wait_any, vectors[v]);                                   \
			FRESH(words);                                                              \
			WRITE(T, name, words, status);                                             \
			TAKE(name, words, wait_some, vectors[v]);                                  \
			FRESH(words);                                                              \
			WRITE(T, name, words, status);                                             \
			TAKE(name, words, test_any, vectors[v]);                                   \
			FRESH(words);                                                              \
			WRITE(T, name, words, status);                                             \
			TAKE(name, words, test_some, vectors[v]);                                  \
			FRESH(words);                                                              \
			WRITE(T, name, words, status);                                             \
			mt_waiting(#name " all");                                                  \
			if (v)                                                                     \
				shmem_##name##_wait_until_all_vector(words, N, status,             \
								     SHMEM_CMP_EQ, vec);           \
			else                                                                       \
				shmem_##name##_wait_until_all(words, N, status, SHMEM_CMP_GE,      \
							      100);                                \
			for (i = 0; i < N; i++)                                                    \
				CHECK_EQ(words[i], status[i] ? 0 : i + 100);                       \
			CHECK_EQ(shmem_##name##_test_all(words, N, status, SHMEM_CMP_NE, 0), 1);   \
			CHECK_EQ(shmem_##name##_test_all_vector(words, N, status, SHMEM_CMP_EQ,    \
								vec),                              \
				 1);                                                               \
			CHECK_EQ(shmem_##name##_test_all(words, N, status, SHMEM_CMP_GT, 105), 0); \
		}                                                                                  \
		shmem_barrier_all();                                                               \
	}
/* clang-format off */
TYPES_AMO(TAKERS)
TYPES_AMO(TYPED)
/* clang-format on */

static void
with_status(const int *status)
{
	void *words = mt_alloc(N * sizeof(long));

#define CALL(T, name) name##_many(words, status);
	TYPES_AMO(CALL)
#undef CALL
	shmem_free(words);
}

static void
case_plain(void)
{
	static const int none[N];

	with_status(none);
}

static void
case_status(void)
{
	static const int some[N] = {1, 0, 0, 5, 0, -1, 0, 0, 0, 1, 0, 1};

	with_status(some);
}

/** An empty set, by nelems 0 or by a status that excludes all. */
static void
case_empty(void)
{
	static long words[3];
	static const int all[3] = {1, 1, 1};
	long vec[3] = {0, 0, 0};
	size_t indices[3], n;
	const int *status;
	int i;

	for (i = 0; i < 2; i++) {
		n = i ? 3 : 0;
		status = i ? all : NULL;
		mt_waiting("an empty set");
		shmem_long_wait_until_all(words, n, status, SHMEM_CMP_EQ, 1);
		shmem_long_wait_until_all_vector(words, n, status, SHMEM_CMP_NE, vec);
		CHECK(shmem_long_wait_until_any(words, n, status, SHMEM_CMP_EQ, 1) == SIZE_MAX);
		CHECK(shmem_long_wait_until_any_vector(words, n, status, SHMEM_CMP_NE, vec) ==
		      SIZE_MAX);
		CHECK_EQ(shmem_long_wait_until_some(words, n, indices, status, SHMEM_CMP_EQ, 1), 0);
		CHECK_EQ(shmem_long_wait_until_some_vector(words, n, indices, status, SHMEM_CMP_NE,
							   vec),
			 0);
		CHECK_EQ(shmem_long_test_all(words, n, status, SHMEM_CMP_EQ, 1), 1);
		CHECK_EQ(shmem_long_test_all_vector(words, n, status, SHMEM_CMP_NE, vec), 1);
		CHECK(shmem_long_test_any(words, n, status, SHMEM_CMP_EQ, 1) == SIZE_MAX);
		CHECK(shmem_long_test_any_vector(words, n, status, SHMEM_CMP_NE, vec) == SIZE_MAX);
		CHECK_EQ(shmem_long_test_some(words, n, indices, status, SHMEM_CMP_EQ, 1), 0);
		CHECK_EQ(shmem_long_test_some_vector(words, n, indices, status, SHMEM_CMP_NE, vec),
			 0);
	}
	/* It is not an error that nothing satisfies; and a NULL status includes all. */
	CHECK(shmem_long_test_any(words, 3, NULL, SHMEM_CMP_NE, 0) == SIZE_MAX);
	CHECK_EQ(shmem_long_test_some(words, 3, indices, NULL, SHMEM_CMP_NE, 0), 0);
	CHECK_EQ(shmem_long_test_all(words, 3, NULL, SHMEM_CMP_NE, 0), 0);
	CHECK_EQ(shmem_long_test_some(words, 3, indices, NULL, SHMEM_CMP_EQ, 0), 3);
}

/** Fairness: among words that all satisfy, repeated calls come to each. */
static void
case_fair(void)
{
	static long words[N];
	bool seen[N] = {false};
	int calls, left = N;
	size_t i;

	for (calls = 0; calls < 1000 && left; calls++) {
		i = calls % 2 ? shmem_long_wait_until_any(words, N, NULL, SHMEM_CMP_EQ, 0)
			      : shmem_long_test_any(words, N, NULL, SHMEM_CMP_EQ, 0);
		if (!mt_check(i < N, __FILE__, __LINE__, "index %zu", i))
			break;
		left -= !seen[i];
		seen[i] = true;
	}
	CHECK_EQ(left, 0);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"plain", case_plain},
		{"status", case_status},
		{"empty", case_empty},
		{"fair", case_fair},
		{0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
