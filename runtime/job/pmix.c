/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/pmix.h"

#include <dlfcn.h>
#include <errno.h>
#include <pmix.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_common.h>

#include "base/claim.h"
#include "base/error.h"
#include "base/exit.h"
#include "base/thread.h"
#include "host/blocked.h"
#include "job/exchange.h"

/* The calls in use. Names are looked up at run time; types come from the header. */
#define CALLS(X)                  \
	X(Init)                   \
	X(Finalize)               \
	X(Abort)                  \
	X(Put)                    \
	X(Commit)                 \
	X(Fence_nb)               \
	X(Get)                    \
	X(Register_event_handler) \
	X(Error_string)

static struct {
#define POINTER(name) __typeof__(PMIx_##name) *name;
	CALLS(POINTER)
#undef POINTER
	pmix_proc_t me;
	pid_t pid; /* the process that joined: a forked child must not talk to the server */
	unsigned int before; /* programs that have joined as this rank and ended */
	bool left;
	sem_t met, all_done; /* fences; posted by threads of PMIx, and maybe late */
} pmix;

enum {
	MEET_S = 2, /* of the fences at the start */
	DONE_S = 1  /* the end of a job waits so long for the exit handlers of all PEs */
};

static int
load_library(void)
{
	static const char *const library = "libpmix.so.2";
	/* its own threads and handlers must never lose their code */
	void *lib = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	if (lib == NULL)
		return rb_fail(-ENOSYS,
			       "started by a PMIx launcher (PMIX_RANK=%s), but %s cannot be "
			       "loaded: install libpmix2, or use oshrun",
			       getenv("PMIX_RANK"), dlerror());
#define LOOK_UP(name)                                                 \
	pmix.name = (__typeof__(pmix.name))dlsym(lib, "PMIx_" #name); \
	if (pmix.name == NULL)                                        \
		return rb_fail(-ENOSYS, "%s has no PMIx_" #name, library);
	CALLS(LOOK_UP)
#undef LOOK_UP
	return 0;
}

static int
pmix_error(const char *call, pmix_status_t st)
{
	return rb_fail(-EPROTO, "PMIx_%s: %s", call, pmix.Error_string(st));
}

/* The launcher is gone, and nobody else can end this process, so it ends itself. */
static void
connection_lost(size_t id, pmix_status_t st, const pmix_proc_t *source, pmix_info_t info[],
		size_t n_info, pmix_info_t *results, size_t n_results,
		pmix_event_notification_cbfunc_fn_t done, void *data)
{
	(void)id;
	(void)st;
	(void)source;
	(void)info;
	(void)n_info;
	(void)results;
	(void)n_results;
	(void)done;
	(void)data;
	_exit(EXIT_FAILURE);
}

/* Get a number of a process from the server. */
static bool
get_number(const pmix_proc_t *proc, const char *key, uint32_t *ret)
{
	pmix_value_t *v = NULL;
	bool known;

	if (pmix.Get(proc, key, NULL, 0, &v) != PMIX_SUCCESS || v == NULL)
		return false;
	known = v->type == PMIX_UINT32;
	if (known)
		*ret = v->data.uint32;
	free(v);
	return known;
}

struct key {
	pmix_key_t name;
};

static struct key
numbered_key(const char *key, unsigned int number)
{
	struct key k;

	snprintf(k.name, sizeof(k.name), "%s.%u", key, number);
	return k;
}

static pmix_info_t
flag_info(const char *name)
{
	pmix_info_t info = {.value = {.type = PMIX_BOOL, .data.flag = true}};

	snprintf(info.key, sizeof(info.key), "%s", name);
	return info;
}

/*
 * A launcher may start a script that starts one program after another. The server keeps what the
 * earlier ones gave, and some (PMIx 5 under Slurm) go on to answer with that, so each has names of
 * its own. All PEs count alike, as every program begins with a share that is collective.
 */
static int
count_programs(void)
{
	static const char program[] = "ringbell.program";
	pmix_info_t no_wait = flag_info(PMIX_IMMEDIATE);
	pmix_value_t *v = NULL, here = {.type = PMIX_BOOL, .data.flag = true};
	pmix_status_t st;

	while (pmix.Get(&pmix.me, numbered_key(program, pmix.before).name, &no_wait, 1, &v) ==
	       PMIX_SUCCESS) {
		free(v);
		pmix.before++;
	}
	st = pmix.Put(PMIX_GLOBAL, numbered_key(program, pmix.before).name, &here);
	return st == PMIX_SUCCESS ? 0 : pmix_error("Put", st);
}

static int
join_job(int *rank, int *size)
{
	pmix_status_t lost_it = PMIX_ERR_LOST_CONNECTION;
	int ret = rb_claim_rank(), threads;
	pmix_proc_t job;
	pmix_status_t st;
	sigset_t mask;
	uint32_t n;

	if (ret == 0)
		ret = load_library();
	if (ret < 0)
		return ret;
	threads = rb_threads();
	rb_signals_block(&mask);
	st = pmix.Init(&pmix.me, NULL, 0);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	if (st != PMIX_SUCCESS)
		return pmix_error("Init", st);
	rb_threads_foreign(rb_threads() - threads, false);
	pmix.pid = getpid();
	sem_init(&pmix.met, 0, 0);
	sem_init(&pmix.all_done, 0, 0);
	pmix.Register_event_handler(&lost_it, 1, NULL, 0, connection_lost, NULL, NULL);
	job = pmix.me;
	job.rank = PMIX_RANK_WILDCARD;
	if (!get_number(&job, PMIX_JOB_SIZE, &n) || n == 0 || pmix.me.rank >= n)
		return rb_fail(-EPROTO, "the PMIx server does not say how many PEs the job has");
	*rank = (int)pmix.me.rank;
	*size = (int)(n > INT32_MAX ? INT32_MAX : n);
	return count_programs();
}

static bool
find_node(uint32_t *node)
{
	return get_number(&pmix.me, PMIX_NODEID, node);
}

static void
fence_ends(pmix_status_t st, void *done)
{
	(void)st;
	sem_post(done);
}

static void
fence_for(sem_t *done, const pmix_info_t info[], size_t n_info, int seconds)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += seconds;
	if (pmix.Fence_nb(NULL, 0, info, n_info, fence_ends, done) != PMIX_SUCCESS)
		return;
	while (sem_clockwait(done, CLOCK_MONOTONIC, &until) < 0 && errno == EINTR)
		;
}

/*
 * The fence brings what all have given, and makes the gets that follow cheap, but none of them
 * depends on it. A server of PMIx 4.2 may answer PMIx_Finalize() before it has noted it. Then it
 * takes the end of that connection for the loss of a process, and its fences for the next program
 * of that rank end too early or never.
 */
static int
share_bytes(const char *key, void *mine, size_t len)
{
	pmix_info_t collect = flag_info(PMIX_COLLECT_DATA);
	pmix_value_t value = {.type = PMIX_BYTE_OBJECT};
	pmix_status_t st;

	value.data.bo.bytes = mine;
	value.data.bo.size = len;
	st = pmix.Put(PMIX_GLOBAL, numbered_key(key, pmix.before).name, &value);
	if (st != PMIX_SUCCESS)
		return pmix_error("Put", st);
	st = pmix.Commit();
	if (st != PMIX_SUCCESS)
		return pmix_error("Commit", st);
	fence_for(&pmix.met, &collect, 1, RTE_MIN((int)MEET_S, rb_block_limit()));
	return 0;
}

static int
get_shared(const char *key, int rank, void *bytes, size_t len)
{
	const struct timespec nap = {.tv_nsec = 1000 * 1000};
	pmix_info_t limit = {.key = PMIX_TIMEOUT,
			     .value = {.type = PMIX_INT, .data.integer = rb_block_limit()}};
	uint64_t began = rb_now_ns();
	pmix_proc_t proc = pmix.me;
	pmix_value_t *v = NULL;
	pmix_status_t st;
	int ret = 0;

	proc.rank = (pmix_rank_t)rank;
	/* some servers wait until it is there, others do not */
	while ((st = pmix.Get(&proc, numbered_key(key, pmix.before).name, &limit, 1, &v)) ==
		       PMIX_ERR_NOT_FOUND &&
	       !rb_block_late(began, 0))
		nanosleep(&nap, NULL);
	if (st == PMIX_ERR_TIMEOUT || st == PMIX_ERR_NOT_FOUND)
		return rb_fail(-ETIMEDOUT,
			       "not all PEs of the job came to its start (waited %d s, "
			       "RINGBELL_HELLO_TIMEOUT)",
			       rb_block_limit());
	if (st != PMIX_SUCCESS)
		return pmix_error("Get", st);
	if (v->type == PMIX_BYTE_OBJECT && v->data.bo.size == len)
		memcpy(bytes, v->data.bo.bytes, len);
	else
		ret = rb_fail(-EPROTO, "PE %d runs another version of Ringbell", rank);
	if (v->type == PMIX_BYTE_OBJECT)
		free(v->data.bo.bytes);
	free(v);
	return ret;
}

/* May this thread make the last PMIx call of this process? Only one of its threads may. */
static bool
may_leave(void)
{
	return pmix.pid == getpid() && !__atomic_exchange_n(&pmix.left, true, __ATOMIC_RELAXED);
}

static void
abort_job(int status)
{
	pmix.Abort(status, "", NULL, 0);
}

/* PMIx_Abort() makes the launcher kill all other PEs at once, even in the middle of their exit
 * handlers. Each PE learns that the job ends, and reaches this fence when its handlers are done. A
 * PE that does not reach it in time hangs. */
static void
wait_for_all(void)
{
	fence_for(&pmix.all_done, NULL, 0, DONE_S);
}

static void
end_job(bool met, int status)
{
	if (!may_leave())
		return;
	if (status == 0) {
		pmix.Finalize(NULL, 0);
		return;
	}
	if (met) {
		rb_leave_flush(); /* exit() would flush later */
		wait_for_all();
	}
	abort_job(status);
}

static void
leave_job(bool closed, int status)
{
	if (!may_leave())
		return;
	if (!closed || status != 0) {
		abort_job(status != 0 ? status : EXIT_FAILURE);
		return;
	}
	/* A script may start another program: the server takes the end of a connection for that
	 * process's part in a fence, also in one of the next program. */
	wait_for_all();
	pmix.Finalize(NULL, 0);
}

const struct rb_exchange rb_exchange_pmix = {.join = join_job,
					     .node = find_node,
					     .share = share_bytes,
					     .get = get_shared,
					     .end = end_job,
					     .leave = leave_job};
