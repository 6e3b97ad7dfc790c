/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdint.h>

#include "core/check.h"
#include "core/hang.h"
#include "core/shmemi.h"
#include "shmemx.h"

/*
 * Point-to-point synchronisation (section 9.11): one engine for all types and forms. A value
 * becomes a 64-bit key whose unsigned order is that of its type. Loads have acquire order; they
 * pair with the step that made the update visible: an atomic, or the commit of a frame.
 */

/** One call with its arguments. */
struct sync {
	const char *call;
	const void *ivars;
	size_t nelems;
	const int *status; /* non-zero: leave the element out; NULL: none */
	int cmp;
	const void *values;
	bool vector; /* a value for each element, else one for all */
	bool is_signed;
	unsigned int size;
	uint64_t until; /* rb_now_ns() at which it gives up; 0: never */
};

static inline uint64_t
key_of(const struct sync *s, const void *p)
{
	const uint64_t sign = 1ull << 63;

	switch (s->size) {
	case 2: {
		uint16_t v = __atomic_load_n((const uint16_t *)p, __ATOMIC_ACQUIRE);

		return s->is_signed ? (uint64_t)(int64_t)(int16_t)v ^ sign : v;
	}
	case 4: {
		uint32_t v = __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);

		return s->is_signed ? (uint64_t)(int64_t)(int32_t)v ^ sign : v;
	}
	default: {
		uint64_t v = __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE);

		return s->is_signed ? v ^ sign : v;
	}
	}
}

static inline bool
compare_keys(int cmp, uint64_t a, uint64_t b)
{
	switch (cmp) {
	case SHMEM_CMP_EQ:
		return a == b;
	case SHMEM_CMP_NE:
		return a != b;
	case SHMEM_CMP_GT:
		return a > b;
	case SHMEM_CMP_GE:
		return a >= b;
	case SHMEM_CMP_LT:
		return a < b;
	default:
		return a <= b;
	}
}

static inline bool
element_holds(const struct sync *s, size_t i)
{
	const char *value = (const char *)s->values + (s->vector ? i * s->size : 0);

	return compare_keys(s->cmp, key_of(s, (const char *)s->ivars + i * s->size),
			    key_of(s, value));
}

static inline bool
is_included(const struct sync *s, size_t i)
{
	return s->status == NULL || s->status[i] == 0;
}

static void
enter_sync(const struct sync *s)
{
	shmemi_enter(s->call);
	if (s->cmp < SHMEM_CMP_EQ || s->cmp > SHMEM_CMP_LE)
		shmemi_fatal(s->call, "cmp is %d, which is not a SHMEM_CMP_ constant", s->cmp);
	if (__builtin_expect(shmemi.check, 0) && s->nelems != 0)
		shmemi_check_local(s->call, s->ivars, s->nelems * s->size, s->size);
}

/* Around a wait. Checked mode finds those that never end; one with a time limit does. */
static void
enter_wait(const struct sync *s)
{
	enter_sync(s);
	if (__builtin_expect(shmemi.check, 0) && s->until == 0)
		shmemi_hang_enter(s->call);
}

static void
leave_wait(const struct sync *s, struct rb_wait *w)
{
	rb_wait_end(w);
	if (__builtin_expect(!shmemi.check, 1))
		return;
	if (s->until == 0)
		shmemi_hang_leave();
	if (shmemi.races)
		shmemi_race_acquire(s->ivars, s->nelems * s->size, shmemi.pe, true);
}

/* Index of the first element from @p i on that counts, or nelems. */
static size_t
next_included(const struct sync *s, size_t i)
{
	while (i < s->nelems && !is_included(s, i))
		i++;
	return i;
}

static void
note_test(const struct sync *s, bool success)
{
	if (!success)
		rb_progress_tested();
	else if (__builtin_expect(shmemi.races, 0))
		shmemi_race_acquire(s->ivars, s->nelems * s->size, shmemi.pe, true);
}

/* One turn of a wait for another PE. False: its time is over. A call without any time makes
 * progress too: a program may repeat it. */
static inline bool
wait_on(const struct sync *s, struct rb_wait *w)
{
	if (s->until != 0 && rb_now_ns() >= s->until) {
		note_test(s, false);
		return false;
	}
	rb_wait_turn(w);
	return true;
}

