/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_H
#define SHMEMX_H

/**
 * @file
 * Extensions of this library beyond the standard. A group of calls that follows a thread of the
 * committee says so; those without a group follow none.
 */

#include <stddef.h>
#include <stdint.h>

#include "shmem.h"
#include "shmemx_nb.h"
#include "shmemx_more.h"
#include "shmemx_space.h"
#include "shmemx_instead.h"
#include "shmemx_peers.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The window onto the symmetric heap of a PE on a neighbour host, as memory of this process: the
 * place that a put to that PE is stored through. For measurements: what a plain copy through the
 * window takes is what a put can be compared with. A program has no business with it otherwise,
 * since the standard's ordering and completion do not cover stores made here.
 *
 * @param pe   PE number in the world team
 * @param len  bytes of the heap; set on success only
 * @return NULL where @p pe is on this host, more than one hop away, or no PE at all
 */
void *shmemx_window(int pe, size_t *len);

/** Seconds of a clock that no other sets, from a time of its own; it may be called at any time. For
 *  programs that other libraries' extensions have taught this name. */
double shmemx_wtime(void);

/** Name of the host that this process runs on, from uname(2); the same for all hosts of an emulated
 *  ring. Must not be changed. May be called at any time. */
char *shmemx_nodename(void);

/** The ring as one PE sees it. Hosts are numbered from 0. Cable c joins host c and host c + 1, the
 *  last one the last host and host 0; two hosts have two cables. Any other cable has the number of
 * its host with the lower one. */
typedef struct {
	int host;		 /**< of this PE */
	int hosts;		 /**< of the job, 1 to 64 */
	int survives;		 /**< 1: the job goes on where a cable is lost; 0: it ends then */
	unsigned long long lost; /**< bit c is set: cable c is lost */
} shmemx_ring_t;

/**
 * What the ring is like now. PEs of other hosts may learn of a loss earlier or later, by some
 * milliseconds. By any thread, between shmem_init and shmem_finalize. Costs a load: a program that
 * wants to know of a loss calls it now and then.
 */
void shmemx_ring_state(shmemx_ring_t *state);

/** The host of a PE of the world team, 0 to 63; -1: no such PE. */
int shmemx_pe_host(int pe);

/** @defgroup by_id Jobs without a launcher
 *
 *  Follows no thread of the committee; the calls of this kind that libraries for GPUs have. One
 *  process makes an id, a text, and hands it to the others by any means: a file, the environment,
 *  MPI_Bcast, a pool of Python. Each of them calls shmemx_init_by_id() in place of shmem_init().
 *
 *  shmemx_make_id() may be called at any time, by a process that is a PE of the job or not. It has
 * to live as long as the job: the job ends with it. The id names an address and a TCP port of that
 *  process, and a secret: who knows it can join. Nothing is encrypted. One id is for one job.
 *
 *  A machine is a host of the job; RINGBELL_HOSTS emulates several on one machine. Where a PE does
 *  not come in 120 seconds (RINGBELL_HELLO_TIMEOUT), the call fails on all others and names it. A
 * PE that ends without shmem_finalize ends the job, as under any launcher.
 *
 *  @p requested and @p provided: as of shmem_init_thread(). 0, or another number after a line that
 *  says why.
 */
/** @{ */
enum {
	SHMEMX_ID_SIZE = 128 /**< bytes of the text of an id, with its end */
};

int shmemx_make_id(char id[SHMEMX_ID_SIZE]);
int shmemx_init_by_id(const char *id, int pe, int npes, int requested, int *provided);
/** @} */

/** @defgroup waits_for Waits with a time limit
 *
 *  Follows no thread of the committee.
 *
 *  The calls wait_until, wait_until_all, wait_until_any, wait_until_some, those of the last three
 * that take a vector of values, and signal_wait_until of section 9.11, and set_lock of 9.12, for
 * the types of table 4 and with their arguments, which give up after @p ns nanoseconds: for
 * programs that must not wait for ever for a PE that may not answer. A call looks at least once,
 * and makes progress, also where @p ns is 0. It may return some milliseconds later than the limit,
 * or later where the PE has no CPU, but never before it without success. UINT64_MAX is no limit.
 * With SHMEM_THREAD_MULTIPLE, by any thread.
 *
 *  shmemx_TYPE_wait_until_for, ..._all_for, shmemx_signal_wait_until_for: 0, or 1 where the time is
 *  over first; ..._any_for: the index of an element, or SIZE_MAX; ..._some_for: how many there are,
 *  0 where the time is over. Of the signal, @p seen gets the value that satisfied the comparison;
 *  it may be NULL, and stays as it is where the time is over.
 *  In C11 and C++, shmemx_wait_until_for and so on take all of these types.
 *
 *  shmemx_set_lock_for: 0, or 1 where the lock is not had. It asks for the lock again and again,
 * and stands in no queue: PEs that wait by shmem_set_lock() get the lock first. It looks at least
 * once.
 */
/** @{ */
#define SHMEMX_DECL_FOR(T, N, op)                                                                 \
	int shmemx_##N##_wait_until_for(T *ivar, int cmp, T value, uint64_t ns);                  \
	int shmemx_##N##_wait_until_all_for(T *ivars, size_t nelems, const int *status, int cmp,  \
					    T value, uint64_t ns);                                \
	int shmemx_##N##_wait_until_all_vector_for(T *ivars, size_t nelems, const int *status,    \
						   int cmp, const T *values, uint64_t ns);        \
	size_t shmemx_##N##_wait_until_any_vector_for(T *ivars, size_t nelems, const int *status, \
						      int cmp, const T *values, uint64_t ns);     \
	size_t shmemx_##N##_wait_until_some_vector_for(T *ivars, size_t nelems, size_t *indices,  \
						       const int *status, int cmp,                \
						       const T *values, uint64_t ns);             \
	size_t shmemx_##N##_wait_until_any_for(T *ivars, size_t nelems, const int *status,        \
					       int cmp, T value, uint64_t ns);                    \
	size_t shmemx_##N##_wait_until_some_for(T *ivars, size_t nelems, size_t *indices,         \
						const int *status, int cmp, T value, uint64_t ns);
SHMEMI_TYPES_AMO(SHMEMX_DECL_FOR, _)

int shmemx_signal_wait_until_for(uint64_t *sig_addr, int cmp, uint64_t value, uint64_t *seen,
				 uint64_t ns);

int shmemx_set_lock_for(long *lock, uint64_t ns);
/** @} */

#ifdef __cplusplus
}
#endif

#include "shmemx_generic.h"

#endif /* SHMEMX_H */
