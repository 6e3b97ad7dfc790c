/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/**
 * @file
 * Part of shmem.h where a program defines SHMEMX_INLINE before it includes that: shmem_TYPENAME_p
 * and shmem_TYPENAME_g, of default context, are compiled into the program where the word is within
 * reach of a load or store, and call the library otherwise. A call into a shared library takes
 * several times what a store takes. The price, and why it has to be asked for: a tool that
 * interposes shmem_ names does not see these calls.
 */

#ifndef SHMEM_INLINE_H
#define SHMEM_INLINE_H

#ifdef __cplusplus
extern "C" {
#endif

/** One symmetric segment of a PE, as the library left it for this process. The library changes them
 *  in calls of its own, such as a fence. */
struct shmemx_segment {
	const char *here;  /**< this PE's copy of it */
	const char *size;  /**< bytes in reach, 0: none */
	const char *words; /**< offsets at which a word lies inside */
	const char *shift; /**< from this PE's copy to that PE's */
};

struct shmemx_near {
	struct shmemx_segment heap;
	struct shmemx_segment data;
} __attribute__((aligned(64)));

/** PEs that the table has room for; calls to others go to the library. */
#define SHMEMX_NEAR_PES 1024

/** By PE. Nothing is in reach before shmem_init(), after shmem_finalize(), in the checked mode, and
 *  of PEs that there are none of. Table and bound are constants, so that a compiler takes them out
 * of loops. */
extern const struct shmemx_near *const shmemx_near;

/* gnu_inline: the symbols stay the library's, and a program may still define its own. */
#define SHMEMX_INLINED extern __inline__ __attribute__((gnu_inline))

/** Does a word of @p seg begin at @p addr? */
#define SHMEMX_HOLDS(seg, addr) \
	((uintptr_t)(addr) - (uintptr_t)(seg)->here < (uintptr_t)(seg)->words)
#define SHMEMX_AT(T, seg, addr) (*(volatile T *)((uintptr_t)(addr) + (uintptr_t)(seg)->shift))

#define SHMEMX_WORD(T, N, op)                                                       \
	void pshmem_##N##_p(T *dest, T value, int pe);                              \
	T pshmem_##N##_g(const T *source, int pe);                                  \
	SHMEMX_INLINED void shmem_##N##_p(T *dest, T value, int pe)                 \
	{                                                                           \
		const struct shmemx_near *near = shmemx_near + pe;                  \
                                                                                    \
		if (__builtin_expect((unsigned int)pe < SHMEMX_NEAR_PES, 1)) {      \
			if (__builtin_expect(SHMEMX_HOLDS(&near->heap, dest), 1)) { \
				SHMEMX_AT(T, &near->heap, dest) = value;            \
				return;                                             \
			}                                                           \
			if (SHMEMX_HOLDS(&near->data, dest)) {                      \
				SHMEMX_AT(T, &near->data, dest) = value;            \
				return;                                             \
			}                                                           \
		}                                                                   \
		pshmem_##N##_p(dest, value, pe);                                    \
	}                                                                           \
	SHMEMX_INLINED T shmem_##N##_g(const T *source, int pe)                     \
	{                                                                           \
		const struct shmemx_near *near = shmemx_near + pe;                  \
		T value;                                                            \
                                                                                    \
		if (__builtin_expect((unsigned int)pe < SHMEMX_NEAR_PES, 1)) {      \
			if (__builtin_expect(SHMEMX_HOLDS(&near->heap, source), 1)) \
				value = SHMEMX_AT(const T, &near->heap, source);    \
			else if (SHMEMX_HOLDS(&near->data, source))                 \
				value = SHMEMX_AT(const T, &near->data, source);    \
			else                                                        \
				return pshmem_##N##_g(source, pe);                  \
			/* later reads return nothing older; see rb_got() */        \
			__atomic_thread_fence(__ATOMIC_ACQUIRE);                    \
			return value;                                               \
		}                                                                   \
		return pshmem_##N##_g(source, pe);                                  \
	}

SHMEMI_TYPES_RMA(SHMEMX_WORD, _)
#undef SHMEMX_WORD
#undef SHMEMX_AT
#undef SHMEMX_HOLDS
#undef SHMEMX_INLINED

#ifdef __cplusplus
}
#endif
#endif /* SHMEM_INLINE_H */
