/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PSHMEM_H
#define PSHMEM_H

/**
 * @file
 * The profiling names (chapter 10): pshmem_NAME does what shmem_NAME of this library does, also
 * where a program or tool defines shmem_NAME itself.
 */

#include "shmemx.h"

#define SHMEMI_PROFILING
#pragma push_macro("SHMEMI_SAME")
#undef SHMEMI_SAME
#define SHMEMI_SAME(name, call) extern __typeof__(p##call) p##name __asm__("p" #call);
#include "shmem.h"
#include "shmemx_peers.h"
/* Without the p they are names without a type. */
SHMEMI_SAME(shmemx_signal_add, shmem_signal_add)
SHMEMI_SAME(shmemx_signal_set, shmem_signal_set)
#pragma pop_macro("SHMEMI_SAME")
#undef SHMEMI_PROFILING

/* No tool can be between a program and these. */
extern __typeof__(shmemx_wtime) pshmemx_wtime __asm__("shmemx_wtime");
extern __typeof__(shmemx_nodename) pshmemx_nodename __asm__("shmemx_nodename");

/* Open MPI has generic profiling names too. */
#define PSHMEM_NONE(op)                                        \
	int pshmem##op(const void *first, ...) SHMEMX_INSTEAD( \
		"write pshmem_TYPENAME" #op "(): profiling names have no generics");
PSHMEM_NONE(_put)
PSHMEM_NONE(_get)
PSHMEM_NONE(_p)
PSHMEM_NONE(_g)
PSHMEM_NONE(_put_nbi)
PSHMEM_NONE(_get_nbi)
PSHMEM_NONE(_iput)
PSHMEM_NONE(_iget)
PSHMEM_NONE(_atomic_fetch)
PSHMEM_NONE(_atomic_set)
PSHMEM_NONE(_atomic_swap)
PSHMEM_NONE(_atomic_compare_swap)
PSHMEM_NONE(_atomic_fetch_inc)
PSHMEM_NONE(_atomic_inc)
PSHMEM_NONE(_atomic_fetch_add)
PSHMEM_NONE(_atomic_add)
PSHMEM_NONE(_atomic_fetch_and)
PSHMEM_NONE(_atomic_and)
PSHMEM_NONE(_atomic_fetch_or)
PSHMEM_NONE(_atomic_or)
PSHMEM_NONE(_atomic_fetch_xor)
PSHMEM_NONE(_atomic_xor)
PSHMEM_NONE(_fetch)
PSHMEM_NONE(_set)
PSHMEM_NONE(_swap)
PSHMEM_NONE(_cswap)
PSHMEM_NONE(_finc)
PSHMEM_NONE(_inc)
PSHMEM_NONE(_fadd)
PSHMEM_NONE(_add)
PSHMEM_NONE(_test)

#endif /* PSHMEM_H */
