/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Outcomes as numbers, and how often each was seen.
 */
#include <stdio.h>

#include "tally.h"

enum {
	BITS = 3,
	MASK = 7,
	TORN = 7, /* no value that anybody writes */
};

_Static_assert((LITMUS_REGS + LITMUS_TERMS) * BITS <= 32, "outcome too large for a key");
_Static_assert((int)LITMUS_VALUES <= (int)TORN, "value too large for a digit");

static unsigned int
digit_of(uint32_t key, int place)
{
	return key >> place * BITS & MASK;
}

uint32_t
litmus_key(const struct litmus_test *test, const unsigned int *reg, const unsigned int *word)
{
	uint32_t key = 0;
	int i;

	for (i = 0; i < LITMUS_REGS; i++)
		if (test->reg_role[i] >= 0)
			key |= (uint32_t)(reg[i] & MASK) << i * BITS;
	for (i = 0; i < test->terms; i++)
		if (test->term[i].var >= 0)
			key |= (uint32_t)(word[i] & MASK) << (LITMUS_REGS + i) * BITS;
	return key;
}

static int
place_of(const struct litmus_test *test, int term)
{
	return test->term[term].reg >= 0 ? test->term[term].reg : LITMUS_REGS + term;
}

bool
litmus_is_outcome(const struct litmus_test *test, uint32_t key)
{
	int i;

	for (i = 0; i < test->terms; i++)
		if (digit_of(key, place_of(test, i)) != test->term[i].value)
			return false;
	return true;
}

bool
litmus_is_torn(const struct litmus_test *test, uint32_t key)
{
	int i;

	for (i = 0; i < LITMUS_REGS + test->terms; i++)
		if (digit_of(key, i) == TORN)
			return true;
	return false;
}

static void
count_outcome(struct litmus_tally *t, uint32_t key, uint64_t times)
{
	int i;

	for (i = 0; i < LITMUS_OUTCOMES; i++) {
		if (t->outcome[i].times != 0 && t->outcome[i].key != key)
			continue;
		t->outcome[i].key = key;
		t->outcome[i].times += times;
		return;
	}
	t->lost += times;
}

void
litmus_count(struct litmus_tally *t, const struct litmus_test *test, uint32_t key)
{
	t->runs++;
	t->seen += litmus_is_outcome(test, key);
	t->torn += litmus_is_torn(test, key);
	count_outcome(t, key, 1);
}

void
litmus_add(struct litmus_tally *to, const struct litmus_tally *from)
{
	int i;

	to->runs += from->runs;
	to->seen += from->seen;
	to->torn += from->torn;
	to->lost += from->lost;
	for (i = 0; i < LITMUS_OUTCOMES; i++)
		if (from->outcome[i].times != 0)
			count_outcome(to, from->outcome[i].key, from->outcome[i].times);
}

void
litmus_key_text(const struct litmus_test *test, uint32_t key, char *text, size_t size)
{
	size_t n = 0;
	int i;

	text[0] = '\0';
	for (i = 0; i < LITMUS_REGS && n < size; i++)
		if (test->reg_role[i] >= 0)
			n += (size_t)snprintf(text + n, size - n, "%s%c=%c", n ? " " : "", 'a' + i,
					      "0123456?"[digit_of(key, i)]);
	for (i = 0; i < test->terms && n < size; i++)
		if (test->term[i].var >= 0)
			n += (size_t)snprintf(text + n, size - n, "%s[%c]=%c", n ? " " : "",
					      test->var[test->term[i].var].name,
					      "0123456?"[digit_of(key, LITMUS_REGS + i)]);
}

bool
litmus_forbids(const struct litmus_run *run, const struct litmus_test *test)
{
	return run->is_ringbell ? test->row->ringbell : test->row->standard;
}
