/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_INSTEAD_H
#define SHMEMX_INSTEAD_H

/**
 * @file
 * Part of shmemx.h: names of Sandia OpenSHMEM and Open MPI that have no equal here. A program that
 * uses one is told what to write.
 */

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define SHMEMX_INSTEAD(words) __attribute__((unavailable(words)))
#endif
#endif
#ifndef SHMEMX_INSTEAD
#define SHMEMX_INSTEAD(words) __attribute__((error(words)))
#endif
#define SHMEMX_NONE(ret, name, params, words)  \
	ret name params SHMEMX_INSTEAD(words); \
	ret p##name params SHMEMX_INSTEAD(words);
#define SHMEMX_CT_WORDS                                                                      \
	"write shmem_ctx_create(), shmem_ctx_putmem_nbi() and shmem_ctx_quiet(): a context " \
	"counts for itself"
typedef char *shmemx_ct_t;
SHMEMX_NONE(void, shmemx_ct_create, (shmemx_ct_t * ct), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_ct_free, (shmemx_ct_t * ct), SHMEMX_CT_WORDS)
SHMEMX_NONE(long, shmemx_ct_get, (shmemx_ct_t ct), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_ct_set, (shmemx_ct_t ct, long value), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_ct_wait, (shmemx_ct_t ct, long wait_for), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_putmem_ct,
	    (shmemx_ct_t ct, void *dest, const void *source, size_t len, int pe), SHMEMX_CT_WORDS)
SHMEMX_NONE(void, shmemx_getmem_ct,
	    (shmemx_ct_t ct, void *dest, const void *source, size_t len, int pe), SHMEMX_CT_WORDS)
#define SHMEMX_PCNTR_WORDS \
	"run it with oshrun --telemetry: counters of each PE and cable are outside of the program"
/** What Sandia's counters are read into. */
typedef struct {
	uint64_t pending_put, pending_get, completed_put, completed_get, target;
} shmemx_pcntr_t;
#define SHMEMX_PCNTR(which)                                                              \
	SHMEMX_NONE(void, shmemx_pcntr_get_##which, (shmem_ctx_t ctx, uint64_t * value), \
		    SHMEMX_PCNTR_WORDS)
SHMEMX_PCNTR(issued_write)
SHMEMX_PCNTR(issued_read)
SHMEMX_PCNTR(completed_write)
SHMEMX_PCNTR(completed_read)
SHMEMX_NONE(void, shmemx_pcntr_get_completed_target, (uint64_t * value), SHMEMX_PCNTR_WORDS)
SHMEMX_NONE(void, shmemx_pcntr_get_all, (shmem_ctx_t ctx, shmemx_pcntr_t *all), SHMEMX_PCNTR_WORDS)
SHMEMX_NONE(void, shmemx_register_gettid, (uint64_t(*gettid)(void)),
	    "leave it out: threads are told apart without it")
#define SHMEMX_HEAP_WORDS \
	"write shmemx_space_create() after shmem_init(): a space is a heap at a place of its own"
#define SHMEMX_EXTERNAL_HEAP_ZE 0
#define SHMEMX_EXTERNAL_HEAP_CUDA 1
typedef struct shmemx_heap *shmemx_heap_t;
SHMEMX_NONE(void, shmemx_heap_create, (void *base, size_t size, int kind, int device),
	    SHMEMX_HEAP_WORDS)
SHMEMX_NONE(void, shmemx_heap_preinit, (void), SHMEMX_HEAP_WORDS)
SHMEMX_NONE(int, shmemx_heap_preinit_thread, (int requested, int *provided), SHMEMX_HEAP_WORDS)
SHMEMX_NONE(void, shmemx_heap_postinit, (void), SHMEMX_HEAP_WORDS)
SHMEMX_NONE(void, shmemx_team_get_config, (shmem_team_t team, shmem_team_config_t *config),
	    "write shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, config)")
SHMEMX_NONE(void, shmemx_alltoall_global_nb,
	    (void *dest, const void *source, size_t size, long *counter),
	    "write shmemx_alltoallmem_nb(SHMEM_TEAM_WORLD, ...) and shmemx_req_wait()")

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_INSTEAD_H */