static inline bool
wait_all_until(const struct sync *s)
{
	struct rb_wait w = {.what = RB_FOR_WORD, .whom = (uintptr_t)s->ivars};
	bool in_time = true;
	size_t i;

	enter_wait(s);
	for (i = next_included(s, 0); in_time && i < s->nelems; i = next_included(s, i + 1))
		while (in_time && !element_holds(s, i))
			in_time = wait_on(s, &w);
	leave_wait(s, &w);
	return in_time;
}

static void
wait_all(const struct sync *s)
{
	wait_all_until(s);
}

static int
wait_all_for(const struct sync *s)
{
	return wait_all_until(s) ? 0 : 1;
}

/*
 * Elements take turns in being tested first, so that one that always satisfies the comparison does
 * not hide the others (section 9.11.3 requires that every element is found in the end). Calls on
 * different sets may alternate, so each set has a position of its own, keyed by the arguments of
 * the call. Where two sets share an entry, the position starts anywhere: otherwise they could reset
 * each other for ever.
 */
static size_t *
turn_of(const struct sync *s)
{
	enum {
		SETS = 16
	};
	static _Thread_local struct {
		uint64_t key;
		size_t turn;
	} turns[SETS];
	static _Thread_local uint64_t anywhere = 1;
	const uint64_t odd = 0x9e3779b97f4a7c15;
	uint64_t key = (uint64_t)(uintptr_t)s->ivars;
	size_t i;

	key = (key ^ s->nelems) * odd;
	key = (key ^ (uint64_t)(uintptr_t)s->status ^ (uint64_t)s->cmp) * odd;
	i = key >> 60 & (SETS - 1);
	if (turns[i].key != key) {
		anywhere = anywhere * odd + 1;
		turns[i].key = key;
		turns[i].turn = anywhere >> 32;
	}
	return &turns[i].turn;
}

static size_t
find_any(const struct sync *s)
{
	size_t *turn = turn_of(s), i, n;

	i = s->nelems == 0 ? 0 : *turn % s->nelems;
	for (n = 0; n < s->nelems; n++, i = i + 1 == s->nelems ? 0 : i + 1) {
		if (is_included(s, i) && element_holds(s, i)) {
			*turn = i + 1;
			return i;
		}
	}
	return SIZE_MAX;
}

static size_t
wait_any(const struct sync *s)
{
	struct rb_wait w = {.what = RB_FOR_WORD, .whom = (uintptr_t)s->ivars};
	bool some = next_included(s, 0) < s->nelems;
	size_t i;

	enter_wait(s);
	while ((i = find_any(s)) == SIZE_MAX && some && wait_on(s, &w))
		;
	leave_wait(s, &w);
	return i;
}

static size_t
find_some(const struct sync *s, size_t *indices)
{
	size_t i, n = 0;

	for (i = next_included(s, 0); i < s->nelems; i = next_included(s, i + 1))
		if (element_holds(s, i))
			indices[n++] = i;
	return n;
}

static size_t
wait_some(const struct sync *s, size_t *indices)
{
	struct rb_wait w = {.what = RB_FOR_WORD, .whom = (uintptr_t)s->ivars};
	bool some = next_included(s, 0) < s->nelems;
	size_t n;

	enter_wait(s);
	while ((n = find_some(s, indices)) == 0 && some && wait_on(s, &w))
		;
	leave_wait(s, &w);
	return n;
}

static int
test_all(const struct sync *s)
{
	size_t i;

	enter_sync(s);
	for (i = next_included(s, 0); i < s->nelems; i = next_included(s, i + 1)) {
		if (!element_holds(s, i)) {
			note_test(s, false);
			return 0;
		}
	}
	note_test(s, true);
	return 1;
}

static size_t
test_any(const struct sync *s)
{
	size_t i;

	enter_sync(s);
	i = find_any(s);
	note_test(s, i != SIZE_MAX || s->nelems == 0);
	return i;
}

static size_t
test_some(const struct sync *s, size_t *indices)
{
	size_t n;

	enter_sync(s);
	n = find_some(s, indices);
	note_test(s, n != 0 || s->nelems == 0);
	return n;
}

