/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/eal_init.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <rte_eal.h>
#include <rte_errno.h>

/*
 * If rte_eal_init() cannot start a thread, it panics: it logs why, prints its stack, and calls
 * abort(). So try to start as many threads first. Another process may still take the last thread
 * that a limit allows, at any moment. Then a jump leaves the call that abort() interrupts. The EAL
 * is unusable after that, and the process is about to end.
 *
 * Since DPDK 25.11 wrong arguments make it call exit(). The same jump leaves that call: by then
 * glibc has removed the first handler from its list, which is at_exit() below, and runs the others
 * when the process ends.
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

	/* only the program's own threads handle signals */
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
static bool starting; /* only the caller reads and writes it */

static void
on_abort(int sig)
{
	if (pthread_equal(pthread_self(), caller))
		siglongjmp(before, EAGAIN);
	/* not a panic of the EAL: end the process, as abort() does when this handler returns */
	signal(sig, SIG_DFL);
}

static void
at_exit(int status, void *arg)
{
	(void)status;
	(void)arg;
	if (starting && pthread_equal(pthread_self(), caller))
		siglongjmp(before, EINVAL);
}

int
rb_eal_init(int argc, char **argv)
{
	struct sigaction act = {.sa_handler = on_abort}, was;
	sigset_t pipe, mask;
	int ret, jump;

	if (on_exit(at_exit, NULL) != 0) {
		rte_errno = ENOMEM;
		return -1;
	}
	/* The EAL's threads that answer clients inherit this mask: a client that closes its socket
	 * during an answer must not end the process. */
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &mask);
	caller = pthread_self();
	sigemptyset(&act.sa_mask);
	sigaction(SIGABRT, &act, &was);
	starting = true;
	jump = sigsetjmp(before, 1);
	if (jump == 0) {
		ret = rte_eal_init(argc, argv);
	} else {
		rte_errno = jump;
		ret = -1;
	}
	starting = false;
	sigaction(SIGABRT, &was, NULL);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return ret;
}
