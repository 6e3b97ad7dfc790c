/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Where the words of a test lie: near to each other, or in lines, pages, and kinds of memory of
 * their own.
 */
#include "place.h"

enum {
	LINE = 64,
	PAGE = 4096,
	WORDS_MAX = 40000, /* of a batch: a busy machine has to end it, too */
};

const char *const litmus_layout_names[LITMUS_LAYOUTS] = {"line", "lines", "pages", "static",
							 "heap"};

static size_t
round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static size_t
bytes_of(const struct litmus_var *v)
{
	return v->words * sizeof(uint64_t);
}

/* Is the word in static data? */
static bool
in_static(enum litmus_layout layout, int var)
{
	return layout == LITMUS_STATIC ? var != 0 : layout == LITMUS_HEAP && var == 0;
}

/* An instance is a record of all its words. */
static void
place_records(const struct litmus_test *t, enum litmus_layout layout,
	      const struct litmus_memory *mem, struct litmus_place *p)
{
	size_t at = 0;
	int v;

	for (v = 0; v < t->vars; v++) {
		p->first[v] = mem->heap + at;
		at += layout == LITMUS_LINES ? round_up(bytes_of(&t->var[v]), LINE)
					     : bytes_of(&t->var[v]);
	}
	for (v = 0; v < t->vars; v++)
		p->step[v] = round_up(at, LINE);
	p->heap = round_up(at, LINE) * p->n;
	p->data = 0;
}

/* A word of all instances is an array, with pages of its own. */
static void
place_arrays(const struct litmus_test *t, enum litmus_layout layout,
	     const struct litmus_memory *mem, struct litmus_place *p)
{
	int v;

	p->heap = p->data = 0;
	for (v = 0; v < t->vars; v++) {
		size_t *end = in_static(layout, v) ? &p->data : &p->heap;

		p->first[v] = (in_static(layout, v) ? mem->data : mem->heap) + *end;
		p->step[v] = bytes_of(&t->var[v]);
		*end += round_up(p->step[v] * p->n, PAGE);
	}
}

void
litmus_place(const struct litmus_test *test, enum litmus_layout layout,
	     const struct litmus_memory *mem, struct litmus_place *ret)
{
	size_t words = 0;
	int v;

	for (v = 0; v < test->vars; v++)
		words += test->var[v].words;
	ret->n = words * LITMUS_INSTANCES > WORDS_MAX ? WORDS_MAX / (unsigned int)words
						      : LITMUS_INSTANCES;
	for (;; ret->n--) {
		(layout <= LITMUS_LINES ? place_records : place_arrays)(test, layout, mem, ret);
		if (ret->n == 0 || (ret->heap <= mem->heap_size && ret->data <= mem->data_size))
			return;
	}
}
