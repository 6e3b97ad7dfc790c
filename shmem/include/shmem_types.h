/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEM_TYPES_H
#define SHMEM_TYPES_H

/**
 * @file
 * The type tables of the standard, once. X(type, name, op) is called for every row; op is handed
 * through, so that one shape macro serves several families. An op starts with an underscore: it
 * is expanded on its way, and a program may well have a macro `p` or `test` of its own.
 */

#ifdef __cplusplus
/* Programs of the days before overloads have this header inside of an extern "C". */
extern "C++" {
#include <complex>
}
/* Layout compatible with the C types, which ISO C++ does not have. */
#define SHMEMI_COMPLEXD std::complex<double>
#define SHMEMI_COMPLEXF std::complex<float>
#else
#define SHMEMI_COMPLEXD double _Complex
#define SHMEMI_COMPLEXF float _Complex
#endif

/* clang-format off */

/* Type-generic calls need each C type once: int64_t is another name of long, which _Generic and
 * overloading reject beside it. */

/** Those standard RMA types (table 3) that C has by itself. */
#define SHMEMI_DISTINCT_RMA(X, op)     \
	X(float, float, op)            \
	X(double, double, op)          \
	X(long double, longdouble, op) \
	X(char, char, op)              \
	X(signed char, schar, op)      \
	X(short, short, op)            \
	X(int, int, op)                \
	X(long, long, op)              \
	X(long long, longlong, op)     \
	X(unsigned char, uchar, op)    \
	X(unsigned short, ushort, op)  \
	SHMEMI_TYPES_UNSIGNED(X, op)

/** Standard RMA types (table 3); also MAX and MIN of the team reductions. */
#define SHMEMI_TYPES_RMA(X, op)      \
	SHMEMI_DISTINCT_RMA(X, op)   \
	X(int8_t, int8, op)          \
	X(int16_t, int16, op)        \
	X(uint8_t, uint8, op)        \
	X(uint16_t, uint16, op)      \
	SHMEMI_TYPES_AMO_SIZE(X, op) \
	X(size_t, size, op)          \
	X(ptrdiff_t, ptrdiff, op)

/** Deprecated atomics: cswap, finc, inc, fadd, add. */
#define SHMEMI_TYPES_OLD_AMO(X, op) \
	X(int, int, op)             \
	X(long, long, op)           \
	X(long long, longlong, op)

#define SHMEMI_TYPES_UNSIGNED(X, op) \
	X(unsigned int, uint, op)    \
	X(unsigned long, ulong, op)  \
	X(unsigned long long, ulonglong, op)

#define SHMEMI_TYPES_AMO_SIZE(X, op) \
	X(int32_t, int32, op)        \
	X(int64_t, int64, op)        \
	X(uint32_t, uint32, op)      \
	X(uint64_t, uint64, op)

/** Those types of table 4 for which the standard has no deprecated atomics. */
#define SHMEMI_TYPES_NEW_AMO(X, op)  \
	SHMEMI_TYPES_UNSIGNED(X, op) \
	SHMEMI_TYPES_AMO_SIZE(X, op) \
	X(size_t, size, op)          \
	X(ptrdiff_t, ptrdiff, op)

/** Standard AMO types (table 4); also wait and test. */
#define SHMEMI_TYPES_AMO(X, op)     \
	SHMEMI_TYPES_OLD_AMO(X, op) \
	SHMEMI_TYPES_NEW_AMO(X, op)

/** Extended AMO types (table 5): fetch, set and swap only. */
#define SHMEMI_TYPES_AMO_EXT(X, op) \
	X(float, float, op)         \
	X(double, double, op)       \
	SHMEMI_TYPES_AMO(X, op)

/** Bitwise AMO types (table 6); the signed ones are of Open MPI. */
#define SHMEMI_TYPES_AMO_BIT(X, op)  \
	SHMEMI_TYPES_OLD_AMO(X, op)  \
	SHMEMI_TYPES_UNSIGNED(X, op) \
	SHMEMI_TYPES_AMO_SIZE(X, op)

/** Active-set reductions: AND, OR, XOR. */
#define SHMEMI_TYPES_ASET_BIT(X, op) \
	X(short, short, op)          \
	SHMEMI_TYPES_OLD_AMO(X, op)

