/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"
#include "oshrun.h"
#include "plxm.h"

enum {
	FAULTS = 128, /* with those that end another one */
	TEXT = 80,    /* of one, as it was given */
	WORDS = 7,    /* most of one: stop host 2 at 1s for 2s */
	RETRY_MS = 1, /* where a cable is not there yet, or another process handles it */
};

enum kind {
	CUT,
	PLUG,
	FLAP,
	KILL,
	STOP,
	GO_ON, /* after stop for some time */
};

static const char *const verbs[] = {"cut", "plug", "flap", "kill", "stop", NULL};

struct fault {
	enum kind kind;
	bool of_pe; /* else of a host or a cable */
	int a, b;   /* PE or host; of a cable, the hosts at its ends */
	bool early; /* its time counts from the start of the last PE */
	int64_t at; /* ms from there, or from when the last PE has left shmem_init */
	bool done;
	bool follows;	 /* from the "for" of another one */
	char text[TEXT]; /* as it was given */
};

static struct {
	struct fault fault[FAULTS]; /* in the order of their times, once the job runs */
	int n;
	int64_t started, ready; /* where times count from, ms; 0: not yet */
	int cable[RB_MAX_HOSTS];
	int n_cables, hosts; /* one file for all cables where a host is one chip */
} f;

static bool
is_of_cable(const struct fault *one)
{
	return one->kind <= FLAP;
}

/* 0.5s, 200ms, in ms; -1 for anything else */
static int64_t
read_time(const char *text)
{
	size_t digits = strspn(text, "0123456789.");
	double value, unit;
	char *end;

	value = strtod(text, &end);
	if (digits == 0 || end != text + digits)
		return -1;
	unit = strcmp(end, "s") == 0 ? 1000 : strcmp(end, "ms") == 0 ? 1 : 0;
	return unit == 0 || value * unit > 1e10 ? -1 : (int64_t)(value * unit + 0.5);
}

/* A number, which ends where @p stop is. @return the rest behind it, or NULL */
static const char *
read_id(const char *text, char stop, int *id)
{
	size_t digits = strspn(text, "0123456789");

	if (digits == 0 || digits > 4 || text[digits] != stop)
		return NULL;
	*id = atoi(text);
	return text + digits + 1;
}

/* What is behind the verb: 1-2, or host 3, or pe 5. @return words taken, 0 for others */
static int
read_target(struct fault *one, char **word, int n)
{
	const char *rest;

	if (is_of_cable(one)) {
		rest = n > 1 ? read_id(word[1], '-', &one->a) : NULL;
		return rest != NULL && read_id(rest, '\0', &one->b) != NULL ? 1 : 0;
	}
	if (n < 3 || read_id(word[2], '\0', &one->a) == NULL)
		return 0;
	one->of_pe = strcmp(word[1], "pe") == 0 || strcmp(word[1], "PE") == 0;
	return one->of_pe || strcmp(word[1], "host") == 0 ? 2 : 0;
}

static int
add_fault(const struct fault *one)
{
	if (f.n == FAULTS)
		return -E2BIG;
	f.fault[f.n++] = *one;
	return 0;
}

/* From the word "at" on. @return 0 or -errno */
static int
read_times(struct fault *one, char **word, int n)
{
	static const char start[] = "start+";
	int64_t lasts;
	int ret;

	if ((n != 2 && n != 4) || strcmp(word[0], "at") != 0 ||
	    (n == 4 && strcmp(word[2], "for") != 0))
		return -EINVAL;
	one->early = strncmp(word[1], start, strlen(start)) == 0;
	one->at = read_time(word[1] + (one->early ? strlen(start) : 0));
	if (one->at < 0)
		return -EINVAL;
	ret = add_fault(one);
	if (n == 2 || ret < 0)
		return ret;
	lasts = read_time(word[3]);
	if (lasts < 0 || (one->kind != CUT && one->kind != STOP))
		return -EINVAL;
	one->kind = one->kind == CUT ? PLUG : GO_ON;
	one->at += lasts;
	one->follows = true;
	return add_fault(one);
}

