/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "token.h"

/*
 * What goes wrong, when, and how else than right the job may end then. oshrun --fault does what is
 * about cables and processes, at a virtual time; the scheduler does the rest.
 */
enum {
	MOST = 3, /* faults of a run */
	REFUSED = 60,
};

static const char lost_cable[] =
	"what was under way is lost, so the job ends|RINGBELL_HELLO_TIMEOUT"
	"|was lost before all hosts were there",
		  killed[] = "was killed by signal 9|exited with status";

static const struct {
	const char *name;
	int low, high;	   /* exit statuses */
	const char *words; /* that the output has then */
} kinds[] = {
	{"cut", 1, 1, lost_cable},	{"plug", 1, 1, lost_cable}, {"flap", 1, 1, lost_cable},
	{"kill", 1, 255, killed},	{"stop", 0, 0, NULL},	    {"slow", 0, 0, NULL},
	{"refuse", 1, 255, "oshrun: "},
};

enum {
	KINDS = sizeof(kinds) / sizeof(kinds[0]),
};

static struct {
	char words[512]; /* of oshrun --fault */
	bool made[KINDS];
} faults;

bool
dst_faults_known(const char *list)
{
	unsigned int k;
	size_t n;

	for (; *list != '\0'; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		for (k = 0; k < KINDS && strncmp(kinds[k].name, list, n) != 0; k++)
			;
		if (k == KINDS)
			return false;
	}
	return true;
}

static unsigned int
draw_below(uint64_t below)
{
	return (unsigned int)(dst_random() % below);
}

static void
add_words(const char *verb, const char *whom, uint64_t at_ms, bool early)
{
	size_t n = strlen(faults.words);

	snprintf(faults.words + n, sizeof(faults.words) - n, "%s%s %s at %s%llums",
		 n == 0 ? "" : "; ", verb, whom, early ? "start+" : "", (unsigned long long)at_ms);
}

static void
add_fault(const char *kind, const struct dst_args *a)
{
	uint64_t span = (uint64_t)a->expect * DST_AT->point_ns / 1000000 + 1;
	bool early = draw_below(4) == 0;
	uint64_t at = early ? draw_below(span + 150) : draw_below(span),
		 later = at + 1 + draw_below(span);
	unsigned int host = draw_below((unsigned int)a->hosts),
		     pe = draw_below((unsigned int)a->npes);
	char cable[32], whom[32];

	snprintf(cable, sizeof(cable), "%u-%u", host, (host + 1) % (unsigned int)a->hosts);
	if (draw_below(2) == 0)
		snprintf(whom, sizeof(whom), "host %u", host);
	else
		snprintf(whom, sizeof(whom), "pe %u", pe);
	if (strcmp(kind, "slow") == 0) {
		DST_AT->slow = 1 + draw_below((unsigned int)a->npes + 1);
	} else if (strcmp(kind, "refuse") == 0) {
		DST_AT->refuse = 1 + draw_below((unsigned int)a->npes + 1);
		DST_AT->refuse_in = 1 + draw_below(REFUSED);
	} else if (strcmp(kind, "kill") == 0) {
		add_words(kind, whom, at, early);
	} else if (strcmp(kind, "stop") == 0) {
		add_words(kind, whom, at, early);
		add_words("continue", whom, later, early);
	} else if (a->hosts > 1) {
		add_words(strcmp(kind, "plug") == 0 ? "cut" : kind, cable, at, early);
		if (strcmp(kind, "plug") == 0)
			add_words(kind, cable, later, early);
	}
}

const char *
dst_faults_draw(const struct dst_args *a)
{
	unsigned int n = 1 + draw_below(MOST);

	memset(&faults, 0, sizeof(faults));
	if (a->faults == NULL)
		return NULL;
	while (n-- > 0) {
		unsigned int k = draw_below(KINDS);

		while (strstr(a->faults, kinds[k].name) == NULL)
			k = (k + 1) % KINDS;
		faults.made[k] = true;
		add_fault(kinds[k].name, a);
	}
	return faults.words[0] == '\0' ? NULL : faults.words;
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
	for (unsigned int k = 0; k < KINDS; k++)
		if (faults.made[k] && status >= kinds[k].low && status <= kinds[k].high &&
		    kinds[k].words != NULL && has_words(output, kinds[k].words))
			return true;
	return false;
}

void
dst_faults_tell(void)
{
	if (faults.words[0] != '\0')
		printf("  --fault \"%s\"\n", faults.words);
	if (DST_AT->slow != 0)
		printf("  process %u is slow\n", DST_AT->slow);
	if (DST_AT->refuse != 0)
		printf("  process %u gets no memory in call %u of mmap()\n", DST_AT->refuse,
		       DST_AT->refuse_in);
}