#define SYNC_CALL(name, T, ivars, n, status, cmp, values, vector)                    \
	(&(const struct sync){"shmem_" #name, ivars, n, status, cmp, values, vector, \
			      (T)(-1) < (T)1, sizeof(T), 0})

#define SYNC_ONE(ret, name, T, engine)                                                    \
	SHMEMI_API(ret, name, (T * ivar, int cmp, T cmp_value))                           \
	{                                                                                 \
		return engine(SYNC_CALL(name, T, ivar, 1, NULL, cmp, &cmp_value, false)); \
	}
#define SYNC_SET(ret, name, T, engine)                                                             \
	SHMEMI_API(ret, name, (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value)) \
	{                                                                                          \
		return engine(SYNC_CALL(name, T, ivars, nelems, status, cmp, &cmp_value, false));  \
	}                                                                                          \
	SHMEMI_API(ret, name##_vector,                                                             \
		   (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values))    \
	{                                                                                          \
		return engine(SYNC_CALL(name##_vector, T, ivars, nelems, status, cmp, cmp_values,  \
					true));                                                    \
	}
#define SYNC_SOME(name, T, engine)                                                                 \
	SHMEMI_API(size_t, name,                                                                   \
		   (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp,        \
		    T cmp_value))                                                                  \
	{                                                                                          \
		return engine(SYNC_CALL(name, T, ivars, nelems, status, cmp, &cmp_value, false),   \
			      indices);                                                            \
	}                                                                                          \
	SHMEMI_API(size_t, name##_vector,                                                          \
		   (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp,        \
		    const T *cmp_values))                                                          \
	{                                                                                          \
		return engine(                                                                     \
			SYNC_CALL(name##_vector, T, ivars, nelems, status, cmp, cmp_values, true), \
			indices);                                                                  \
	}

#define SYNC_FORMS(T, N, op)                              \
	SYNC_ONE(void, N##_wait_until, T, wait_all)       \
	SYNC_ONE(int, N##_test, T, test_all)              \
	SYNC_SET(void, N##_wait_until_all, T, wait_all)   \
	SYNC_SET(size_t, N##_wait_until_any, T, wait_any) \
	SYNC_SOME(N##_wait_until_some, T, wait_some)      \
	SYNC_SET(int, N##_test_all, T, test_all)          \
	SYNC_SET(size_t, N##_test_any, T, test_any)       \
	SYNC_SOME(N##_test_some, T, test_some)

SHMEMI_TYPES_AMO(SYNC_FORMS, _)
/* Those for one word are deprecated, those for several are not in the standard. */
SHMEMI_TYPES_OLD_SYNC(SYNC_FORMS, _)

/* Deprecated: the forms without a comparison. */
#define SYNC_OLD_WAIT(name, T)                                                                \
	SHMEMI_API(void, name, (T * ivar, T cmp_value))                                       \
	{                                                                                     \
		wait_all(SYNC_CALL(name, T, ivar, 1, NULL, SHMEM_CMP_NE, &cmp_value, false)); \
	}
#define SYNC_OLD_TYPED(T, N, op) SYNC_OLD_WAIT(N##_wait, T)

SHMEMI_TYPES_OLD_WAIT(SYNC_OLD_TYPED, _)
SYNC_OLD_WAIT(wait, long)
SYNC_ONE(void, wait_until, long, wait_all)

/* The value that is returned is the one that was compared: the word may change in between. */
SHMEMI_API(uint64_t, signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value))
{
	const struct sync *s =
		SYNC_CALL(signal_wait_until, uint64_t, sig_addr, 1, NULL, cmp, &cmp_value, false);
	struct rb_wait w = {.what = RB_FOR_WORD, .whom = (uintptr_t)s->ivars};
	uint64_t value;

	enter_wait(s);
	while (!compare_keys(cmp, value = key_of(s, sig_addr), cmp_value) && wait_on(s, &w))
		;
	leave_wait(s, &w);
	return value;
}

/* ---- with a time limit ---- */

static uint64_t
until_of(uint64_t ns)
{
	uint64_t now = rb_now_ns();

	return ns > UINT64_MAX - now ? 0 : now + ns;
}

#define SYNC_CALL_AS(name, T, ivars, n, status, cmp, value, vector, ns)              \
	(&(const struct sync){"shmemx_" #name, ivars, n, status, cmp, value, vector, \
			      (T)(-1) < (T)1, sizeof(T), until_of(ns)})
#define SYNC_CALL_FOR(name, T, ivars, n, status, cmp, value, ns) \
	SYNC_CALL_AS(name, T, ivars, n, status, cmp, value, false, ns)

#define SYNC_FORMS_FOR(T, N, op)                                                                  \
	SHMEMI_EXPORT int shmemx_##N##_wait_until_for(T *ivar, int cmp, T value, uint64_t ns)     \
	{                                                                                         \
		return wait_all_for(                                                              \
			SYNC_CALL_FOR(N##_wait_until_for, T, ivar, 1, NULL, cmp, &value, ns));    \
	}                                                                                         \
	SHMEMI_EXPORT int shmemx_##N##_wait_until_all_for(                                        \
		T *ivars, size_t nelems, const int *status, int cmp, T value, uint64_t ns)        \
	{                                                                                         \
		return wait_all_for(SYNC_CALL_FOR(N##_wait_until_all_for, T, ivars, nelems,       \
						  status, cmp, &value, ns));                      \
	}                                                                                         \
	SHMEMI_EXPORT size_t shmemx_##N##_wait_until_any_for(                                     \
		T *ivars, size_t nelems, const int *status, int cmp, T value, uint64_t ns)        \
	{                                                                                         \
		return wait_any(SYNC_CALL_FOR(N##_wait_until_any_for, T, ivars, nelems, status,   \
					      cmp, &value, ns));                                  \
	}                                                                                         \
	SHMEMI_EXPORT size_t shmemx_##N##_wait_until_some_for(T *ivars, size_t nelems,            \
							      size_t *indices, const int *status, \
							      int cmp, T value, uint64_t ns)      \
	{                                                                                         \
		return wait_some(SYNC_CALL_FOR(N##_wait_until_some_for, T, ivars, nelems, status, \
					       cmp, &value, ns),                                  \
				 indices);                                                        \
	}

SHMEMI_TYPES_AMO(SYNC_FORMS_FOR, _)

#define SYNC_VECTOR_FOR(ret, name, T, engine)                                                \
	SHMEMX_API(ret, name##_vector_for,                                                   \
		   (T * ivars, size_t nelems, const int *status, int cmp, const T *values,   \
		    uint64_t ns))                                                            \
	{                                                                                    \
		return engine(SYNC_CALL_AS(name##_vector_for, T, ivars, nelems, status, cmp, \
					   values, true, ns));                               \
	}
#define SYNC_VECTORS_FOR(T, N, op)                                                              \
	SYNC_VECTOR_FOR(int, N##_wait_until_all, T, wait_all_for)                               \
	SYNC_VECTOR_FOR(size_t, N##_wait_until_any, T, wait_any)                                \
	SHMEMX_API(size_t, N##_wait_until_some_vector_for,                                      \
		   (T * ivars, size_t nelems, size_t * indices, const int *status, int cmp,     \
		    const T *values, uint64_t ns))                                              \
	{                                                                                       \
		return wait_some(SYNC_CALL_AS(N##_wait_until_some_vector_for, T, ivars, nelems, \
					      status, cmp, values, true, ns),                   \
				 indices);                                                      \
	}

SHMEMI_TYPES_AMO(SYNC_VECTORS_FOR, _)

SHMEMI_EXPORT int
shmemx_signal_wait_until_for(uint64_t *sig_addr, int cmp, uint64_t value, uint64_t *seen,
			     uint64_t ns)
{
	const struct sync *s =
		SYNC_CALL_FOR(signal_wait_until_for, uint64_t, sig_addr, 1, NULL, cmp, &value, ns);
	struct rb_wait w = {.what = RB_FOR_WORD, .whom = (uintptr_t)s->ivars};
	uint64_t now;
	int ret = 0;

	enter_wait(s);
	while (!compare_keys(cmp, now = key_of(s, sig_addr), value) && ret == 0)
		ret = wait_on(s, &w) ? 0 : 1;
	leave_wait(s, &w);
	if (ret == 0 && seen != NULL)
		*seen = now;
	return ret;
}
