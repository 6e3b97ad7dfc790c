/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Strided transfers that do not wait, of all types, to PEs at all distances.
 */
#include <complex.h>
#include <string.h>

#include <shmemx.h>

#include "multi.h"

enum {
	LEN = 41,
};

#define STRIDES(T, name, op)                                                                  \
	static void name##_strides(int pe, int back)                                          \
	{                                                                                     \
		static T to[LEN], got[LEN], from[LEN];                                        \
		int i;                                                                        \
                                                                                              \
		for (i = 0; i < LEN; i++) {                                                   \
			from[i] = (T)(mt_me * 3 + i);                                         \
			to[i] = got[i] = (T)99;                                               \
		}                                                                             \
		shmem_barrier_all();                                                          \
		shmemx_##name##_iput_nbi(to, from, 3, 2, 5, pe);                              \
		shmemx_##name##_ibput_nbi(to + 20, from, 4, 3, 2, 5, pe);                     \
		shmemx_##name##_iget_nbi(got, from, 2, 3, 5, back);                           \
		shmemx_ctx_##name##_ibget_nbi(SHMEM_CTX_DEFAULT, got + 20, from, 4, 20, 2, 2, \
					      back);                                          \
		shmem_barrier_all();                                                          \
		for (i = 0; i < 15; i++)                                                      \
			CHECK_EQ((int)to[i], i % 3 ? 99 : (int)(T)(back * 3 + i / 3 * 2));    \
		for (i = 0; i < 20; i++)                                                      \
			CHECK_EQ((int)to[20 + i],                                             \
				 i % 4 > 1 ? 99 : (int)(T)(back * 3 + i / 4 * 3 + i % 4));    \
		for (i = 0; i < 10; i++)                                                      \
			CHECK_EQ((int)got[i], i % 2 ? 99 : (int)(T)(back * 3 + i / 2 * 3));   \
		for (i = 0; i < 8; i++)                                                       \
			CHECK_EQ((int)got[20 + i],                                            \
				 i % 4 > 1 ? 99 : (int)(T)(back * 3 + i / 4 * 20 + i % 4));   \
		shmem_barrier_all();                                                          \
	}
SHMEMI_TYPES_RMA(STRIDES, _)

static void
case_strides(void)
{
	static char to[256], from[256];
	int d;

	mt_waiting("a strided transfer that does not wait");
	for (d = 0; d < mt_distances(); d++) {
#define RUN_STRIDES(T, name, op) name##_strides(mt_pe(d), mt_pe(-d));
		SHMEMI_TYPES_RMA(RUN_STRIDES, _)
		memset(to, 0, sizeof(to));
		memset(from, mt_me + 1, sizeof(from));
		shmem_barrier_all();
		shmemx_iput128_nbi(to, from, 2, 1, 4, mt_pe(d));
		shmemx_ibget8_nbi(to + 128, from, 8, 4, 4, 16, mt_pe(-d));
		shmem_barrier_all();
		CHECK_EQ(to[0], mt_pe(-d) + 1);
		CHECK_EQ(to[16], 0);
		CHECK_EQ(to[96 + 15], mt_pe(-d) + 1);
		CHECK_EQ(to[128 + 3], mt_pe(-d) + 1);
		CHECK_EQ(to[128 + 4], 0);
		shmem_barrier_all();
	}
}

MT_PROGRAM(SHMEM_THREAD_SINGLE, {"strides", case_strides})
