/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "run.h"
#include "token.h"

/* What goes wrong, at which step, and how else than right the job may end then. */
enum {
	MOST = 3,	   /* kinds of a run, as drawn */
	CHAIN = 4,	   /* verbs of a kind */
	EXPECTED = 400000, /* steps of a run, among which faults are drawn */
};

#define LOST "what was under way is lost, so the job ends|was lost before all hosts were there"

/* a cable that comes back keeps no host waiting for another one */
static const char lost_link[] = LOST, lost_cable[] = LOST "|RINGBELL_HELLO_TIMEOUT",
		  killed[] = "was killed by signal 9|exited with status|ended the job with status"
			     "|: the link broke|RINGBELL_HELLO_TIMEOUT";

static const struct {
	const char *name;
	int low, high;	   /* exit statuses */
	const char *words; /* that the output has then */
} verbs[DST_VERBS] = {
	[DST_CUT] = {"cut", 1, 1, lost_cable},
	[DST_PLUG] = {"plug"},
	[DST_FLAP] = {"flap", 1, 1, lost_link},
	[DST_MUTE] = {"mute", 1, 1, lost_cable},
	[DST_DEAF] = {"deaf"},
	[DST_HEAR] = {"hear"},
	[DST_KILL] = {"kill", 1, 255, killed},
	[DST_STOP] = {"stop"},
	[DST_CONTINUE] = {"continue"},
	[DST_SLOW] = {"slow", 1, 1, "RINGBELL_HELLO_TIMEOUT"}, /* others wait for it at the start */
	[DST_REFUSE] = {"refuse", 1, 255, "oshrun: "},
	[DST_FAST] = {"fast"},
	[DST_AHEAD] = {"ahead"},
};

/* What is drawn: one thing after the other, of the same cable, process or host. */
static const struct {
	const char *name;
	enum dst_verb chain[CHAIN]; /* DST_VERBS: no more */
} kinds[] = {
	{"cut", {DST_CUT, DST_VERBS}},
	{"plug", {DST_CUT, DST_PLUG, DST_VERBS}},
	{"flap", {DST_FLAP, DST_VERBS}},
	{"deaf", {DST_DEAF, DST_HEAR, DST_FLAP, DST_VERBS}},
	{"mute", {DST_MUTE, DST_CUT, DST_VERBS}},
	{"kill", {DST_KILL, DST_VERBS}},
	{"stop", {DST_STOP, DST_CONTINUE, DST_VERBS}},
	{"slow", {DST_SLOW, DST_VERBS}},
	{"refuse", {DST_REFUSE, DST_VERBS}},
	{"clock", {DST_AHEAD, DST_FAST, DST_VERBS}},
};

enum {
	KINDS = sizeof(kinds) / sizeof(kinds[0]),
};

/* The kind at the head of a list with commas; KINDS: none. */
static unsigned int
find_kind(const char *list)
{
	size_t n = strcspn(list, ",");
	unsigned int k;

	for (k = 0; k < KINDS; k++)
		if (strncmp(kinds[k].name, list, n) == 0 && kinds[k].name[n] == '\0')
			break;
	return k;
}

const char *
dst_faults_kinds(void *args, const char *text)
{
	struct dst_args *a = args;

	a->n_kinds = 0;
	while (text != NULL && a->n_kinds < DST_FAULTS) {
		unsigned int k = find_kind(text);

		if (k == KINDS)
			return "kinds, with commas between them: see --help";
		a->kind[a->n_kinds++] = k;
		text = strchr(text, ',');
		text = text == NULL ? NULL : text + 1;
	}
	return NULL;
}

/* "cut 0-1 at 300", "kill host 1 at 40" */
static bool
read_one(struct dst_fault *f, const char *text)
{
	char verb[9], whom[5] = "";
	unsigned int v;

	if (sscanf(text, " %8s %d-%d at %lu", verb, &f->a, &f->b, &f->at) != 4 &&
	    sscanf(text, " %8s %4[a-z] %d at %lu", verb, whom, &f->a, &f->at) != 4)
		return false;
	for (v = 0; v < DST_VERBS && strcmp(verbs[v].name, verb) != 0; v++)
		;
	f->verb = v;
	f->of_host = strcmp(whom, "host") == 0;
	return v < DST_VERBS && f->a >= 0 && f->b >= 0 && (v <= DST_HEAR) == (whom[0] == '\0') &&
	       (f->of_host || (v < DST_FAST && (whom[0] == '\0' || strcmp(whom, "pe") == 0)));
}

