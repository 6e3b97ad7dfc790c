/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "oshrun.h"
#include "observe/blocked_table.h"

/*
 * The call in which each PE is blocked. The PEs write it into memory of oshrun
 * (observe/blocked_table.h). So oshrun needs no answer of a PE, which may be stopped, stuck or
 * dead. It reads the table when the job has to end, and once a second to find PEs that wait for one
 * that will not come.
 */

enum {
	LOOK_FIRST_MS = 200,
	LOOK_MS = 1000,
	LONG_S = 5, /* after which a PE is named */
	LINES = 24, /* of a report */
};

static struct rb_blocked_job *table;
static bool named_end, named_absent; /* the PE that holds up the others has been reported */

int
blocked_open(struct job *job)
{
	size_t size = rb_blocked_size(job->opt->npes);
	int fd = memfd_create("ringbell-blocked", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *va;

	if (fd < 0)
		return -errno;
	/* a PE must not shrink the file that oshrun reads */
	if (ftruncate(fd, (off_t)size) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return -errno;
	va = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (va == MAP_FAILED)
		return -errno;
	table = va;
	job->blocked_fd = fd;
	return 0;
}

void
blocked_started(struct job *job)
{
	atomic_store_explicit(&table->started, (uint64_t)now_ns(), memory_order_relaxed);
	job->look_at = now_ms() + LOOK_FIRST_MS;
}

static enum rb_blocked_state
state_of(const struct pe *pe)
{
	/* acquire: pairs with rb_block_state() */
	return atomic_load_explicit(&table->pe[pe->id].state, memory_order_acquire);
}

/* The finding about a PE. PEs with equal findings share a line. */
struct finding {
	enum {
		NOTHING,
		OUTSIDE, /* has not joined */
		RUNS,	 /* in no call that waits */
		WAITS,
	} kind;
	struct rb_blocked_seen seen;
	double seconds;
};

static struct finding
find_wait(const struct pe *pe)
{
	struct finding f = {.kind = RUNS};
	enum rb_blocked_state state = state_of(pe);
	int64_t now = now_ns();

	if (rb_blocked_longest(&table->pe[pe->id], &f.seen)) {
		f.kind = WAITS;
		f.seconds = (double)(now - (int64_t)f.seen.since) / 1e9;
		/* no wait began before the machine was started */
		if (f.seconds < 0 || f.seconds > 1e9)
			f.kind = RUNS;
	} else if (state == RB_BLOCKED_OUT) {
		f.kind = OUTSIDE;
	}
	return f;
}

static bool
same_finding(const struct finding *a, const struct finding *b)
{
	if (a->kind != b->kind || a->kind != WAITS)
		return a->kind == b->kind;
	return a->seen.by == b->seen.by && a->seen.id == b->seen.id &&
	       strcmp(a->seen.call, b->seen.call) == 0;
}

/* Numbers of PEs as people write them: 0, 3-5 */
struct list {
	char text[200];
	int first, last; /* of the run that is not yet written, -1: none */
	bool full, many;
};

static void
list_close(struct list *l)
{
	size_t n = strlen(l->text);
	const char *comma = n > 0 ? ", " : "";

	if (l->first < 0)
		return;
	if (n > sizeof(l->text) - 32) {
		if (!l->full)
			strcat(l->text, ", ...");
		l->full = true;
	} else if (l->first == l->last) {
		snprintf(l->text + n, sizeof(l->text) - n, "%s%d", comma, l->first);
	} else {
		snprintf(l->text + n, sizeof(l->text) - n, "%s%d%s%d", comma, l->first,
			 l->last == l->first + 1 ? ", " : "-", l->last);
	}
	l->first = -1;
}

static void
list_add(struct list *l, int pe)
{
	l->many |= l->first >= 0 || l->text[0] != '\0';
	if (l->first >= 0 && pe == l->last + 1) {
		l->last = pe;
		return;
	}
	list_close(l);
	l->first = pe;
	l->last = pe;
}

static void
say_finding(const struct finding *f, struct list *l)
{
	const char *s = l->many ? "s" : "", *verb = l->many ? "" : "s";
	char whom[96];

	list_close(l);
	if (f->kind == OUTSIDE) {
		say("PE%s %s: not in the job: no shmem_init so far", s, l->text);
	} else if (f->kind == RUNS) {
		say("PE%s %s: in no call that waits: compute%s, or poll%s", s, l->text, verb, verb);
	} else {
		rb_blocked_whom(&f->seen, whom, sizeof(whom));
		say("PE%s %s: in %s for %.1f s, wait%s for %s", s, l->text,
		    f->seen.call[0] == '\0' ? "a call" : f->seen.call, f->seconds, verb, whom);
	}
}

/* @return whether any PE uses the library */
static bool
gather_findings(const struct job *job, struct finding *f)
{
	bool any = false;
	int i;

	for (i = 0; i < job->n_pes; i++) {
		f[i] = find_wait(&job->pe[i]);
		any |= f[i].kind != OUTSIDE;
	}
	return any;
}

void
blocked_report(const struct job *job)
{
	static struct finding f[RB_MAX_PES];
	int i, k, lines = 0, left = 0;

	if (!gather_findings(job, f))
		return;
	for (i = 0; i < job->n_pes; i++) {
		struct list l = {.first = -1};
		struct finding longest = f[i];

		if (f[i].kind == NOTHING)
			continue;
		for (k = job->n_pes - 1; k > i; k--)
			if (same_finding(&f[i], &f[k]) && f[k].seconds > longest.seconds)
				longest = f[k];
		for (k = i; k < job->n_pes; k++)
			if (same_finding(&longest, &f[k])) {
				list_add(&l, job->pe[k].id);
				f[k].kind = NOTHING;
			}
		if (++lines <= LINES)
			say_finding(&longest, &l);
		else
			left += 1;
	}
	if (left > 0)
		say("and %d lines more", left);
}

/* Does @p f wait for @p pe, as far as it knows? */
static bool
may_wait_for(const struct job *job, const struct finding *f, const struct pe *pe)
{
	switch (f->seen.by) {
	case RB_BLOCKED_PE:
		return f->seen.id == (uint64_t)pe->id;
	case RB_BLOCKED_HOST:
		return job->opt->hosts > 1 && f->seen.id == (uint64_t)pe->host;
	case RB_BLOCKED_OTHERS:
		return true;
	default:
		return false;
	}
}

static const char finalize[] = "shmem_finalize";

static bool
waits_in(const struct finding *f, bool at_end)
{
	return f->kind == WAITS && f->seconds >= LONG_S && f->seen.call[0] != '\0' &&
	       (strcmp(f->seen.call, finalize) == 0) == at_end;
}

/* A PE is in shmem_finalize while others wait for it: none of them continues. */
static void
name_finalized(struct job *job, const struct finding *f)
{
	int i, k;

	for (i = 0; i < job->n_pes; i++)
		for (k = 0; waits_in(&f[i], true) && k < job->n_pes; k++) {
			if (!waits_in(&f[k], false) || !may_wait_for(job, &f[k], &job->pe[i]))
				continue;
			say("PE %d has been in shmem_finalize for %.0f s, but PE %d is in %s for "
			    "%.0f s and waits for it: all PEs have to make the same collective "
			    "calls",
			    job->pe[i].id, f[i].seconds, job->pe[k].id, f[k].seen.call,
			    f[k].seconds);
			named_end = true;
			return;
		}
}

/* PEs wait in shmem_init for PEs that have not called it. */
static void
name_absent(struct job *job, const struct finding *f)
{
	struct list absent = {.first = -1}, waiting = {.first = -1};
	const struct pe *gone = NULL;
	bool any = false, late = false;
	int i;

	for (i = 0; i < job->n_pes; i++) {
		const struct pe *pe = &job->pe[i];
		enum rb_blocked_state state = state_of(pe);

		if (state == RB_BLOCKED_OUT) {
			list_add(&absent, pe->id);
			any = true;
			if (!pe->alive)
				gone = pe;
		} else if (state == RB_BLOCKED_JOINING && pe->alive) {
			list_add(&waiting, pe->id);
			late |= f[i].kind == WAITS && f[i].seconds >= LONG_S;
		}
	}
	list_close(&absent);
	list_close(&waiting);
	if (!any || waiting.text[0] == '\0')
		return;
	if (gone != NULL) {
		say("PE %d (process %d) exited without calling shmem_init, while PE%s %s "
		    "wait%s for it",
		    gone->id, (int)gone->pid, waiting.many ? "s" : "", waiting.text,
		    waiting.many ? "" : "s");
		job_end(job, OSHRUN_EXIT_FAULT);
	} else if (late && !named_absent) {
		say("PE%s %s wait%s in shmem_init for PE%s %s, which ha%s not called it yet",
		    waiting.many ? "s" : "", waiting.text, waiting.many ? "" : "s",
		    absent.many ? "s" : "", absent.text, absent.many ? "ve" : "s");
		named_absent = true;
	}
}

void
blocked_look(struct job *job)
{
	static struct finding f[RB_MAX_PES];

	job->look_at = now_ms() + LOOK_MS;
	foreign_look(job);
	if (job->ending || !gather_findings(job, f))
		return;
	if (!named_end)
		name_finalized(job, f);
	name_absent(job, f);
}
