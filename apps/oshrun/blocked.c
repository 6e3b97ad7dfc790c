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

bool
blocked_left(const struct pe *pe)
{
	return state_of(pe) == RB_BLOCKED_LEFT;
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

/* Some PEs, as people write them: "PE 0", "PEs 0,3-5". The verb of one has an s. */
struct pes {
	cpu_set_t set;
	char text[256];
	const char *s;
};

_Static_assert(RB_MAX_PES <= CPU_SETSIZE, "a set of CPUs has room for all PEs");

static void
name_pes(struct pes *p)
{
	bool many = CPU_COUNT(&p->set) > 1;
	size_t n = (size_t)snprintf(p->text, sizeof(p->text), many ? "PEs " : "PE ");

	bind_text(&p->set, p->text + n, sizeof(p->text) - n);
	if (strlen(p->text) == sizeof(p->text) - 1)
		strcpy(p->text + sizeof(p->text) - 4, "...");
	p->s = many ? "" : "s";
}

static void
say_finding(const struct finding *f, struct pes *p)
{
	char whom[96];

	name_pes(p);
	if (f->kind == OUTSIDE) {
		say("%s: not in the job: no shmem_init so far", p->text);
	} else if (f->kind == RUNS) {
		say("%s: in no call that waits: compute%s, or poll%s", p->text, p->s, p->s);
	} else {
		rb_blocked_whom(&f->seen, whom, sizeof(whom));
		say("%s: in %s for %.1f s, wait%s for %s", p->text,
		    f->seen.call[0] == '\0' ? "a call" : f->seen.call, f->seconds, p->s, whom);
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
	struct pes same;

	if (!gather_findings(job, f))
		return;
	for (i = 0; i < job->n_pes; i++) {
		struct finding longest = f[i];

		if (f[i].kind == NOTHING)
			continue;
		for (k = job->n_pes - 1; k > i; k--)
			if (same_finding(&f[i], &f[k]) && f[k].seconds > longest.seconds)
				longest = f[k];
		CPU_ZERO(&same.set);
		for (k = i; k < job->n_pes; k++)
			if (same_finding(&longest, &f[k])) {
				CPU_SET(job->pe[k].id, &same.set);
				f[k].kind = NOTHING;
			}
		if (++lines <= LINES)
			say_finding(&longest, &same);
		else
			left += 1;
	}
	if (left > 0)
		say("and %d lines more", left);
}

/* Do PEs wait for others in shmem_finalize, and others in another call? None of them may continue.
 */
static void
name_finalized(const struct job *job, const struct finding *f)
{
	bool at_end = false, elsewhere = false;
	int i;

	for (i = 0; i < job->n_pes; i++) {
		if (f[i].kind != WAITS || f[i].seconds < LONG_S || f[i].seen.by > RB_BLOCKED_HOST)
			continue;
		if (strcmp(f[i].seen.call, "shmem_finalize") == 0)
			at_end = true;
		else
			elsewhere = true;
	}
	if (!at_end || !elsewhere)
		return;
	say("PEs wait in shmem_finalize and in other calls: all PEs have to make the same "
	    "collective calls");
	blocked_report(job);
	named_end = true;
}

/* PEs wait in shmem_init for PEs that have not called it. */
static void
name_absent(struct job *job, const struct finding *f)
{
	struct pes absent, waiting;
	const struct pe *gone = NULL;
	bool late = false;
	int i;

	CPU_ZERO(&absent.set);
	CPU_ZERO(&waiting.set);
	for (i = 0; i < job->n_pes; i++) {
		const struct pe *pe = &job->pe[i];
		enum rb_blocked_state state = state_of(pe);

		if (state == RB_BLOCKED_OUT) {
			CPU_SET(pe->id, &absent.set);
			/* it may have left a daemon, which calls it */
			if (!pe->alive && now_ms() - pe->ended_at >= OSHRUN_GRACE_MS)
				gone = pe;
		} else if (state == RB_BLOCKED_JOINING && pe->alive) {
			CPU_SET(pe->id, &waiting.set);
			late |= f[i].kind == WAITS && f[i].seconds >= LONG_S;
		}
	}
	if (CPU_COUNT(&absent.set) == 0 || CPU_COUNT(&waiting.set) == 0)
		return;
	name_pes(&absent);
	name_pes(&waiting);
	if (gone != NULL) {
		say("PE %d (process %d) exited without calling shmem_init, while %s wait%s for it",
		    gone->id, (int)gone->pid, waiting.text, waiting.s);
		job_end(job, OSHRUN_EXIT_FAULT);
	} else if (late && !named_absent) {
		say("%s wait%s in shmem_init for %s, which ha%s not called it yet", waiting.text,
		    waiting.s, absent.text, absent.s[0] != '\0' ? "s" : "ve");
		named_absent = true;
	}
}

void
blocked_look(struct job *job)
{
	static struct finding f[RB_MAX_PES];

	job->look_at = now_ms() + LOOK_MS;
	if (job->ending || !gather_findings(job, f))
		return;
	if (!named_end)
		name_finalized(job, f);
	name_absent(job, f);
}
