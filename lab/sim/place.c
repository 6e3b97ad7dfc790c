/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rules.h"
#include "place.h"

enum {
	FRAME = 64, /* bytes of an operation beside its payload */
	STARTS = 12,
};

static int
init_place(struct place *p, unsigned int n)
{
	unsigned int i;

	*p = (struct place){.n = n};
	p->bytes = calloc((size_t)n * n, sizeof(*p->bytes));
	p->order = calloc(n, sizeof(*p->order));
	for (i = 0; p->order && i < n; i++)
		p->order[i] = i;
	return p->bytes && p->order ? 0 : -ENOMEM;
}

void
place_free(struct place *p)
{
	free(p->bytes);
	free(p->order);
	p->bytes = NULL;
	p->order = NULL;
}

/* What a span puts on the ring: data to the target, or from it. */
static void
add_traffic(struct place *p, unsigned int pe, const struct trace_span *s)
{
	uint64_t frames = (uint64_t)s->count * FRAME;
	bool get = s->kind == TRACE_GET;

	if (s->kind >= TRACE_WAIT || s->pe == pe)
		return;
	p->bytes[pe * p->n + s->pe] += frames + (get ? 0 : s->bytes);
	p->bytes[s->pe * p->n + pe] += get ? s->bytes : 0;
}

int
place_of_trace(struct place *ret, const struct trace *t)
{
	unsigned int pe;
	size_t i;

	if (init_place(ret, t->pes) < 0) {
		place_free(ret);
		return -ENOMEM;
	}
	for (pe = 0; pe < t->pes; pe++)
		for (i = 0; i < t->pe[pe].n; i++)
			add_traffic(ret, pe, &t->pe[pe].span[i]);
	return 0;
}

/* @return what is wrong with the line, or NULL */
static const char *
read_line(struct place *p, const char *line)
{
	unsigned int from, to;
	uint64_t bytes;
	int end = -1;

	line += strspn(line, " \t");
	if (*line == '#' || *line == '\n' || *line == '\0')
		return NULL;
	if (strchr(line, '-') ||
	    sscanf(line, "%u %u %" SCNu64 " %n", &from, &to, &bytes, &end) != 3 || end < 0 ||
	    line[end] != '\0')
		return "not SOURCE TARGET BYTES";
	if (from >= PLACE_PES || to >= PLACE_PES || bytes > 1ull << 48)
		return "a number is too large";
	p->bytes[from * PLACE_PES + to] += bytes;
	if (from >= p->n || to >= p->n)
		p->n = (from > to ? from : to) + 1;
	return NULL;
}

static int
read_lines(struct place *p, FILE *f, const char *name)
{
	char line[128];
	const char *wrong;
	unsigned int n = 0, i, k;

	p->n = 0;
	while (fgets(line, sizeof(line), f)) {
		n++;
		wrong = read_line(p, line);
		if (wrong) {
			fprintf(stderr, "ringbell-sim: %s:%u: %s\n", name, n, wrong);
			return -EINVAL;
		}
	}
	if (p->n < 2) {
		fprintf(stderr, "ringbell-sim: %s: %s\n", name,
			ferror(f) ? "cannot be read" : "at least two PEs are needed");
		return -EINVAL;
	}
	for (i = 0; i < p->n; i++) /* from rows of PLACE_PES to rows of n */
		for (k = 0; k < p->n; k++)
			p->bytes[i * p->n + k] = p->bytes[i * PLACE_PES + k];
	return 0;
}

static int
load_trace(struct place *ret, const char *name)
{
	struct trace t;
	int result = trace_load(&t, name);

	if (result < 0)
		return result;
	result = t.pes < 2 || t.pes > PLACE_PES ? -EINVAL : place_of_trace(ret, &t);
	if (result < 0)
		fprintf(stderr, "ringbell-sim: %s: %s\n", name,
			result == -ENOMEM ? "no memory" : "2 to 256 PEs are needed");
	trace_free(&t);
	return result;
}

int
place_load(struct place *ret, const char *name)
{
	FILE *f = fopen(name, "r");
	int result, c;

	*ret = (struct place){0};
	if (!f) {
		fprintf(stderr, "ringbell-sim: %s: %s\n", name, strerror(errno));
		return -EINVAL;
	}
	c = fgetc(f);
	if (c == '{') {
		fclose(f);
		return load_trace(ret, name);
	}
	ungetc(c, f);
	result = init_place(ret, PLACE_PES);
	if (result == 0)
		result = read_lines(ret, f, name);
	else
		fprintf(stderr, "ringbell-sim: no memory\n");
	if (result < 0)
		place_free(ret);
	fclose(f);
	return result;
}

