/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TYPES_H
#define TYPES_H

/* The type tables of the standard as the tests see them: not the library's, so that a row missing
 * there does not go missing here. */

/* clang-format off */

#define TYPES_RMA(X) \
	X(float, float) X(double, double) X(long double, longdouble) X(char, char) \
	X(signed char, schar) X(short, short) X(int, int) X(long, long) \
	X(long long, longlong) X(unsigned char, uchar) X(unsigned short, ushort) \
	X(unsigned int, uint) X(unsigned long, ulong) X(unsigned long long, ulonglong) \
	X(int8_t, int8) X(int16_t, int16) X(int32_t, int32) X(int64_t, int64) \
	X(uint8_t, uint8) X(uint16_t, uint16) X(uint32_t, uint32) X(uint64_t, uint64) \
	X(size_t, size) X(ptrdiff_t, ptrdiff)

#define TYPES_AMO(X) \
	X(int, int) X(long, long) X(long long, longlong) X(unsigned int, uint) \
	X(unsigned long, ulong) X(unsigned long long, ulonglong) X(int32_t, int32) \
	X(int64_t, int64) X(uint32_t, uint32) X(uint64_t, uint64) X(size_t, size) \
	X(ptrdiff_t, ptrdiff)

#define TYPES_COMPLEX(X) \
	X(double _Complex, complexd) X(float _Complex, complexf)

/* Bits, bytes. */
#define SIZES(X) \
	X(8, 1) X(16, 2) X(32, 4) X(64, 8) X(128, 16)

/* clang-format on */

#endif /* TYPES_H */
