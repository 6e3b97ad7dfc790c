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

/* Offset of the word in the record of an instance; of the first word that is not there, its size.
 */
static size_t
in_record(const struct litmus_test *t, enum litmus_layout layout, int var)
{
	size_t at = 0;
	int v;

	for (v = 0; v < var; v++)
		at += layout == LITMUS_LINES ? round_up(bytes_of(&t->var[v]), LINE)
					     : bytes_of(&t->var[v]);
	return at;
}

static size_t
record_size(const struct litmus_test *t, enum litmus_layout layout)
{
	return round_up(in_record(t, layout, t->vars), LINE);
}

/* Where the array of a word begins, which has pages of its own. */
static size_t
array_at(const struct litmus_test *t, enum litmus_layout layout, int var, unsigned int instances)
{
	size_t at = 0;
	int v;

	for (v = 0; v < var; v++)
		if (in_static(layout, v) == in_static(layout, var))
			at += round_up(bytes_of(&t->var[v]) * instances, PAGE);
	return at;
}

/* Bytes of all arrays in one kind of memory. */
static size_t
arrays_size(const struct litmus_test *t, enum litmus_layout layout, bool of_static,
	    unsigned int instances)
{
	size_t all = 0;
	int v;

	for (v = 0; v < t->vars; v++)
		if (in_static(layout, v) == of_static)
			all += round_up(bytes_of(&t->var[v]) * instances, PAGE);
	return all;
}

static bool
all_fit(const struct litmus_test *t, enum litmus_layout layout, const struct litmus_memory *mem,
	unsigned int instances)
{
	if (layout == LITMUS_LINE || layout == LITMUS_LINES)
		return record_size(t, layout) * instances <= mem->heap_size;
	return arrays_size(t, layout, false, instances) <= mem->heap_size &&
	       arrays_size(t, layout, true, instances) <= mem->data_size;
}

unsigned int
litmus_place(const struct litmus_test *test, enum litmus_layout layout,
	     const struct litmus_memory *mem)
{
	unsigned int n = LITMUS_INSTANCES;
	size_t words = in_record(test, LITMUS_LINE, test->vars) / sizeof(uint64_t);

	if (words * n > WORDS_MAX)
		n = WORDS_MAX / (unsigned int)words;
	while (n != 0 && !all_fit(test, layout, mem, n))
		n--;
	return n;
}

uint64_t *
litmus_word(const struct litmus_test *test, enum litmus_layout layout,
	    const struct litmus_memory *mem, int var, unsigned int instance)
{
	char *base = in_static(layout, var) ? mem->data : mem->heap;
	size_t at;

	if (layout == LITMUS_LINE || layout == LITMUS_LINES)
		at = record_size(test, layout) * instance + in_record(test, layout, var);
	else
		at = array_at(test, layout, var, litmus_place(test, layout, mem)) +
		     bytes_of(&test->var[var]) * instance;
	return (uint64_t *)(void *)(base + at);
}

void
litmus_extent(const struct litmus_test *test, enum litmus_layout layout,
	      const struct litmus_memory *mem, size_t *heap, size_t *data)
{
	unsigned int n = litmus_place(test, layout, mem);
	bool records = layout == LITMUS_LINE || layout == LITMUS_LINES;

	*heap = records ? record_size(test, layout) * n : arrays_size(test, layout, false, n);
	*data = records ? 0 : arrays_size(test, layout, true, n);
}
