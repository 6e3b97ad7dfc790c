/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Waiting for and testing several words: all, any, some, with and without status, with one
 * comparison value and with a vector of them; for a time.
 */
#include <string.h>

#include <shmemx.h>

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

/* Fairness where calls on other sets, and on other conditions, stand between. */
static void
case_fair_of_many(void)
{
	enum {
		SETS = 40,
		ROUNDS = 400
	};
	static int v[SETS][5];
	static int seen[SETS][5], few;
	const int first[5] = {0, 1, 1, 1, 1};
	int i, k;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < SETS; i++)
		for (k = 0; k < 5; k++)
			v[i][k] = 1;
	for (i = 0; i < ROUNDS; i++) {
		seen[0][shmem_int_wait_until_any(v[0], 5, NULL, SHMEM_CMP_EQ, 1)]++;
		/* each of these always finds the element 0 */
		shmem_int_wait_until_any(v[1], 1, NULL, SHMEM_CMP_EQ, 1);
		shmem_int_wait_until_any(v[0], 1, NULL, SHMEM_CMP_EQ, 1);
		shmem_int_test_any(v[0], 5, first, SHMEM_CMP_EQ, 1);
	}
	for (i = 0; i < ROUNDS; i++)
		for (k = 1; k < SETS; k++)
			seen[k][shmem_int_test_any(v[k], 5, NULL, SHMEM_CMP_NE, 0)]++;
	for (i = 0; i < SETS; i++)
		for (k = 0; k < 5; k++)
			few += seen[i][k] == 0;
	CHECK_EQ(few, 0);
}

enum {
	LIMIT_WORDS = 6,
	SHORT_NS = 100000,
	LONG_NS = 2000000000
};

/* Words that no PE writes, words that are as they shall be, and words that the PE to the left sets.
 */
#define LIMITS(T, N_)                                                                              \
	static void limits_##N_(void)                                                              \
	{                                                                                          \
		static T v[LIMIT_WORDS], want[LIMIT_WORDS];                                        \
		int mask[LIMIT_WORDS] = {0, 1, 0, 0, 0, 0}, i, pe = mt_pe(1);                      \
		double since = shmemx_wtime();                                                     \
		size_t at[LIMIT_WORDS];                                                            \
                                                                                                   \
		memset(v, 0, sizeof(v));                                                           \
		CHECK_EQ(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_NE, 0, SHORT_NS), 1);           \
		CHECK(shmemx_wtime() - since >= SHORT_NS * 1e-9);                                  \
		CHECK_EQ(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_NE, 0, 0), 1);                  \
		CHECK_EQ(shmemx_##N_##_wait_until_for(v, SHMEM_CMP_EQ, 0, 0), 0);                  \
		CHECK_EQ(shmemx_##N_##_wait_until_all_for(v, LIMIT_WORDS, mask, SHMEM_CMP_GT, 0,   \
							  SHORT_NS),                               \
			 1);                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_any_for(v, LIMIT_WORDS, mask, SHMEM_CMP_GT, 0,   \
							  SHORT_NS),                               \
			 SIZE_MAX);                                                                \
		CHECK_EQ(shmemx_##N_##_wait_until_some_for(v, LIMIT_WORDS, at, mask, SHMEM_CMP_GT, \
							   0, SHORT_NS),                           \
			 0);                                                                       \
		memset(want, 0, sizeof(want));                                                     \
		want[2] = 1;                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_all_vector_for(v, LIMIT_WORDS, mask,             \
								 SHMEM_CMP_EQ, want, SHORT_NS),    \
			 1);                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_any_vector_for(v, LIMIT_WORDS, mask,             \
								 SHMEM_CMP_NE, want, 0),           \
			 2);                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_some_vector_for(v, LIMIT_WORDS, at, mask,        \
								  SHMEM_CMP_LT, want, 0),          \
			 1);                                                                       \
		CHECK_EQ(at[0], 2);                                                                \
		want[2] = 0;                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_any_vector_for(v, LIMIT_WORDS, mask,             \
								 SHMEM_CMP_NE, want, SHORT_NS),    \
			 SIZE_MAX);                                                                \
		CHECK_EQ(shmemx_##N_##_wait_until_some_vector_for(v, LIMIT_WORDS, at, mask,        \
								  SHMEM_CMP_NE, want, SHORT_NS),   \
			 0);                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_all_vector_for(v, LIMIT_WORDS, mask,             \
								 SHMEM_CMP_EQ, want, UINT64_MAX),  \
			 0);                                                                       \
		shmem_barrier_all();                                                               \
		for (i = 1; i < LIMIT_WORDS; i++)                                                  \
			shmem_##N_##_atomic_set(&v[i], 1, pe);                                     \
		/* v[0] stays 0 */                                                                 \
		mask[0] = 1;                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_all_for(v, LIMIT_WORDS, mask, SHMEM_CMP_EQ, 1,   \
							  UINT64_MAX),                             \
			 0);                                                                       \
		mask[0] = 0;                                                                       \
		CHECK_EQ(shmemx_##N_##_wait_until_all_for(v, LIMIT_WORDS, mask, SHMEM_CMP_EQ, 1,   \
							  SHORT_NS),                               \
			 1);                                                                       \
		CHECK(shmemx_##N_##_wait_until_any_for(v, LIMIT_WORDS, mask, SHMEM_CMP_EQ, 1,      \
						       LONG_NS) > 1);                              \
		CHECK_EQ(shmemx_##N_##_wait_until_some_for(v, LIMIT_WORDS, at, mask, SHMEM_CMP_EQ, \
							   1, LONG_NS),                            \
			 LIMIT_WORDS - 2);                                                         \
		CHECK_EQ(at[0], 2);                                                                \
		shmem_barrier_all();                                                               \
	}
