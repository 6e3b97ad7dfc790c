/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Shapes of the collectives, and what members bring to them.
 */
#include <stdio.h>
#include <string.h>

#include "coll.h"
#include "padding.h"

const char *
coll_name(const struct op *op, char name[COLL_NAME])
{
	const char *team = coll_names[op->what];
	int word = (int)strcspn(team, "_");

	if (op->aset && op->what >= C_AND)
		snprintf(name, COLL_NAME, "%.*s_to_all", word, team);
	else
		snprintf(name, COLL_NAME, "%s", team);
	return name;
}

size_t
coll_count(const struct op *op, int rank)
{
	if (op->what != C_COLLECT)
		return op->n;
	return hash64(op->key, (uint64_t)rank) % (op->n + 1);
}

struct span
coll_dst(const struct op *op, int rank)
{
	size_t size = types[op->type].size, n = op->n;
	int i;

	(void)rank;
	switch (op->what) {
	case C_COLLECT:
		for (n = 0, i = 0; i < op->team.n; i++)
			n += coll_count(op, i);
		break;
	case C_FCOLLECT:
	case C_ALLTOALL:
		n *= (size_t)op->team.n;
		break;
	case C_ALLTOALLS:
		return (struct span){op->dst, size, (size_t)op->dst_stride * size,
				     n * (size_t)op->team.n};
	default:
		break;
	}
	return (struct span){op->dst, n * size, n * size, 1};
}

struct span
coll_src(const struct op *op, int rank)
{
	size_t size = types[op->type].size, n = coll_count(op, rank);

	if (op->what == C_ALLTOALLS)
		return (struct span){op->src, size, (size_t)op->src_stride * size,
				     n * (size_t)op->team.n};
	if (op->what == C_ALLTOALL)
		n *= (size_t)op->team.n;
	return (struct span){op->src, n * size, n * size, 1};
}

/* Sums and products of these are exact in any order, and no zero has a sign. */
static double
small(uint64_t random, bool product)
{
	static const double factors[] = {1, -1, 2, 0.5};

	return product ? factors[random % 4] : (double)(random % 17) - 8;
}

static void
put_float(unsigned char *at, int type, double re, double im)
{
	float f = (float)re;
	long double l = re;
	double _Complex cd = re + im * (double _Complex)__builtin_complex(0.0, 1.0);
	float _Complex cf = __builtin_complex((float)re, (float)im);

	switch (types[type].size | (types[type].flags & IS_COMPLEX) << 8) {
	case 4:
		memcpy(at, &f, 4);
		break;
	case 8:
		memcpy(at, &re, 8);
		break;
	case 16:
		memcpy(at, &l, sizeof(l));
		clear_padding(at, 1);
		break;
	case 16 | IS_COMPLEX << 8:
		memcpy(at, &cd, 16);
		break;
	default:
		memcpy(at, &cf, 8);
	}
}

void
coll_values(const struct op *op, int rank, unsigned char *at)
{
	const struct type_info *t = &types[op->type];
	uint64_t key = hash64(op->key, (uint64_t)rank + 1000);
	size_t i;

	if (!(t->flags & IS_FLOAT)) {
		world_pattern(at, op->n * t->size, key);
		return;
	}
	for (i = 0; i < op->n; i++) {
		uint64_t r = hash64(key, i);
		bool product = op->what == C_PROD;
		double re = small(r, product), im = small(r >> 32, product);

		/* The sign of a zero part hangs on the order, but what it is added to is none. */
		if (product)
			im = rank == 0 ? re : 0;
		put_float(at + i * t->size, op->type, re, im);
	}
}
