/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_MOVE16_H
#define SHMEMX_MOVE16_H

/**
 * @file
 * Part of shmemx_float16.h: the calls that move floats of 16 bits, over those for words of 16 bits.
 */

#define SHMEMX_MOVE(T, N, call)                                                                 \
	static inline void shmemx_##N##_##call(T *dest, const T *source, size_t nelems, int pe) \
	{                                                                                       \
		shmem_##call##16(dest, source, nelems, pe);                                     \
	}                                                                                       \
	static inline void shmemx_ctx_##N##_##call(shmem_ctx_t ctx, T *dest, const T *source,   \
						   size_t nelems, int pe)                       \
	{                                                                                       \
		shmem_ctx_##call##16(ctx, dest, source, nelems, pe);                            \
	}
#define SHMEMX_MOVE_NBI(T, N, call)                                                              \
	static inline void shmemx_##N##_##call##_nbi(T *dest, const T *source, size_t nelems,    \
						     int pe)                                     \
	{                                                                                        \
		shmem_##call##16_nbi(dest, source, nelems, pe);                                  \
	}                                                                                        \
	static inline void shmemx_ctx_##N##_##call##_nbi(shmem_ctx_t ctx, T *dest,               \
							 const T *source, size_t nelems, int pe) \
	{                                                                                        \
		shmem_ctx_##call##16_nbi(ctx, dest, source, nelems, pe);                         \
	}
#define SHMEMX_STRIDE(T, N, call)                                                               \
	static inline void shmemx_##N##_##call(T *dest, const T *source, ptrdiff_t dst,         \
					       ptrdiff_t sst, size_t nelems, int pe)            \
	{                                                                                       \
		shmem_##call##16(dest, source, dst, sst, nelems, pe);                           \
	}                                                                                       \
	static inline void shmemx_ctx_##N##_##call(shmem_ctx_t ctx, T *dest, const T *source,   \
						   ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
						   int pe)                                      \
	{                                                                                       \
		shmem_ctx_##call##16(ctx, dest, source, dst, sst, nelems, pe);                  \
	}
#define SHMEMX_BLOCKS(T, N, call)                                                              \
	static inline void shmemx_##N##_##call(T *dest, const T *source, ptrdiff_t dst,        \
					       ptrdiff_t sst, size_t bsize, size_t nblocks,    \
					       int pe)                                         \
	{                                                                                      \
		shmem_##call##16(dest, source, dst, sst, bsize, nblocks, pe);                  \
	}                                                                                      \
	static inline void shmemx_ctx_##N##_##call(shmem_ctx_t ctx, T *dest, const T *source,  \
						   ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
						   size_t nblocks, int pe)                     \
	{                                                                                      \
		shmem_ctx_##call##16(ctx, dest, source, dst, sst, bsize, nblocks, pe);         \
	}
#define SHMEMX_SIGNAL16(T, N, call)                                                               \
	static inline void shmemx_##N##_put_##call(T *dest, const T *source, size_t nelems,       \
						   uint64_t *sig_addr, uint64_t signal,           \
						   int sig_op, int pe)                            \
	{                                                                                         \
		shmem_put16_##call(dest, source, nelems, sig_addr, signal, sig_op, pe);           \
	}                                                                                         \
	static inline void shmemx_ctx_##N##_put_##call(shmem_ctx_t ctx, T *dest, const T *source, \
						       size_t nelems, uint64_t *sig_addr,         \
						       uint64_t signal, int sig_op, int pe)       \
	{                                                                                         \
		shmem_ctx_put16_##call(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe);  \
	}
#define SHMEMX_WORD16(T, N, op)                                                          \
	static inline void shmemx_##N##_p(T *dest, T value, int pe)                      \
	{                                                                                \
		shmem_put16(dest, &value, 1, pe);                                        \
	}                                                                                \
	static inline void shmemx_ctx_##N##_p(shmem_ctx_t ctx, T *dest, T value, int pe) \
	{                                                                                \
		shmem_ctx_put16(ctx, dest, &value, 1, pe);                               \
	}                                                                                \
	static inline T shmemx_##N##_g(const T *source, int pe)                          \
	{                                                                                \
		T value;                                                                 \
                                                                                         \
		shmem_get16(&value, source, 1, pe);                                      \
		return value;                                                            \
	}                                                                                \
	static inline T shmemx_ctx_##N##_g(shmem_ctx_t ctx, const T *source, int pe)     \
	{                                                                                \
		T value;                                                                 \
                                                                                         \
		shmem_ctx_get16(ctx, &value, source, 1, pe);                             \
		return value;                                                            \
	}