struct cost {
	uint64_t busiest, carried;
};

static bool
is_less(struct cost a, struct cost b)
{
	return a.busiest != b.busiest ? a.busiest < b.busiest : a.carried < b.carried;
}

static struct cost
find_cost(const struct place *p, const unsigned int *order)
{
	uint64_t load[RB_RING_PORTS][PLACE_PES] = {{0}};
	struct cost cost = {0};
	unsigned int from, to, at, h;

	for (from = 0; from < p->n; from++)
		for (to = 0; to < p->n; to++) {
			uint64_t bytes = p->bytes[order[from] * p->n + order[to]];
			struct rb_route r = rb_rule_route(from, to, p->n);

			if (bytes == 0 || from == to)
				continue;
			for (at = from, h = 0; h < r.hops; h++) {
				load[r.port][at] += bytes;
				at = (at + (r.port == RB_PORT_NEXT ? 1 : p->n - 1)) % p->n;
			}
			cost.carried += bytes * r.hops;
		}
	for (at = 0; at < p->n; at++)
		for (h = 0; h < RB_RING_PORTS; h++)
			if (load[h][at] > cost.busiest)
				cost.busiest = load[h][at];
	return cost;
}

static void
reverse_part(unsigned int *order, unsigned int from, unsigned int to)
{
	for (; from < to; from++, to--) {
		unsigned int pe = order[from];

		order[from] = order[to];
		order[to] = pe;
	}
}

static void
exchange_pes(unsigned int *order, unsigned int a, unsigned int b)
{
	unsigned int pe = order[a];

	order[a] = order[b];
	order[b] = pe;
}

/* Exchange two PEs, or turn a part of the ring round, as long as that helps. */
static struct cost
improve_order(const struct place *p, unsigned int *order)
{
	struct cost best = find_cost(p, order), now;
	bool better = true;
	unsigned int a, b;

	while (better) {
		better = false;
		for (a = 0; a < p->n; a++)
			for (b = a + 1; b < p->n; b++) {
				exchange_pes(order, a, b);
				now = find_cost(p, order);
				if (is_less(now, best)) {
					best = now;
					better = true;
					continue;
				}
				exchange_pes(order, a, b);
				reverse_part(order, a, b);
				now = find_cost(p, order);
				if (is_less(now, best)) {
					best = now;
					better = true;
					continue;
				}
				reverse_part(order, a, b);
			}
	}
	return best;
}

/* Each PE beside the one of those left with which the last one exchanges most. */
static void
chain_order(const struct place *p, unsigned int first, unsigned int *order)
{
	unsigned int i, k, best;

	for (i = 0; i < p->n; i++)
		order[i] = i;
	exchange_pes(order, 0, first);
	for (i = 1; i < p->n; i++) {
		uint64_t most = 0;

		for (best = i, k = i; k < p->n; k++) {
			uint64_t bytes = p->bytes[order[i - 1] * p->n + order[k]] +
					 p->bytes[order[k] * p->n + order[i - 1]];

			if (bytes > most) {
				most = bytes;
				best = k;
			}
		}
		exchange_pes(order, i, best);
	}
}

void
place_search(struct place *p)
{
	unsigned int order[PLACE_PES], i, tries = p->n < STARTS ? p->n : STARTS;
	struct cost best = find_cost(p, p->order), now;

	p->busiest[0] = best.busiest;
	p->carried[0] = best.carried;
	/* large rings: one start, since a search takes n^4 steps */
	if (p->n > 32)
		tries = 1;
	for (i = 0; i <= tries; i++) {
		if (i == 0)
			memcpy(order, p->order, p->n * sizeof(*order));
		else
			chain_order(p, (i - 1) * p->n / tries, order);
		now = p->n <= 64 ? improve_order(p, order) : find_cost(p, order);
		if (is_less(now, best)) {
			best = now;
			memcpy(p->order, order, p->n * sizeof(*order));
		}
	}
	p->busiest[1] = best.busiest;
	p->carried[1] = best.carried;
}
