/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * From the text of a row to the steps of a test. A mistake in a row is found at the start.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

enum {
	WORDS_OF_STEP = 5,
	TEXT = 128,
};

unsigned int
litmus_alternatives(const char *alt)
{
	unsigned int n = 1;

	for (; alt != NULL && *alt != '\0'; alt++)
		n += *alt == ',';
	return n;
}

/* Alternative @p n of "W=one,two". */
static void
one_alternative(const char *alt, unsigned int n, char *to, size_t size)
{
	const char *at = alt + 2;

	for (; n != 0; n--)
		at = strchr(at, ',') + 1;
	snprintf(to, size, "%.*s", (int)strcspn(at, ","), at);
}

/* The text with alternatives in the place of their names. */
static bool
expand_text(const struct litmus_row *row, const unsigned int *pick, const char *from, char *to,
	    size_t size)
{
	size_t n = 0, i;

	for (; *from != '\0' && n + 1 < size; from++) {
		if (*from != '$') {
			to[n++] = *from;
			continue;
		}
		from++;
		for (i = 0; i < LITMUS_ALTS && row->alt[i] != NULL && row->alt[i][0] != *from; i++)
			;
		if (i == LITMUS_ALTS || row->alt[i] == NULL)
			return false;
		one_alternative(row->alt[i], pick[i], to + n, size - n);
		n += strlen(to + n);
	}
	to[n] = '\0';
	return *from == '\0';
}

static void
name_test(struct litmus_test *t, const unsigned int *pick)
{
	size_t n = (size_t)snprintf(t->name, sizeof(t->name), "%s", t->row->name), i;

	for (i = 0; i < LITMUS_ALTS && t->row->alt[i] != NULL && n + 1 < sizeof(t->name); i++) {
		t->name[n++] = '+';
		one_alternative(t->row->alt[i], pick[i], t->name + n, sizeof(t->name) - n);
		n += strlen(t->name + n);
	}
	/* ':' and '@' are of the notation of words, and no part of a name that is typed */
	for (i = 0; t->name[i] != '\0'; i++)
		if (strchr(":@ ;", t->name[i]) != NULL)
			t->name[i] = '-';
}

static int
var_of(const struct litmus_test *t, char name)
{
	int v;

	for (v = 0; v < t->vars && t->var[v].name != name; v++)
		;
	return v < t->vars ? v : -1;
}

/* "x@1" or "b:600@0" */
static bool
parse_var(struct litmus_test *t, char *word)
{
	struct litmus_var *v = &t->var[t->vars];
	char *end = word + 1;

	v->name = *word;
	v->words = 1;
	if (*end == ':')
		v->words = strtoul(end + 1, &end, 10);
	if (t->vars == LITMUS_VARS || !islower(*word) || *end != '@' || !isdigit(end[1]) ||
	    end[2] != '\0' || v->words < 1 || v->words > LITMUS_WORDS)
		return false;
	v->home = end[1] - '0';
	if (v->home >= LITMUS_ROLES)
		return false;
	if (v->home >= t->roles)
		t->roles = v->home + 1;
	t->vars++;
	return true;
}

static bool
parse_value(const char *word, uint64_t *ret)
{
	if (word == NULL || word[0] < '1' || word[0] >= '0' + LITMUS_VALUES || word[1] != '\0')
		return false;
	*ret = (uint64_t)(word[0] - '0') * LITMUS_UNIT;
	return true;
}

static const struct litmus_op *
op_of(const char *name)
{
	const struct litmus_op *op;

	for (op = litmus_ops; op->name != NULL; op++)
		if (strcmp(op->name, name) == 0)
			return op;
	return NULL;
}

/* "a=fetch" or, with a context, the same and ".c": the register, the operation, the context. */
static const char *
parse_call(struct litmus_test *t, int role, struct litmus_step *s, char *call)
{
	char *dot;

	s->reg = -1;
	if (call[0] != '\0' && call[1] == '=') {
		s->reg = call[0] - 'a';
		if (s->reg < 0 || s->reg >= LITMUS_REGS || t->reg_role[s->reg] >= 0)
			return "register that is not a to d, or is there twice";
		t->reg_role[s->reg] = role;
		call += 2;
	}
	dot = strchr(call, '.');
	s->ctx = dot != NULL && strcmp(dot, ".c") == 0;
	if (dot != NULL)
		*dot = '\0';
	s->op = op_of(call);
	if (s->op == NULL)
		return "unknown operation";
	if ((s->op->flags & LITMUS_READS) != 0 && s->reg < 0)
		return "operation without a register";
	if ((s->op->flags & (LITMUS_READS | LITMUS_MAY)) == 0 && s->reg >= 0)
		return "register that nothing fills";
	return NULL;
}

