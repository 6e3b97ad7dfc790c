/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/launcher_msg.h"
#include "oshrun.h"
#include "plxm.h"

/*
 * Cables that are cut and hosts that are lost at given times of a job, so that people see what
 * their program does on a broken ring. The cables are those that oshrun made.
 */

enum {
	FAULTS = 128,
	TEXT = 80,		 /* of one, as it was given */
	RETRY_MS = 1,		 /* where a cable is not there yet, or another process handles it */
	LONGEST_MS = 1000000000, /* a time: some ten days */
};

static const struct verb {
	const char *name;
	int sig; /* for PEs; 0: it is about a cable */
	enum plxm_fault fault;
	bool cuts;
	const char *said;
} verbs[] = {
	{"cut", 0, PLXM_FAULT_CABLE, true, "is cut"},
	{"plug", 0, PLXM_FAULT_CABLE, false, "is plugged in again"},
	{"flap", 0, PLXM_FAULT_RETRAIN, false, "loses its link and finds it again"},
	{"kill", .sig = SIGKILL, .said = "is killed"},
	{"stop", .sig = SIGSTOP, .said = "is stopped"},
	{"continue", .sig = SIGCONT, .said = "goes on"},
};

struct fault {
	const struct verb *verb;
	bool of_pe; /* else of a host or a cable */
	int a, b;   /* PE or host; of a cable, the hosts at its ends */
	int nth;    /* of their cables */
	int cable;  /* its number */
	bool early; /* its time counts from the start of the last PE */
	int64_t at; /* ms from there, or from when the last PE has left shmem_init */
	bool done;
	char text[TEXT]; /* as it was given */
};

static struct {
	struct fault fault[FAULTS];
	int n;
	int64_t started, ready; /* where times count from, ms; 0: not yet */
} f;

static bool
is_of_cable(const struct fault *one)
{
	return one->verb->sig == 0;
}

/* 0.5s, 200ms, start+0s */
static bool
read_time(struct fault *one, const char *text)
{
	static const char start[] = "start+";
	char unit[3], more;
	double value;

	one->early = strncmp(text, start, strlen(start)) == 0;
	if (sscanf(text + (one->early ? strlen(start) : 0), "%lf%2s%c", &value, unit, &more) != 2)
		return false;
	if (strcmp(unit, "s") == 0)
		value *= 1000;
	else if (strcmp(unit, "ms") != 0)
		return false;
	one->at = value >= 0 && value <= LONGEST_MS ? (int64_t)(value + 0.5) : -1;
	return one->at >= 0;
}

/* cut 1-2 at 0.5s, cut 1-2#2 at 1s, kill host 3 at 1s, stop pe 5 at start+10ms */
static bool
read_one(struct fault *one)
{
	char verb[9], whom[5], at[32], more;
	size_t k;

	one->nth = 1;
	if (sscanf(one->text, "%8s %4d-%4d#%4d at %31s %c", verb, &one->a, &one->b, &one->nth, at,
		   &more) == 5 ||
	    sscanf(one->text, "%8s %4d-%4d at %31s %c", verb, &one->a, &one->b, at, &more) == 4)
		whom[0] = '\0';
	else if (sscanf(one->text, "%8s %4s %4d at %31s %c", verb, whom, &one->a, at, &more) != 4)
		return false;
	one->of_pe = strcmp(whom, "pe") == 0;
	for (k = 0; k < sizeof(verbs) / sizeof(verbs[0]); k++)
		if (strcmp(verb, verbs[k].name) == 0)
			one->verb = &verbs[k];
	return one->verb != NULL && is_of_cable(one) == (whom[0] == '\0') &&
	       (is_of_cable(one) || one->of_pe || strcmp(whom, "host") == 0) && read_time(one, at);
}

int
fault_read(const char *text, char *why, size_t size)
{
	int before = f.n;
	size_t len;

	for (; *text != '\0'; text += len + (text[len] == ';')) {
		struct fault *one = &f.fault[f.n];

		text += strspn(text, " \t\n");
		len = strcspn(text, ";");
		if (len == 0)
			continue;
		if (f.n == FAULTS) {
			snprintf(why, size, "more than %d faults", FAULTS);
			return -EINVAL;
		}
		snprintf(one->text, sizeof(one->text), "%.*s", (int)len, text);
		if (len >= sizeof(one->text) || !read_one(one)) {
			snprintf(why, size,
				 "'%s': must be cut, plug or flap A-B or A-B#2, or kill, stop or "
				 "continue host H or pe N, then at TIME, as 0.5s or 200ms",
				 one->text);
			return -EINVAL;
		}
		f.n++;
	}
	if (f.n == before)
		snprintf(why, size, "must name a fault, as 'cut 1-2 at 0.5s'");
	return f.n == before ? -EINVAL : 0;
}

/* From one host to the other, the first end of the cable at the first; @p left: counts down. */
static bool
find_from(struct fault *one, const struct options *opt, int a, int b, int *left)
{
	int port, end;

	for (port = 0; port < RB_MAX_PORTS; port++) {
		one->cable = cables_number(opt, a, port, &end);
		if (one->cable >= 0 && end == RB_CABLE_RIGHT_PORT &&
		    opt->graph.end[a][port].host == b && --*left == 0) {
			one->a = a;
			one->b = b;
			return true;
		}
	}
	return false;
}