/** Team reductions: AND, OR, XOR; the signed types are of Sandia OpenSHMEM. */
#define SHMEMI_TYPES_REDUCE_BIT(X, op) \
	SHMEMI_TYPES_ASET_BIT(X, op)   \
	X(unsigned char, uchar, op)    \
	X(unsigned short, ushort, op)  \
	SHMEMI_TYPES_UNSIGNED(X, op)   \
	X(int8_t, int8, op)            \
	X(int16_t, int16, op)          \
	X(uint8_t, uint8, op)          \
	X(uint16_t, uint16, op)        \
	SHMEMI_TYPES_AMO_SIZE(X, op)   \
	X(size_t, size, op)

/** Team reductions: MAX, MIN. */
#define SHMEMI_TYPES_REDUCE_ORD(X, op) SHMEMI_TYPES_RMA(X, op)

#define SHMEMI_TYPES_COMPLEX(X, op)      \
	X(SHMEMI_COMPLEXD, complexd, op) \
	X(SHMEMI_COMPLEXF, complexf, op)

/** Team reductions: SUM, PROD, and the scans. */
#define SHMEMI_TYPES_REDUCE_ARITH(X, op) \
	SHMEMI_TYPES_RMA(X, op)          \
	SHMEMI_TYPES_COMPLEX(X, op)

/** Active-set reductions: MAX, MIN. */
#define SHMEMI_TYPES_ASET_ORD(X, op) \
	SHMEMI_TYPES_ASET_BIT(X, op) \
	X(float, float, op)          \
	X(double, double, op)        \
	X(long double, longdouble, op)

/** Active-set reductions: SUM, PROD. */
#define SHMEMI_TYPES_ASET_ARITH(X, op) \
	SHMEMI_TYPES_ASET_ORD(X, op)   \
	SHMEMI_TYPES_COMPLEX(X, op)

/** Deprecated atomics: fetch, set, swap. */
#define SHMEMI_TYPES_OLD_AMO_EXT(X, op) \
	X(float, float, op)             \
	X(double, double, op)           \
	SHMEMI_TYPES_OLD_AMO(X, op)

/** Deprecated wait_until and test of types that have no atomics. */
#define SHMEMI_TYPES_OLD_SYNC(X, op) \
	X(short, short, op)          \
	X(unsigned short, ushort, op)

/** wait and test of several words. */
#define SHMEMI_TYPES_SYNC_SET(X, op) \
	SHMEMI_TYPES_AMO(X, op)      \
	SHMEMI_TYPES_OLD_SYNC(X, op)

/** Deprecated typed shmem_wait. */
#define SHMEMI_TYPES_OLD_WAIT(X, op) \
	X(short, short, op)          \
	SHMEMI_TYPES_OLD_AMO(X, op)

#define SHMEMI_DISTINCT_AMO(X, op)  \
	SHMEMI_TYPES_OLD_AMO(X, op) \
	SHMEMI_TYPES_UNSIGNED(X, op)

#define SHMEMI_DISTINCT_SYNC_SET(X, op) \
	SHMEMI_TYPES_OLD_SYNC(X, op)    \
	SHMEMI_DISTINCT_AMO(X, op)

#define SHMEMI_DISTINCT_AMO_EXT(X, op) \
	X(float, float, op)            \
	X(double, double, op)          \
	SHMEMI_DISTINCT_AMO(X, op)

#define SHMEMI_DISTINCT_AMO_BIT(X, op) \
	SHMEMI_TYPES_UNSIGNED(X, op)   \
	X(int32_t, int32, op)          \
	X(int64_t, int64, op)          \
	X(long long, longlong, op)

#define SHMEMI_DISTINCT_REDUCE_BIT(X, op) \
	X(unsigned char, uchar, op)       \
	X(unsigned short, ushort, op)     \
	X(int8_t, int8, op)               \
	X(int16_t, int16, op)             \
	SHMEMI_DISTINCT_AMO_BIT(X, op)

#define SHMEMI_DISTINCT_REDUCE_ORD(X, op) SHMEMI_DISTINCT_RMA(X, op)

#define SHMEMI_DISTINCT_REDUCE_ARITH(X, op) \
	SHMEMI_DISTINCT_RMA(X, op)          \
	SHMEMI_TYPES_COMPLEX(X, op)

/** Sizes of the calls that move raw bits: X(bits, op). */
#define SHMEMI_SIZES(X, op) X(8, op) X(16, op) X(32, op) X(64, op) X(128, op)

/* clang-format on */

#endif /* SHMEM_TYPES_H */