static const char *
parse_operands(const struct litmus_test *t, int role, struct litmus_step *s, char *const *word)
{
	unsigned int flags = s->op->flags;

	s->var = s->sig = -1;
	if ((flags & LITMUS_BARE) != 0)
		return word[1] == NULL ? NULL : "operand too many";
	if (word[1] == NULL || word[1][1] != '\0' || (s->var = var_of(t, word[1][0])) < 0)
		return "no such word";
	if ((flags & LITMUS_OWN) != 0 && t->var[s->var].home != role)
		return "word of another role";
	if ((flags & LITMUS_BLOCK) == 0 && t->var[s->var].words > 1)
		return "operation on one word, given a block";
	if ((flags & LITMUS_VALUE) != 0 && !parse_value(word[2], &s->value))
		return "value that is not 1 to 6";
	if ((flags & LITMUS_SIGNAL) == 0)
		return NULL;
	if (word[3] == NULL || (s->sig = var_of(t, word[3][0])) < 0 ||
	    t->var[s->sig].home != t->var[s->var].home || !parse_value(word[4], &s->sig_value))
		return "no such signal";
	return NULL;
}

static const char *
parse_step(struct litmus_test *t, int role, char *text)
{
	struct litmus_step *s = &t->step[role][t->steps[role]];
	char *word[WORDS_OF_STEP + 1] = {NULL}, *state = NULL, *at;
	const char *wrong;
	int n = 0;

	for (at = strtok_r(text, " ", &state); at != NULL && n < WORDS_OF_STEP;
	     at = strtok_r(NULL, " ", &state))
		word[n++] = at;
	if (n == 0 || at != NULL)
		return "step that is empty, or too long";
	if (t->steps[role] == LITMUS_STEPS)
		return "too many steps";
	wrong = parse_call(t, role, s, word[0]);
	if (wrong == NULL)
		wrong = parse_operands(t, role, s, word);
	if (wrong != NULL)
		return wrong;
	if ((s->op->flags & LITMUS_PTR) != 0)
		t->needs_ptr = true;
	if (s->op->run == NULL)
		t->missing = s->op->name;
	if ((s->op->flags & LITMUS_NONE) == 0)
		t->steps[role]++;
	return NULL;
}

static const char *
parse_code(struct litmus_test *t, int role, const char *code)
{
	char text[LITMUS_CODE], *state = NULL, *at;
	const char *wrong = NULL;

	snprintf(text, sizeof(text), "%s", code);
	for (at = strtok_r(text, ";", &state); at != NULL && wrong == NULL;
	     at = strtok_r(NULL, ";", &state))
		wrong = parse_step(t, role, at);
	if (role >= t->roles)
		t->roles = role + 1;
	return wrong;
}

/* "a=1" or "[x]=2" */
static bool
parse_term(struct litmus_test *t, char *word)
{
	struct litmus_term *term = &t->term[t->terms];
	const char *at = word + 1;

	if (t->terms == LITMUS_TERMS)
		return false;
	term->reg = term->var = -1;
	if (*word == '[') {
		term->var = var_of(t, word[1]);
		if (term->var < 0 || word[2] != ']')
			return false;
		at += 2;
	} else {
		term->reg = *word - 'a';
		if (term->reg < 0 || term->reg >= LITMUS_REGS || t->reg_role[term->reg] < 0)
			return false;
	}
	if (at[0] != '=' || at[1] < '0' || at[1] >= '0' + LITMUS_VALUES || at[2] != '\0')
		return false;
	term->value = (unsigned int)(at[1] - '0');
	t->terms++;
	return true;
}

/* Call @p parse with each word of the text. */
static bool
each_word(struct litmus_test *t, const char *words, bool (*parse)(struct litmus_test *, char *))
{
	char text[TEXT], *state = NULL, *at;

	snprintf(text, sizeof(text), "%s", words);
	for (at = strtok_r(text, " ", &state); at != NULL; at = strtok_r(NULL, " ", &state))
		if (!parse(t, at))
			return false;
	return true;
}

const char *
litmus_parse(struct litmus_test *t, const struct litmus_row *row,
	     const unsigned int pick[LITMUS_ALTS])
{
	const char *wrong = NULL;
	char vars[TEXT];
	int role;

	*t = (struct litmus_test){.row = row, .reg_role = {-1, -1, -1, -1}};
	name_test(t, pick);
	if (!expand_text(row, pick, row->vars, vars, sizeof(vars)) ||
	    !each_word(t, vars, parse_var))
		return "words";
	for (role = 0; role < LITMUS_ROLES && wrong == NULL; role++) {
		if (row->code[role] == NULL)
			continue;
		if (!expand_text(row, pick, row->code[role], t->code[role], LITMUS_CODE))
			return "code";
		wrong = parse_code(t, role, t->code[role]);
	}
	if (wrong == NULL && !each_word(t, row->outcome, parse_term))
		wrong = "outcome";
	return wrong;
}
