/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_MORE_H
#define SHMEMX_MORE_H

/**
 * @file
 * Part of shmemx.h: strided transfers that do not wait.
 */

#include <stddef.h>

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup strided_nbi Strided transfers that do not wait
 *
 *  Follows pull request 510 of openshmem-org/specification.
 *
 *  shmemx_TYPENAME_iput_nbi, _iget_nbi, _ibput_nbi, _ibget_nbi, those with a context
 *  (shmemx_ctx_...), those by size (shmemx_iput32_nbi), and in C11 and C++ shmemx_iput_nbi and so
 * on, whose first argument may be a context: as the calls of section 9.6 without
 * _nbi, complete after the next shmem_quiet() or shmem_ctx_quiet(). Until then source of a put must
 * not change, and dest of a get has no values. Elements of a get that lie closer than 8 times their
 * size are read with what lies between them, by requests of 8 KiB that the call waits for: that is
 * faster than a request for each.
 */
/** @{ */
#define SHMEMX_DECL_STRIDED(T, name)                                                           \
	void shmemx_##name##_nbi(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,       \
				 size_t nelems, int pe);                                       \
	void shmemx_ctx_##name##_nbi(shmem_ctx_t ctx, T *dest, const T *source, ptrdiff_t dst, \
				     ptrdiff_t sst, size_t nelems, int pe);
#define SHMEMX_DECL_BLOCKED(T, name)                                                           \
	void shmemx_##name##_nbi(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst,       \
				 size_t bsize, size_t nblocks, int pe);                        \
	void shmemx_ctx_##name##_nbi(shmem_ctx_t ctx, T *dest, const T *source, ptrdiff_t dst, \
				     ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
#define SHMEMX_DECL_STRIDES(T, N, op)     \
	SHMEMX_DECL_STRIDED(T, N##_iput)  \
	SHMEMX_DECL_STRIDED(T, N##_iget)  \
	SHMEMX_DECL_BLOCKED(T, N##_ibput) \
	SHMEMX_DECL_BLOCKED(T, N##_ibget)
#define SHMEMX_DECL_STRIDES_SIZED(bits, op)    \
	SHMEMX_DECL_STRIDED(void, iput##bits)  \
	SHMEMX_DECL_STRIDED(void, iget##bits)  \
	SHMEMX_DECL_BLOCKED(void, ibput##bits) \
	SHMEMX_DECL_BLOCKED(void, ibget##bits)
SHMEMI_TYPES_RMA(SHMEMX_DECL_STRIDES, _)
SHMEMI_SIZES(SHMEMX_DECL_STRIDES_SIZED, _)
/** @} */

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_MORE_H */