static int
read_one(char *text)
{
	struct fault one = {0};
	char *word[WORDS + 1], *save = NULL, *w;
	int n = 0, k, taken;

	snprintf(one.text, sizeof(one.text), "%s", text);
	for (w = strtok_r(text, " \t\n", &save); w != NULL && n <= WORDS;
	     w = strtok_r(NULL, " \t\n", &save))
		word[n++] = w;
	for (k = 0; verbs[k] != NULL && strcmp(word[0], verbs[k]) != 0; k++)
		;
	if (n > WORDS || verbs[k] == NULL)
		return -EINVAL;
	one.kind = (enum kind)k;
	taken = read_target(&one, word, n);
	return taken == 0 ? -EINVAL : read_times(&one, word + 1 + taken, n - 1 - taken);
}

int
fault_read(const char *text, char *why, size_t size)
{
	char *copy = strdup(text), *save = NULL, *part, as_given[TEXT];
	int before = f.n, ret = copy == NULL ? -ENOMEM : 0;

	for (part = ret < 0 ? NULL : strtok_r(copy, ";", &save); part != NULL && ret == 0;
	     part = strtok_r(NULL, ";", &save)) {
		part += strspn(part, " \t\n");
		if (*part == '\0')
			continue;
		snprintf(as_given, sizeof(as_given), "%s", part);
		ret = read_one(part);
	}
	free(copy);
	if (ret == -E2BIG)
		snprintf(why, size, "more than %d faults", FAULTS);
	else if (ret == -ENOMEM)
		snprintf(why, size, "out of memory");
	else if (ret < 0)
		snprintf(why, size,
			 "'%s': must be cut, plug or flap A-B, or kill or stop host H or pe N, "
			 "then at TIME, as 0.5s or 200ms; cut and stop also for TIME",
			 as_given);
	else if (f.n == before)
		snprintf(why, size, "must name a fault, as 'cut 1-2 at 0.5s'");
	return ret == 0 && f.n > before ? 0 : -EINVAL;
}

/* From the host whose right port it is at to the one whose left port: then it is cable a. The two
 * cables of two hosts differ in nothing else. */
static bool
turn_cable(struct fault *one, int hosts)
{
	int swap = one->a;

	if (one->a >= hosts || one->b >= hosts)
		return false;
	if (one->b == (one->a + 1) % hosts)
		return true;
	one->a = one->b;
	one->b = swap;
	return one->b == (one->a + 1) % hosts;
}

static int
check_one(struct fault *one, const struct options *opt, char *why, size_t size)
{
	int limit = one->of_pe ? opt->npes : opt->hosts;

	if (is_of_cable(one) && opt->hosts == 1)
		snprintf(why, size, "'%s': one host has no cables; give --hosts", one->text);
	else if (is_of_cable(one) && !turn_cable(one, opt->hosts))
		snprintf(why, size,
			 "'%s': no cable joins these hosts; cables of %d hosts: 0-1 to %d-0",
			 one->text, opt->hosts, opt->hosts - 1);
	else if (!is_of_cable(one) && one->a >= limit)
		snprintf(why, size, "'%s': the job has %s 0 to %d", one->text,
			 one->of_pe ? "PEs" : "hosts", limit - 1);
	else
		return 0;
	return -EINVAL;
}

int
fault_check(const struct options *opt, char *why, size_t size)
{
	int ret = 0;
	int i;

	if (f.n > 0 && opt->host_id >= 0) {
		snprintf(why, size, "needs a ring that is emulated, without --host-id");
		return -EINVAL;
	}
	for (i = 0; i < f.n && ret == 0; i++)
		ret = check_one(&f.fault[i], opt, why, size);
	return ret;
}

/* 0: not known yet */
static int64_t
due_at(const struct fault *one)
{
	int64_t from = one->early ? f.started : f.ready;

	return from == 0 ? 0 : from + one->at;
}

static bool
is_before(const struct fault *a, const struct fault *b)
{
	int64_t due_a = due_at(a), due_b = due_at(b);

	return due_a != 0 && (due_b == 0 || due_a < due_b);
}

/* Faults of the same time stay in the order given. */
static void
put_in_order(void)
{
	int i, k;

	for (i = 1; i < f.n; i++) {
		struct fault one = f.fault[i];

		for (k = i; k > 0 && is_before(&one, &f.fault[k - 1]); k--)
			f.fault[k] = f.fault[k - 1];
		f.fault[k] = one;
	}
}

void
fault_started(void)
{
	f.started = now_ms();
	put_in_order();
}

static void
look_ready(const struct job *job)
{
	int i;

	if (f.ready != 0)
		return;
	for (i = 0; i < job->n_pes; i++)
		if (!job->pe[i].opened)
			return;
	f.ready = now_ms();
	put_in_order();
}

