/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdlib.h>
#include <string.h>

#include "coll.h"
#include "local.h"
#include "hosts.h"

struct scan {
	const struct coll_op *op;
	const struct coll_map *map;
	const struct coll_reduction *what;
	enum coll_chain kind;
};

/* out = what the first @p count members of the group have contributed. */
static void
fold_members(const struct scan *s, const struct coll_op *group, void *out, size_t n, int count)
{
	size_t len = n * s->what->size;
	int i;

	for (i = 0; i < count; i++) {
		const void *next = coll_step_data(group, i, len);

		if (i == 0)
			memcpy(out, next, len);
		else
			s->what->combine(out, out, next, n);
	}
}

/* The leader's part: what comes from the hosts below goes to the group, and with what the group has
 * contributed on to the hosts above. */
static void
carry_on(const struct scan *s, const struct coll_op *group, size_t n)
{
	uint8_t sum[COLL_STAGE] __attribute__((aligned(64)));
	struct coll_op leaders = coll_leaders(s->op, s->map);
	size_t len = n * s->what->size;
	const void *below = NULL;

	fold_members(s, group, sum, n, group->n);
	if (leaders.rank > 0) {
		below = coll_receive(&leaders, COLL_UP);
		s->what->combine(sum, below, sum, n);
	}
	if (leaders.rank < leaders.n - 1)
		coll_send(&leaders, COLL_UP, sum, len);
	coll_step_contribute(group, below, below == NULL ? 0 : len);
	if (below != NULL)
		coll_release(&leaders, COLL_UP);
}

/* The ranks on a host follow one another. */
static void
scan_piece(const struct scan *s, char *dest, const char *source, size_t n)
{
	uint8_t mine[COLL_STAGE] __attribute__((aligned(64)));
	struct coll_op group = coll_group(s->op, s->map);
	size_t len = n * s->what->size;
	int count = group.rank + (s->kind == COLL_INSCAN);
	const void *below;

	coll_step_contribute(&group, source, len);
	coll_step_all(&group);
	fold_members(s, &group, mine, n, count);
	if (s->map->local == s->map->lead)
		carry_on(s, &group, n);
	else
		coll_step_contribute(&group, NULL, 0);
	coll_step_wait(&group, s->map->lead);
	below = coll_step_data(&group, s->map->lead, len);
	if (s->map->mine > 0 && count > 0)
		s->what->combine(dest, below, mine, n);
	else if (s->map->mine > 0)
		memcpy(dest, below, len);
	else if (count > 0)
		memcpy(dest, mine, len);
	else
		memset(dest, 0, len);
}

/* Ranks are dealt out over the hosts: all members get all there is, and fold their part. */
static void
scan_scattered(const struct scan *s, char *dest, const char *source, size_t n)
{
	size_t size = s->what->size, all = (size_t)s->op->n, at, k, i;
	size_t most = COLL_STAGE / (size * all) > 0 ? COLL_STAGE / (size * all) : 1;
	int count = s->op->rank + (s->kind == COLL_INSCAN);
	char *blocks = malloc(most * all * size);

	if (blocks == NULL)
		shmemi_fatal(s->op->call, "no memory for %zu elements", most * all);
	for (at = 0; at < n; at += k) {
		const struct coll_blocks even = {.even = size * (n - at < most ? n - at : most)};
		char *out = dest + at * size;

		k = even.even / size;
		coll_gather_blocks(s->op, blocks, source + at * size, &even);
		memset(out, 0, even.even);
		for (i = 0; i < (size_t)count; i++) {
			const char *next = blocks + i * even.even;

			if (i == 0)
				memcpy(out, next, even.even);
			else
				s->what->combine(out, out, next, k);
		}
	}
	free(blocks);
}

void
coll_scan(const struct coll_op *op, void *dest, const void *source, size_t n,
	  const struct coll_reduction *what, enum coll_chain kind)
{
	struct scan s = {.op = op, .what = what, .kind = kind};
	size_t size = what->size, most, at, k;
	struct coll_op group, leaders;
	enum coll_way way;

	if (n == 0)
		return;
	if (op->n == 1) {
		if (kind == COLL_EXSCAN)
			memset(dest, 0, n * size);
		else if (dest != source)
			memcpy(dest, source, n * size);
		return;
	}
	s.map = coll_map(op);
	group = coll_group(op, s.map);
	leaders = coll_leaders(op, s.map);
	way = coll_choose(COLL_WORK_SCAN, s.map, n * size);
	if (way == COLL_WAY_HOST) {
		coll_local_scan(&group, dest, source, n, what, kind);
	} else if (way == COLL_WAY_RANKS) {
		coll_chain(&leaders, dest, source, n, what, kind);
	} else if (way == COLL_WAY_ALL) {
		scan_scattered(&s, dest, source, n);
	} else {
		most = coll_buffer_len(&leaders) / size;
		for (at = 0; at < n; at += k) {
			k = n - at < most ? n - at : most;
			scan_piece(&s, (char *)dest + at * size, (const char *)source + at * size,
				   k);
		}
	}
}
