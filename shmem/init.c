/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/caller.h"
#include "core/check.h"
#include "core/env.h"
#include "core/heap.h"
#include "core/shmemi.h"
#include "core/hang.h"
#include "coll/aset.h"
#include "coll/attach.h"
#include "coll/check.h"
#include "coll/ctx.h"
#include "coll/posted.h"
#include "coll/slot.h"
#include "coll/words.h"
#include "id/pe.h"
#include "memory.h"
#include "space.h"
#include "shmemx.h"
#include "team.h"

/* Library setup and exit (section 9.1), thread levels (section 9.2). */

/* Inits and finalizes nest; only the first and the last do anything. */
static struct {
	pthread_mutex_t lock;
	int depth;	/* inits without their finalize; under lock */
	pid_t exit_pid; /* process whose exit runs at_exit(), 0: none yet */
	bool at_exit;	/* that has finalized */
} setup = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Inits of this thread without their finalize. */
static _Thread_local int own_inits;

/* What the collectives take of the heap's end. Of 64 slots a program uses two or three: the others
 * never become memory. */
static size_t
slots_bytes(void)
{
	return COLL_SLOTS * sizeof(struct coll_slot);
}

static int
open_collectives(void)
{
	int err = coll_ctx_open();

	_Static_assert(sizeof(struct coll_words) % 64 == 0, "buffers start on a cache line");
	if (err != 0)
		return err;
	coll_states_open(shmemi_heap_tail());
	coll_slots_open();
	coll_posted_open();
	return 0;
}

static void
close_collectives(void)
{
	coll_posted_close();
	coll_aset_close();
	coll_states_close();
	coll_ctx_close();
}

/* The parts above the runtime, in the order of their needs. */
static int
open_parts(const char *call)
{
	const char *part = "symmetric heap";
	int err = shmemi_heap_open(slots_bytes());

	if (err != 0)
		goto fail;
	err = shmemi_memory_open();
	if (err != 0)
		goto close_heap;
	shmemi_teams_open();
	part = "collectives";
	err = open_collectives();
	if (err != 0)
		goto close_teams;
	part = "checked mode";
	err = shmemi_hang_open(call);
	if (err != 0)
		goto close_coll;
	err = shmemi.races ? shmemi_race_open(call) : 0;
	if (err != 0)
		goto close_hang;
	/* no PE may write to words before their owner has cleared them */
	rb_barrier();
	shmemi_hang_alike(call);
	return 0;

close_hang:
	shmemi_hang_close();
close_coll:
	close_collectives();
close_teams:
	shmemi_teams_close();
close_heap:
	shmemi_heap_close();
fail:
	if (err != -EINVAL)
		rb_report("%s: no memory for the %s: %s", call, part,
			  err == -ENOMEM && *rb_error() != '\0' ? rb_error() : rb_strerror(err));
	return err;
}

/* A forked child is not a PE: from here on every call ends with that message. */
static void
in_child(void)
{
	shmemi_id_forget();
	shmemi.child = shmemi.child || shmemi.up;
	shmemi.up = false;
	shmemi.fast_pes = 0;
}

static int
open_runtime(const char *call, int level, const struct rb_exchange *exchange)
{
	const char *size = shmemi_env(SHMEMI_ENV_SIZE), *name = shmemi_env_name(SHMEMI_ENV_SIZE);
	struct rb_params params = {
		.threads = level >= SHMEM_THREAD_SERIALIZED,
		.caller = shmemi_caller,
		.in_child = in_child,
		.exchange = exchange,
	};
	const char *bad = shmemi_heap_wanted(
		&params, slots_bytes() + shmemi_memory_bytes() + shmemi_hang_bytes() +
				 (shmemi.races ? shmemi_race_bytes() : 0));
	int err;

	if (bad != NULL) {
		rb_report(
			"%s: %s=%s is not a size below 64P: use bytes with an optional k, m, g or "
			"t, such as 512M or 1.5G",
			call, bad, getenv(bad) == NULL ? "" : getenv(bad));
		return -EINVAL;
	}
	err = rb_open(&params);
	if (err == 0)
		return 0;
	if (size != NULL)
		rb_report("%s: %s (%s=%s)", call, rb_error(), name, size);
	else
		rb_report("%s: %s", call, rb_error());
	return err;
}

static void
close_library(void)
{
	if (shmemi.debug)
		rb_describe(stderr);
	coll_posted_drain_all("shmem_finalize");
	shmemi_check_team("shmem_finalize", &shmemi_team_world, NULL);
	shmemi_check_quiet(rb_ctx_default);
	rb_quiet(rb_ctx_default);
	shmemi_teams_close(); /* completes what the contexts of teams have outstanding */
	/* slower PEs may still use this one's teams and heap */
	rb_barrier();
	shmemi_hang_close();
	if (shmemi.races)
		shmemi_race_close();
	shmemi_spaces_close();
	close_collectives();
	shmemi_heap_close();
	rb_close();
	shmemi.fast_pes = 0;
	__atomic_store_n(&shmemi.up, false, __ATOMIC_RELEASE);
}

/*
 * A program that exits with status 0 without its finalize is finalized here. With another status it
 * is not: the other PEs may be anywhere, and a barrier with them would hang. A forked child is not
 * finalized either.
 */
