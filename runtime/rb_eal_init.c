/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#include <rte_eal.h>
#include <rte_errno.h>

#include "rb_eal_init.h"

/*
 * Where rte_eal_init() cannot start a thread it panics: it logs why, prints its stack, and calls
 * abort(). So as many threads are tried first. Other processes may still take the last thread that
 * a limit allows, at any moment; then the call that abort() interrupts is left by a jump. The EAL
 * is of no use after that, and the process about to end.
 */
enum {
	MOST = 64,
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *
pass_gate(void *arg)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return arg;
}

int
rb_eal_try_threads(unsigned int count)
{
	pthread_t thread[MOST];
	sigset_t all, old;
	unsigned int n;
	int err = 0;

	/* signals are for the program's own threads */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_mutex_lock(&gate);
	for (n = 0; n < count && n < MOST && err == 0; n += err == 0)
		err = pthread_create(&thread[n], NULL, pass_gate, NULL);
	pthread_mutex_unlock(&gate);
	while (n > 0)
		pthread_join(thread[--n], NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

static sigjmp_buf before;
static pthread_t caller;

static void
on_abort(int sig)
{
	if (pthread_equal(pthread_self(), caller))
		siglongjmp(before, 1);
	/* not the EAL's: it ends the process, as abort() does when this returns */
	signal(sig, SIG_DFL);
}

int
rb_eal_init(int argc, char **argv)
{
	struct sigaction act = {.sa_handler = on_abort}, was;
	sigset_t pipe, mask;
	int ret;

	/* The threads that answer clients inherit it: one that goes away while it is answered must
	 * not end the process. */
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &mask);
	caller = pthread_self();
	sigemptyset(&act.sa_mask);
	sigaction(SIGABRT, &act, &was);
	if (sigsetjmp(before, 1) == 0) {
		ret = rte_eal_init(argc, argv);
	} else {
		rte_errno = EAGAIN;
		ret = -1;
	}
	sigaction(SIGABRT, &was, NULL);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return ret;
}