/* clang-format off */
TYPES_AMO(LIMITS)
/* clang-format on */

static void
limits_of_signals(void)
{
	uint64_t *sig = shmem_calloc(2, sizeof(*sig)), seen = 5;

	CHECK_EQ(shmemx_signal_wait_until_for(sig, SHMEM_CMP_NE, *sig, &seen, SHORT_NS), 1);
	CHECK_EQ(seen, 5);
	shmem_barrier_all();
	shmem_putmem_signal(sig + 1, sig, sizeof(*sig), sig, 7, SHMEM_SIGNAL_SET, mt_pe(1));
	CHECK_EQ(shmemx_signal_wait_until_for(sig, SHMEM_CMP_EQ, 7, &seen, UINT64_MAX), 0);
	CHECK_EQ(seen, 7);
	CHECK_EQ(shmemx_signal_wait_until_for(sig, SHMEM_CMP_GE, 7, NULL, 0), 0);
	shmem_barrier_all();
	shmem_free(sig);
}

static void
case_limits(void)
{
	static long word;
	size_t at;

#define RUN_LIMITS(T, N_) limits_##N_();
	TYPES_AMO(RUN_LIMITS)
	limits_of_signals();
	CHECK_EQ(shmemx_wait_until_for(&word, SHMEM_CMP_NE, 0, 0), 1);
	CHECK_EQ(shmemx_wait_until_all_for(&word, 1, NULL, SHMEM_CMP_EQ, 0, 0), 0);
	CHECK_EQ(shmemx_wait_until_any_for(&word, 1, NULL, SHMEM_CMP_EQ, 0, 0), 0);
	CHECK_EQ(shmemx_wait_until_any_vector_for(&word, 1, NULL, SHMEM_CMP_EQ, &word, 0), 0);
	CHECK_EQ(shmemx_wait_until_some_for(&word, 1, &at, NULL, SHMEM_CMP_EQ, 0, 0), 1);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"plain", case_plain},	 {"status", case_status},
		{"empty", case_empty},	 {"fair_of_many", case_fair_of_many},
		{"limits", case_limits}, {0},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