#define SHMEMX_GATHER(T, N, call)                                                            \
	static inline int shmemx_##N##_##call(shmem_team_t team, T *dest, const T *source,   \
					      size_t nelems)                                 \
	{                                                                                    \
		return shmem_uint16_##call(team, (uint16_t *)dest, (const uint16_t *)source, \
					   nelems);                                          \
	}
#define SHMEMX_SPREAD(T, N, op)                                                                 \
	static inline int shmemx_##N##_broadcast(shmem_team_t team, T *dest, const T *source,   \
						 size_t nelems, int PE_root)                    \
	{                                                                                       \
		return shmem_uint16_broadcast(team, (uint16_t *)dest, (const uint16_t *)source, \
					      nelems, PE_root);                                 \
	}                                                                                       \
	static inline int shmemx_##N##_alltoalls(shmem_team_t team, T *dest, const T *source,   \
						 ptrdiff_t dst, ptrdiff_t sst, size_t nelems)   \
	{                                                                                       \
		return shmem_uint16_alltoalls(team, (uint16_t *)dest, (const uint16_t *)source, \
					      dst, sst, nelems);                                \
	}
#define SHMEMX_GATHER_NB(T, N, call)                                                          \
	static inline int shmemx_##N##_##call(shmem_team_t team, T *dest, const T *source,    \
					      size_t nelems, shmemx_req_h *request)           \
	{                                                                                     \
		return shmemx_uint16_##call(team, (uint16_t *)dest, (const uint16_t *)source, \
					    nelems, request);                                 \
	}
#define SHMEMX_SPREAD_NB(T, N, op)                                                               \
	static inline int shmemx_##N##_broadcast_nb(shmem_team_t team, T *dest, const T *source, \
						    size_t nelems, int PE_root,                  \
						    shmemx_req_h *request)                       \
	{                                                                                        \
		return shmemx_uint16_broadcast_nb(team, (uint16_t *)dest,                        \
						  (const uint16_t *)source, nelems, PE_root,     \
						  request);                                      \
	}                                                                                        \
	static inline int shmemx_##N##_alltoalls_nb(shmem_team_t team, T *dest, const T *source, \
						    ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
						    shmemx_req_h *request)                       \
	{                                                                                        \
		return shmemx_uint16_alltoalls_nb(team, (uint16_t *)dest,                        \
						  (const uint16_t *)source, dst, sst, nelems,    \
						  request);                                      \
	}
SHMEMX_TYPES_FLOAT16(SHMEMX_MOVE, put)
SHMEMX_TYPES_FLOAT16(SHMEMX_MOVE, get)
SHMEMX_TYPES_FLOAT16(SHMEMX_MOVE_NBI, put)
SHMEMX_TYPES_FLOAT16(SHMEMX_MOVE_NBI, get)
SHMEMX_TYPES_FLOAT16(SHMEMX_STRIDE, iput)
SHMEMX_TYPES_FLOAT16(SHMEMX_STRIDE, iget)
SHMEMX_TYPES_FLOAT16(SHMEMX_BLOCKS, ibput)
SHMEMX_TYPES_FLOAT16(SHMEMX_BLOCKS, ibget)
SHMEMX_TYPES_FLOAT16(SHMEMX_SIGNAL16, signal)
SHMEMX_TYPES_FLOAT16(SHMEMX_SIGNAL16, signal_nbi)
SHMEMX_TYPES_FLOAT16(SHMEMX_WORD16, _)
SHMEMX_TYPES_FLOAT16(SHMEMX_SPREAD, _)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER, collect)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER, fcollect)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER, alltoall)
SHMEMX_TYPES_FLOAT16(SHMEMX_SPREAD_NB, _)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER_NB, collect_nb)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER_NB, fcollect_nb)
SHMEMX_TYPES_FLOAT16(SHMEMX_GATHER_NB, alltoall_nb)

#endif /* SHMEMX_MOVE16_H */
