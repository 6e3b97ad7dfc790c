/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mov.h"

#include <string.h>

enum {
	REX_W = 8,
	REX_R = 4,
};

/* Bytes of the operand in memory, from its first one: with the number of the register. */
static unsigned int
operand(const uint8_t *at)
{
	unsigned int mod = at[0] >> 6, rm = at[0] & 7, n = 1;

	if (rm == 4) {
		n++;
		if (mod == 0 && (at[1] & 7) == 5)
			n += 4;
	}
	if (mod == 1)
		n += 1;
	else if (mod == 2 || (mod == 0 && rm == 5))
		n += 4;
	return n;
}

static bool
opcode(uint8_t op, bool two, unsigned int word, struct mov *m)
{
	switch (two << 8 | op) {
	case 0x88:
		m->store = true;
		m->size = 1;
		return true;
	case 0x89:
		m->store = true;
		m->size = word;
		return true;
	case 0x8a:
		m->size = 1;
		m->keeps = true;
		return true;
	case 0x8b:
		m->size = word;
		m->keeps = word == 2;
		return true;
	case 0xc6:
	case 0xc7:
		m->store = m->immediate = true;
		m->size = op == 0xc6 ? 1 : word;
		return true;
	case 0x1b6:
	case 0x1b7:
		m->size = op == 0xb6 ? 1 : 2;
		m->keeps = word == 2;
		return true;
	default:
		return false;
	}
}

bool
mov_decode(const uint8_t *at, struct mov *ret)
{
	const uint8_t *p = at;
	unsigned int word = 4, rex = 0, bytes;
	int32_t value = 0;
	bool two;

	*ret = (struct mov){0};
	if (*p == 0x66) {
		word = 2;
		p++;
	}
	if ((*p & 0xf0) == 0x40)
		rex = *p++;
	if ((rex & REX_W) != 0)
		word = 8;
	two = *p == 0x0f;
	p += two;
	if (!opcode(*p++, two, word, ret) || p[0] >> 6 == 3)
		return false;
	ret->reg = (p[0] >> 3 & 7) | ((rex & REX_R) != 0 ? 8 : 0);
	/* AH and its like */
	if (!ret->immediate && !two && ret->size == 1 && rex == 0 && ret->reg >= 4)
		return false;
	p += operand(p);
	if (ret->immediate) {
		bytes = ret->size == 8 ? 4 : ret->size;
		memcpy(&value, p, bytes);
		ret->value = (uint64_t)(int64_t)value;
		p += bytes;
	}
	ret->len = (unsigned int)(p - at);
	return true;
}