/* 0: each cable has a file. */
static unsigned int
ring_size(void)
{
	return f.n_cables == f.hosts ? 0 : (unsigned int)f.hosts;
}

static int
cable_file(const struct fault *one)
{
	return f.cable[ring_size() == 0 ? one->a : 0];
}

/* @return 0, -EAGAIN to try again, or -errno */
static int
handle_cable(const struct fault *one)
{
	enum plxm_fault what = one->kind == FLAP ? PLXM_FAULT_RETRAIN : PLXM_FAULT_CABLE;
	static const char *const words[] = {
		[CUT] = "is cut",
		[PLUG] = "is plugged in again",
		[FLAP] = "loses its link and finds it again",
	};
	int ret;

	ret = plxm_ring_fault(cable_file(one), ring_size(),
			      ring_size() == 0 ? 0 : (unsigned int)one->a, what, one->kind == CUT);
	if (ret == -EAGAIN || ret == -ENODATA)
		return -EAGAIN;
	if (ret < 0)
		say("fault: cannot handle the cable between host %d and host %d: %s", one->a,
		    one->b, strerror(-ret));
	else
		say("fault: the cable between host %d and host %d %s", one->a, one->b,
		    words[one->kind]);
	return ret;
}

/* A cable that is cut at the start is out before any PE can use it. */
static int
cut_before_start(void)
{
	int i, ret = 0;

	for (i = 0; i < f.n && ret == 0; i++) {
		struct fault *one = &f.fault[i];

		if (one->kind != CUT || !one->early || one->at != 0)
			continue;
		ret = plxm_ring_make(cable_file(one), ring_size());
		one->done = ret == 0 && handle_cable(one) != -EAGAIN;
	}
	return ret;
}

int
fault_open(const struct job *job)
{
	int i;

	f.hosts = job->opt->hosts;
	for (i = 0; f.n > 0 && i < job->n_cables; i++) {
		f.cable[i] = fcntl(job->cable[i], F_DUPFD_CLOEXEC, 0);
		/* a PE must not shrink the file that oshrun writes into */
		if (f.cable[i] < 0 || fcntl(f.cable[i], F_ADD_SEALS, F_SEAL_SHRINK) < 0)
			return -errno;
		f.n_cables++;
	}
	return cut_before_start();
}

static void
handle_pes(const struct job *job, const struct fault *one)
{
	static const int sig[] = {[KILL] = SIGKILL, [STOP] = SIGSTOP, [GO_ON] = SIGCONT};
	static const char *const words[] = {
		[KILL] = "is killed", [STOP] = "is stopped", [GO_ON] = "goes on"};
	int i;

	for (i = 0; i < job->n_pes; i++) {
		const struct pe *pe = &job->pe[i];

		if (pe->alive && one->a == (one->of_pe ? pe->id : pe->host))
			kill(pe->pid, sig[one->kind]);
	}
	say("fault: %s %d %s", one->of_pe ? "PE" : "host", one->a, words[one->kind]);
}

void
fault_act(struct job *job)
{
	int64_t now = now_ms();
	uint64_t held = 0; /* cables at which an earlier fault has to wait */
	int i;

	look_ready(job);
	for (i = 0; i < f.n && !job->ending; i++) {
		struct fault *one = &f.fault[i];
		uint64_t cable = is_of_cable(one) ? UINT64_C(1) << one->a : 0;

		if (one->done || due_at(one) == 0 || due_at(one) > now || (held & cable) != 0)
			continue;
		if (cable == 0)
			handle_pes(job, one);
		else if (handle_cable(one) == -EAGAIN)
			held |= cable;
		one->done = (held & cable) == 0;
	}
}

int64_t
fault_due(const struct job *job)
{
	int64_t now = now_ms(), first = 0;
	int i;

	for (i = 0; i < f.n && !job->ending; i++) {
		int64_t due = f.fault[i].done ? 0 : due_at(&f.fault[i]);

		if (due != 0 && due <= now)
			due = now + RETRY_MS;
		if (due != 0 && (first == 0 || due < first))
			first = due;
	}
	return first;
}

void
fault_left(void)
{
	int i;

	for (i = 0; i < f.n; i++)
		if (!f.fault[i].done && !f.fault[i].follows)
			say("fault: the job was over before: %s", f.fault[i].text);
}