static void
at_exit(int status, void *arg)
{
	(void)arg;
	if (status != 0 || setup.exit_pid != getpid() || !shmemi.up || rb_leaving())
		return;
	setup.depth = 0;
	setup.at_exit = true;
	close_library();
}

static int
open_library(const char *call, int level, const struct rb_exchange *exchange)
{
	int err;

	if (setup.exit_pid != getpid()) {
		if (on_exit(at_exit, NULL) != 0) {
			rb_report("%s: cannot have a handler of exit(), which goes on already or "
				  "has no memory for it",
				  call);
			return -ENOMEM;
		}
		setup.exit_pid = getpid();
	}
	shmemi_check_open();
	err = open_runtime(call, level, exchange);
	if (err != 0)
		return err;
	shmemi.pe = rb_pe();
	shmemi.npes = rb_npes();
	shmemi.thread_level = level;
	shmemi.debug = shmemi_env(SHMEMI_ENV_DEBUG) != NULL;
	err = open_parts(call);
	if (err != 0) {
		rb_close();
		return err;
	}
	if (shmemi.debug)
		fprintf(stderr, "%s: PE %d of %d, %zu bytes of heap at %p, thread level %d%s\n",
			call, shmemi.pe, shmemi.npes, rb_heap_size(), rb_heap_base(), level,
			shmemi.check ? ", checked" : "");
	if (shmemi.pe == 0)
		shmemi_env_print();
	if (shmemi.check)
		rb_fast_hide();
	shmemi.fast_pes = shmemi.check || rb_fast_counts() ? 0 : (unsigned int)shmemi.npes;
	__atomic_store_n(&shmemi.up, true, __ATOMIC_RELEASE);
	return 0;
}

/* @p exchange: as in struct rb_params. @return the level in force, or a negative errno */
static int
enter_library(const char *call, int level, const struct rb_exchange *exchange)
{
	int ret = 0;

	if (shmemi.child) /* before the lock: the thread that holds it may not exist in the child */
		shmemi_not_up(call);
	pthread_mutex_lock(&setup.lock);
	if (setup.depth == 0)
		ret = open_library(call, level, exchange);
	if (ret == 0) {
		setup.depth++;
		own_inits++;
		ret = shmemi.thread_level;
	}
	pthread_mutex_unlock(&setup.lock);
	return ret;
}

SHMEMI_API(void, init, (void))
{
	if (enter_library("shmem_init", SHMEM_THREAD_SINGLE, NULL) < 0)
		rb_abort(1);
}

static int
init_thread(const char *call, int requested, int *provided, const struct rb_exchange *exchange)
{
	int level;

	if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
		rb_report("%s: requested is %d, which is not a thread level", call, requested);
		return -EINVAL;
	}
	level = enter_library(call, requested, exchange);
	if (level < 0)
		return level;
	if (provided != NULL)
		*provided = level;
	return 0;
}

SHMEMI_API(int, init_thread, (int requested, int *provided))
{
	return init_thread("shmem_init_thread", requested, provided, NULL);
}

SHMEMX_API(int, init_by_id, (const char *id, int pe, int npes, int requested, int *provided))
{
	int ret;

	if (!shmemi.up && shmemi_id_take(id, pe, npes) < 0) {
		rb_report("shmemx_init_by_id: %s", rb_error());
		return -EINVAL;
	}
	ret = init_thread("shmemx_init_by_id", requested, provided, &shmemi_id_exchange);
	if (ret != 0 && !shmemi.up)
		shmemi_id_give_up();
	return ret;
}

SHMEMI_API(void, finalize, (void))
{
	/*
	 * One finalize too many does nothing: verification suites have it, and programs with
	 * destructors that finalize after at_exit().
	 */
	if (!shmemi.up && shmemi.npes != 0 && (!shmemi.check || setup.at_exit))
		return;
	if (rb_leaving()) /* a handler of exit(); the other PEs do not enter the barrier */
		return;
	shmemi_enter("shmem_finalize");
	/* section 9.2: by the thread that initialized, whatever the level */
	if (shmemi.check && own_inits <= 0)
		shmemi_fatal("shmem_finalize", "called by a thread that has no shmem_init or "
					       "shmem_init_thread of its own to end");
	own_inits--;
	pthread_mutex_lock(&setup.lock);
	if (--setup.depth == 0) {
		close_library();
	} else {
		shmemi_check_team("shmem_finalize", &shmemi_team_world, NULL);
		shmemi_check_quiet(rb_ctx_default);
		rb_quiet(rb_ctx_default);
		rb_barrier();
		shmemi_check_team_end(&shmemi_team_world);
	}
	pthread_mutex_unlock(&setup.lock);
}

/* By any thread at any time, also while another one initializes: pairs with the stores to up. */
SHMEMI_API(void, query_initialized, (int *initialized))
{
	*initialized = __atomic_load_n(&shmemi.up, __ATOMIC_ACQUIRE);
}

SHMEMI_API(void, query_thread, (int *provided))
{
	shmemi_enter("shmem_query_thread");
	*provided = shmemi.thread_level;
}

SHMEMI_API(void, global_exit, (int status))
{
	shmemi_enter("shmem_global_exit");
	rb_abort(status);
}

SHMEMI_EXPORT void
start_pes(int npes)
{
	(void)npes;
	if (!shmemi.up && enter_library("start_pes", SHMEM_THREAD_SINGLE, NULL) < 0)
		rb_abort(1);
}