const char *
dst_faults_read(void *args, const char *text)
{
	struct dst_args *a = args;
	size_t n;

	a->given = true;
	a->n_faults = 0;
	for (; *text != '\0'; text += n + (text[n] == ';')) {
		n = strcspn(text, ";");
		if (a->n_faults == DST_FAULTS || !read_one(&a->fault[a->n_faults++], text))
			return "faults with steps, as '--fault' of what a failing seed prints";
	}
	return NULL;
}

static unsigned int
draw_below(uint64_t below)
{
	return (unsigned int)(dst_random() % below);
}

static void
add_fault(struct dst_fault f)
{
	struct seg *seg = DST_AT;
	unsigned int i;

	if (seg->n_faults == DST_FAULTS)
		return;
	for (i = seg->n_faults++; i > 0 && seg->fault[i - 1].at > f.at; i--)
		seg->fault[i] = seg->fault[i - 1];
	seg->fault[i] = f;
}

static void
add_drawn(unsigned int kind, const struct dst_args *a)
{
	const enum dst_verb *verb = kinds[kind].chain;
	unsigned int hosts = (unsigned int)a->hosts;
	struct dst_fault f = {.at = draw_below(EXPECTED),
			      .of_host = *verb >= DST_FAST || draw_below(2) == 0};

	f.a = (int)draw_below(f.of_host || *verb <= DST_HEAR ? hosts : (unsigned int)a->npes);
	if (*verb <= DST_HEAR) {
		f.b = (int)(((unsigned int)f.a + (draw_below(2) == 0 ? 1 : hosts - 1)) % hosts);
		if (hosts == 1)
			return;
	}
	for (; *verb != DST_VERBS; verb++) {
		f.verb = *verb;
		if (f.verb == DST_AHEAD) /* from the start: no clock of a host jumps */
			f.at = 0;
		add_fault(f);
		f.at += 1 + draw_below(1u << draw_below(18));
	}
}

/* The schedule does not depend on them: with one of them less it begins as it did. */
void
dst_faults_draw(const struct dst_args *a)
{
	uint64_t random = DST_AT->random;
	unsigned int n;

	DST_AT->random = ~random;
	n = 1 + draw_below(MOST);
	for (unsigned int i = 0; i < a->n_faults; i++)
		add_fault(a->fault[i]);
	while (!a->given && a->n_kinds > 0 && a->hosts > 0 && n-- > 0)
		add_drawn(a->kind[draw_below(a->n_kinds)], a);
	DST_AT->random = random;
	DST_AT->fault_at = DST_AT->n_faults == 0 ? NEVER : DST_AT->fault[0].at;
	for (unsigned int i = 0; i < DST_HOSTS; i++)
		DST_AT->clock[i].fast_from = NEVER;
}

static bool
has_words(const char *output, const char *words)
{
	regex_t re;
	bool found;

	if (regcomp(&re, words, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	found = regexec(&re, output, 0, NULL, 0) == 0;
	regfree(&re);
	return found;
}

bool
dst_faults_allow(int status, const char *output)
{
	for (unsigned int i = 0; i < DST_AT->n_faults; i++) {
		enum dst_verb v = DST_AT->fault[i].verb;

		if (verbs[v].words != NULL && status >= verbs[v].low && status <= verbs[v].high &&
		    has_words(output, verbs[v].words))
			return true;
	}
	return false;
}

void
dst_faults_tell(void)
{
	for (unsigned int i = 0; i < DST_AT->n_faults; i++) {
		const struct dst_fault *f = &DST_AT->fault[i];

		printf("%s%s ", i == 0 ? "" : "; ", verbs[f->verb].name);
		if (f->verb <= DST_HEAR)
			printf("%d-%d", f->a, f->b);
		else
			printf("%s %d", f->of_host ? "host" : "pe", f->a);
		printf(" at %lu", f->at);
	}
}
