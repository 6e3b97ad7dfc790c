/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEM_CHECK_H
#define SHMEM_CHECK_H

/**
 * @file
 * The checked mode, SHMEM_CHECK=1: mistakes for which the standard leaves the behaviour undefined
 * end the job with one line. Callers test shmemi.check first, so a job without it pays one branch.
 */

#include "later.h"
#include "race.h"
#include "span.h"
#include "state.h"

/** A transfer or an atomic, as its caller described it. */
struct shmemi_access {
	const struct shmemi_ctx *ctx;
	const void *remote;	 /**< symmetric */
	const void *local;	 /**< the other side; NULL with atomics */
	size_t len;		 /**< bytes; the remote ones from remote on */
	size_t align;		 /**< that both addresses need, a power of two */
	int pe;			 /**< world PE */
	bool scattered;		 /**< strided: overlap is not looked at */
	enum shmemi_touch touch; /**< of the symmetric side */
	bool open;  /**< nothing says yet that it has happened there when the call returns */
	bool later; /**< the same of the other side */
};

/** A quiet of @p rb begins. */
static inline void
shmemi_check_quiet(const struct rb_ctx *rb)
{
	if (__builtin_expect(!shmemi.check, 1))
		return;
	shmemi_later_end(rb);
	if (shmemi.races)
		shmemi_race_quiet();
}

void shmemi_check_open(void);	 /**< reads SHMEM_CHECK into shmemi.check */
const void *shmemi_thread(void); /**< identifies this thread; never NULL */

/** NULL, alignment, overlap, thread and context of one access. */
void shmemi_check_access(const char *call, const struct shmemi_access *a) __attribute__((cold));
/** Races of a scattered one, whose sides these are. */
void shmemi_check_order(const char *call, const struct shmemi_access *a,
			const struct shmemi_span *remote, const struct shmemi_span *local)
	__attribute__((cold));
/** Does the thread level allow this thread to call? */
void shmemi_check_thread(const char *call) __attribute__((cold));
/** A context that is used, fenced or quieted: destroyed? another thread's? */
void shmemi_check_ctx(const char *call, const struct shmemi_ctx *ctx) __attribute__((cold));
/** Memory of the heap, on PE @p pe: is it in one block that is allocated? */
void shmemi_check_block(const char *call, const void *addr, size_t len, int pe)
	__attribute__((cold));
/** A symmetric object of this PE that is waited for. */
void shmemi_check_local(const char *call, const void *addr, size_t len, size_t align)
	__attribute__((cold));

#endif /* SHMEM_CHECK_H */
