/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_MORE_H
#define SHMEMX_MORE_H

/**
 * @file
 * Part of shmemx.h: more forms of the standard's transfers and collectives.
 */

#include <stddef.h>

#include "shmemx_float16.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup reproducible Reductions that do not depend on the layout
 *
 *  Follows issue 550 of openshmem-org/specification.
 *
 *  int shmemx_TYPENAME_OP_reduce_reproducible(team, dest, source, nreduce): as
 *  shmem_TYPENAME_OP_reduce, of floating-point types, OP one of max, min, sum, prod. The result
 * is a function of the values by rank and of nothing else: the same bits on every member, in every
 *  run, wherever the members sit, however many hosts and service lcores there are, and whatever the
 *  length is. Rank 0 and 1 are folded, 2 and 3, and so on, then these results in pairs, the lower
 *  ranks on the left: a binary tree, whose sums also have smaller errors than sums in a row.
 *
 *  The price: every member gets what all have and folds it, in pieces of 8 KiB by host. On n
 * members that is n / 2 times the data of a reduction, and n - 1 folds on each member instead of
 * about one (doc/extensions.md has figures). At most 512 members on one host of several.
 *
 *  In C11 and C++, shmemx_sum_reduce_reproducible and so on take all of these types.
 *
 *  dest and source are symmetric as in the standard, and the same or apart. @return 0; -1 where the
 *  team is SHMEM_TEAM_INVALID, or a host is lost (RINGBELL_LOST_HOST=error). By the thread that
 * makes collective calls on this team.
 */
/** @{ */
#define SHMEMX_TYPES_FLOAT(X, op)      \
	X(float, float, op)            \
	X(double, double, op)          \
	X(long double, longdouble, op) \
	SHMEMX_TYPES_FLOAT16(X, op)
#define SHMEMX_DECL_SAME(T, N, op_)                                                            \
	int shmemx_##N##op_##_reduce_reproducible(shmem_team_t team, T *dest, const T *source, \
						  size_t nreduce);
SHMEMX_TYPES_FLOAT(SHMEMX_DECL_SAME, _max)
SHMEMX_TYPES_FLOAT(SHMEMX_DECL_SAME, _min)
SHMEMX_TYPES_FLOAT(SHMEMX_DECL_SAME, _sum)
SHMEMX_TYPES_FLOAT(SHMEMX_DECL_SAME, _prod)
SHMEMI_TYPES_COMPLEX(SHMEMX_DECL_SAME, _sum)
SHMEMI_TYPES_COMPLEX(SHMEMX_DECL_SAME, _prod)
/** @} */

/** @defgroup counts Collectives with a count for each member
 *
 *  Follows no thread of the committee.
 *
 *  shmemx_TYPENAME_collectv(team, dest, source, counts): member i gives counts[i] elements, and
 * dest of every member gets them one behind the other by rank. All give the same @p counts, of as
 * many words as the team has members, in any memory. Unlike shmem_TYPENAME_collect it exchanges
 * no sizes first.
 *
 *  shmemx_TYPENAME_alltoallv(team, dest, dst_offsets, dst_counts, source, src_offsets, src_counts):
 *  this member sends src_counts[j] elements, from source + src_offsets[j] on, to member j, and gets
 *  dst_counts[i] elements of member i at dest + dst_offsets[i]. dst_offsets and dst_counts are
 *  symmetric arrays (the members that send read them), the other two may lie anywhere; each has as
 *  many words as the team has members. What i sends to j and what j takes from i must be the same
 *  number: else the job ends with one line. Blocks of dest must not overlap.
 *
 *  TYPENAME as in table 3, half and bfloat16, in C11 and C++ also without it; shmemx_collectvmem()
 * and shmemx_alltoallvmem() count bytes. dest is symmetric, source need not be; they must not
 * overlap. @return and thread: as above.
 */
/** @{ */
#define SHMEMX_DECL_COLLECTV(T, name) \
	int shmemx_##name(shmem_team_t team, T *dest, const T *source, const size_t *counts);
#define SHMEMX_DECL_ALLTOALLV(T, name)                                                          \
	int shmemx_##name(shmem_team_t team, T *dest, const size_t *dst_offsets,                \
			  const size_t *dst_counts, const T *source, const size_t *src_offsets, \
			  const size_t *src_counts);
#define SHMEMX_DECL_COUNTS(T, N, op)          \
	SHMEMX_DECL_COLLECTV(T, N##_collectv) \
	SHMEMX_DECL_ALLTOALLV(T, N##_alltoallv)
SHMEMI_TYPES_RMA(SHMEMX_DECL_COUNTS, _)
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_COUNTS, _)
SHMEMX_DECL_COLLECTV(void, collectvmem)
SHMEMX_DECL_ALLTOALLV(void, alltoallvmem)
/** @} */

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
SHMEMX_TYPES_FLOAT16(SHMEMX_DECL_STRIDES, _)
SHMEMI_SIZES(SHMEMX_DECL_STRIDES_SIZED, _)
/** @} */

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_MORE_H */
