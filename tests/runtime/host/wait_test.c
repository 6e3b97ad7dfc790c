/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/types.h"
#include "host/wait.h"
#include "host/wait_choose.h"
#include "cases.h"
#include "relay/poll.h"

/*
 * A waiter learns whether others use its CPU. This process, and a hog beside it on the same CPU,
 * which runs until it is killed.
 */

enum {
	SECONDS = 30
};

static void
stay_here(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	CU_ASSERT_EQUAL_FATAL(sched_setaffinity(0, sizeof(set), &set), 0);
}

static pid_t
start_hog(void)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		;
}

static bool
is_shared(void)
{
	return rb_yield_shares(rb_now_ns());
}

/* Wait for what does not come, until the waiter naps for others' sake. */
static void
wait_until_shared(void)
{
	struct rb_wait w = {0};

	while (!is_shared())
		rb_wait_turn(&w);
	rb_wait_end(&w);
}

/* Believed for a time only. */
static void
wait_until_alone(void)
{
	while (is_shared())
		rb_yield();
	while (!rb_yield_quick())
		rb_yield();
	CU_ASSERT_FALSE(is_shared());
}

static void
learns_of_hog(void)
{
	struct rb_wait w = {0};
	unsigned int i;
	pid_t hog;

	set_limit(SECONDS, "wait_test: the waiter has learnt nothing in 30 s\n");
	rb_waiting.mode = RB_WAIT_YIELD;
	rb_waiting.spin_turns = 4;
	stay_here();
	hog = start_hog();
	CU_ASSERT_TRUE_FATAL(hog > 0);
	rb_waiting.lost_ns = 0;
	for (i = 0; i < 100; i++)
		rb_wait_turn(&w);
	rb_wait_end(&w);
	CU_ASSERT_FALSE(is_shared());
	rb.hosts = 1;
	rb.env.cpus = 2;
	rb.locals = 32; /* 16 on each CPU: they are no other programs */
	rb_wait_choose();
	CU_ASSERT(rb_waiting.lost_ns > 1000 * 1000);
	rb.locals = 2;
	rb_wait_choose();
	CU_ASSERT_TRUE(rb_waiting.fits);
	rb_waiting.spin_turns = 4;
	wait_until_shared();
	CU_ASSERT_FALSE(rb_yield_quick());
	/* more PEs than CPUs, and yields of which few are measured */
	rb_waiting.fits = false;
	while (is_shared() || rb_yield_quick())
		rb_yield();
	while (!is_shared())
		rb_yield();
	kill(hog, SIGKILL);
	waitpid(hog, NULL, 0);
	wait_until_alone();
	set_limit(0, "");
}

static bool
no_proxy(void)
{
	return false;
}

/* A service lcore learns once that a thread polls, and once that one waits. */
static void
learns_of_polls(void)
{
	static const struct rb_wait_ops ops = {.poll = rb_progress_once, .proxy = no_proxy};
	struct rb_wait w = {0};
	unsigned int i;

	rb_wait_register(&ops);
	rb_wait_polling();
	CU_ASSERT_FALSE(rb_wait_polling());
	rb.booted = true;
	rb.locals = 1;
	rb_progress();
	rb_progress();
	CU_ASSERT_TRUE(rb_wait_polling());
	CU_ASSERT_FALSE(rb_wait_polling());
	for (i = 0; i < 200; i++)
		rb_wait_turn(&w);
	rb_wait_end(&w);
	CU_ASSERT_TRUE(rb_wait_polling());
	CU_ASSERT_FALSE(rb_wait_polling());
	rb.booted = false;
}

TEST_PROGRAM("wait", NULL, NULL, {"a waiter learns that others use its CPU", learns_of_hog},
	     {"a service lcore learns that its PE polls", learns_of_polls})
