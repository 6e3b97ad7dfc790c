/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TYPE_H
#define TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Types of the typed calls, and what else says how long an element is. */
enum type {
	T_RMA = 24, /* below: the typed calls, in the order of TYPES_RMA */
	T_COMPLEXD = T_RMA,
	T_COMPLEXF,
	T_SIZED, /* 8, 16, 32, 64, 128 bits */
	T_MEM = T_SIZED + 5,
	TYPES,
};

enum {
	IS_SIGNED = 1,
	IS_FLOAT = 2,
	IS_COMPLEX = 4,
	IS_PADDED = 8, /* long double where it has padding */
};

struct type_info {
	const char *name;
	size_t size;
	unsigned int flags;
};
extern const struct type_info types[TYPES];
/** Value @p v of integer type @p type, extended to 64 bits. */
uint64_t type_trim(int type, uint64_t v);
/** a < b in integer type @p type. */
bool type_less(int type, uint64_t a, uint64_t b);

#endif /* TYPE_H */