/* The two cables of a ring of two hosts differ in nothing but which host is named first. */
static bool
find_cable(struct fault *one, const struct options *opt)
{
	int a = one->a, b = one->b, left = one->nth;

	return a >= 0 && a < opt->hosts && b >= 0 && b < opt->hosts &&
	       (find_from(one, opt, a, b, &left) || find_from(one, opt, b, a, &left));
}

static int
check_one(struct fault *one, const struct options *opt, char *why, size_t size)
{
	int limit = one->of_pe ? opt->npes : opt->hosts;

	if (is_of_cable(one) && opt->hosts == 1)
		snprintf(why, size, "'%s': one host has no cables; give --hosts", one->text);
	else if (is_of_cable(one) && !find_cable(one, opt))
		snprintf(why, size,
			 "'%s': no such cable joins these hosts; cables of %d hosts: 0-1 to %d-0",
			 one->text, opt->hosts, opt->hosts - 1);
	else if (!is_of_cable(one) && (one->a < 0 || one->a >= limit))
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

void
fault_started(void)
{
	f.started = now_ms();
}

static void
look_ready(const struct job *job)
{
	int i;

	for (i = 0; i < job->n_pes && f.ready == 0; i++)
		if (!job->pe[i].opened)
			return;
	if (f.ready == 0)
		f.ready = now_ms();
}

/* The one that is due first, of equals the one that was given first. @return NULL: none as yet */
static struct fault *
next_fault(bool cables, int64_t *ret_due)
{
	struct fault *first = NULL;
	int i;

	*ret_due = 0;
	for (i = 0; i < f.n; i++) {
		struct fault *one = &f.fault[i];
		int64_t from = one->early ? f.started : f.ready;

		if (one->done || from == 0 || (is_of_cable(one) && !cables) ||
		    (first != NULL && from + one->at >= *ret_due))
			continue;
		first = one;
		*ret_due = from + one->at;
	}
	return first;
}

/* 0: each cable has a file. */
static unsigned int
ring_size(const struct job *job)
{
	return job->one_chip ? (unsigned int)job->opt->hosts : 0;
}

static int
cable_file(const struct job *job, const struct fault *one)
{
	return job->cable[job->one_chip ? 0 : one->cable];
}

/* @return 0, -EAGAIN to try again, or -errno */
static int
handle_cable(const struct job *job, const struct fault *one)
{
	int ret = plxm_ring_fault(cable_file(job, one), ring_size(job),
				  job->one_chip ? (unsigned int)one->cable : 0, one->verb->fault,
				  one->verb->cuts);

	if (ret == -EAGAIN || ret == -ENODATA)
		return -EAGAIN;
	if (ret < 0)
		say("fault: cannot handle the cable between host %d and host %d: %s", one->a,
		    one->b, strerror(-ret));
	else
		say("fault: the cable between host %d and host %d %s", one->a, one->b,
		    one->verb->said);
	return ret;
}

/* A cable that is cut at the start is out before any PE can use it. */
static int
cut_before_start(const struct job *job)
{
	int i, ret = 0;

	for (i = 0; i < f.n && ret == 0; i++) {
		struct fault *one = &f.fault[i];

		if (!one->verb->cuts || !one->early || one->at != 0)
			continue;
		ret = plxm_ring_make(cable_file(job, one), ring_size(job));
		one->done = ret == 0 && handle_cable(job, one) != -EAGAIN;
	}
	return ret;
}

int
fault_open(const struct job *job)
{
	int i;

	/* a PE must not shrink the file that oshrun writes into */
	for (i = 0; f.n > 0 && i < job->n_cables; i++)
		if (fcntl(job->cable[i], F_ADD_SEALS, F_SEAL_SHRINK) < 0)
			return -errno;
	return cut_before_start(job);
}

static void
handle_pes(const struct job *job, const struct fault *one)
{
	int i;

	for (i = 0; i < job->n_pes; i++) {
		const struct pe *pe = &job->pe[i];

		if (one->a == (one->of_pe ? pe->id : pe->host))
			job_signal_pe(job, pe, one->verb->sig);
	}
	say("fault: %s %d %s", one->of_pe ? "PE" : "host", one->a, one->verb->said);
}

void
fault_act(struct job *job)
{
	int64_t now = now_ms(), due;
	struct fault *one;
	bool cables = true;

	look_ready(job);
	for (one = next_fault(cables, &due); one != NULL && due <= now && !job->ending;
	     one = next_fault(cables, &due)) {
		if (!is_of_cable(one)) {
			handle_pes(job, one);
		} else if (handle_cable(job, one) == -EAGAIN) {
			/* A process holds the cable's lock, perhaps one that is to be continued.
			 * Other cables wait, too: they keep their order. */
			cables = false;
			continue;
		}
		one->done = true;
	}
}

int64_t
fault_due(const struct job *job)
{
	int64_t now = now_ms(), due;

	(void)next_fault(true, &due);
	if (job->ending || due == 0)
		return 0;
	return due <= now ? now + RETRY_MS : due;
}

void
fault_left(void)
{
	int i;

	for (i = 0; i < f.n; i++)
		if (!f.fault[i].done)
			say("fault: the job was over before: %s", f.fault[i].text);
}
