/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "oshrun.h"
#include "survive.h"
#include "base/launcher_msg.h"
#include "base/modes.h"

/*
 * A job that goes on without a host (RINGBELL_LOST_HOST=error). A host is lost when one of its PEs
 * is gone. The others of it are killed, and once all of them are gone the survivors are told. They
 * agree by a step after the other, which each PE reports here: an answer goes to all of them at
 * once, when all have come as far with the same knowledge. A PE that ends in between is a loss
 * before that answer or after it, for all of them alike.
 */

static struct {
	bool wanted;
	int host;		    /* that is lost; -1: none */
	int pe;			    /* that was found dead first */
	int status;		    /* with which the job would end otherwise */
	bool told;		    /* all of its PEs are gone, and the survivors know it */
	bool agreed;		    /* they have agreed since */
	uint32_t asked[RB_MAX_PES]; /* by index in job->pe: the step that a PE waits in; 0: none */
} s = {.host = -1};

void
survive_open(const struct options *opt)
{
	static const char *const words[] = {RB_LOST_HOST_MODES(RB_MODE_WORD)};
	static const char name[] = "RINGBELL_LOST_HOST=";
	const char *value = getenv("RINGBELL_LOST_HOST");
	int i;

	for (i = 0; i < opt->n_exports; i++)
		if (strncmp(opt->exports[i], name, sizeof(name) - 1) == 0)
			value = opt->exports[i] + sizeof(name) - 1;
	/* the PEs say what is wrong with another word */
	s.wanted = value != NULL && strcmp(value, words[RB_LOST_HOST_ERROR]) == 0;
}

static bool
is_lost(const struct pe *pe)
{
	return pe->host == s.host;
}

/* Is this PE one of those that go on? */
static bool
is_left(const struct pe *pe)
{
	return pe->alive && !is_lost(pe);
}

/* All PEs have joined the job, none has left it, and some are on other hosts. */
static bool
is_possible(const struct job *job, int host)
{
	bool others = false;
	int i;

	for (i = 0; i < job->n_pes; i++) {
		const struct pe *pe = &job->pe[i];

		if (!pe->opened || pe->closed)
			return false;
		others |= pe->host != host;
	}
	return others && job->opt->host_id < 0;
}

bool
survive_take(struct job *job, const struct pe *pe, int status)
{
	int i;

	if (!s.wanted || s.host >= 0 || pe->aborts || pe->explained || !is_possible(job, pe->host))
		return false;
	s.host = pe->host;
	s.pe = pe->id;
	s.status = status;
	for (i = 0; i < job->n_pes; i++)
		if (job->pe[i].alive && is_lost(&job->pe[i]))
			kill(job->pe[i].pid, SIGKILL);
	say("host %d is lost; the other PEs may go on without it", s.host);
	return true;
}

bool
survive_expects(const struct pe *pe)
{
	return s.host >= 0 && is_lost(pe);
}

static void
send_word(const struct pe *pe, enum rb_ctl_type type, int status, const char *text)
{
	struct rb_ctl_msg msg = {.magic = RB_CTL_MAGIC, .type = type, .status = status};

	msg.length = (uint32_t)snprintf(msg.text, sizeof(msg.text), "%s", text);
	/* a socket has room for many of these, and each PE is sent a few in its life */
	if (pe->ctl < 0 || send(pe->ctl, &msg, sizeof(msg), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		say("PE %d does not take messages any more", pe->id);
}

static void
tell_left(const struct job *job)
{
	char text[32];
	int i;

	snprintf(text, sizeof(text), "%d", s.pe);
	memset(s.asked, 0, sizeof(s.asked));
	s.told = true;
	for (i = 0; i < job->n_pes; i++)
		if (is_left(&job->pe[i]))
			send_word(&job->pe[i], RB_CTL_GONE, s.host, text);
}

void
survive_look(struct job *job)
{
	int i;

	if (s.host < 0 || s.told || job->ending)
		return;
	for (i = 0; i < job->n_pes; i++)
		if (job->pe[i].alive && is_lost(&job->pe[i]))
			return;
	tell_left(job);
}

static void
answer_pe(const struct job *job, int i, uint32_t word)
{
	s.asked[i] = 0;
	send_word(&job->pe[i], RB_CTL_AGREE, (int)word, "");
}

static bool
is_leaving(uint32_t word)
{
	return (word & ((1u << RB_AGREE_LOSSES) - 1)) == RB_AGREE_LEAVE;
}

/* All that are left wait in a step: in the same one, or some leave while others agree. */
static void
answer_all(const struct job *job)
{
	uint32_t word = 0;
	bool same = true, any_leaves = false;
	int i;

	for (i = 0; i < job->n_pes; i++) {
		if (!is_left(&job->pe[i]))
			continue;
		if (s.asked[i] == 0)
			return;
		same &= word == 0 || word == s.asked[i];
		word = s.asked[i];
		any_leaves |= is_leaving(word);
	}
	if (same && s.told && word == (1u << RB_AGREE_LOSSES | RB_AGREE_DONE))
		s.agreed = true;
	for (i = 0; i < job->n_pes; i++) {
		if (!is_left(&job->pe[i]))
			continue;
		word = s.asked[i];
		if (same)
			answer_pe(job, i, word);
		else if (any_leaves && !is_leaving(word))
			answer_pe(job, i, word >> RB_AGREE_LOSSES << RB_AGREE_LOSSES | RB_AGREE_NO);
	}
}

void
survive_asked(struct job *job, const struct pe *pe, int status)
{
	uint32_t word = (uint32_t)status, known = s.told ? 1 : 0;

	/* who does not know of the loss yet asks again */
	if (!s.wanted || job->ending || word >> RB_AGREE_LOSSES != known ||
	    (s.host >= 0 && !s.told))
		return;
	s.asked[pe - job->pe] = word;
	answer_all(job);
}

int
survive_status(const struct job *job)
{
	/* survivors that have not agreed may not have noticed: their results count for nothing */
	return job->status == 0 && !job->ending && s.host >= 0 && !s.agreed ? s.status
									    : job->status;
}
