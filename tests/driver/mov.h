/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef MOV_H
#define MOV_H

/* The loads and stores that compilers make of accesses to registers: MOV and MOVZX of x86-64. */

#include <stdbool.h>
#include <stdint.h>

struct mov {
	unsigned int len;  /* of the instruction */
	unsigned int size; /* bytes that it moves */
	bool store, immediate;
	unsigned int reg; /* number of the register, 0 to 15 */
	bool keeps;	  /* a load leaves the upper bits of the register alone */
	uint64_t value;	  /* immediate */
};

/* False for any other instruction. */
bool mov_decode(const uint8_t *at, struct mov *ret);

#endif /* MOV_H */
