/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What a program may do with processes, signals and threads, and ways to end.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <shmem.h>

#include "hostile.h"

extern char **environ;

static long word, lock;

static int
wait_for(pid_t pid)
{
	int status = 0;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		say_wrong("child %d: %s", (int)pid, strerror(errno));
	return status;
}

/* Handlers of the library run in exit(). */
int
fork_child(int end)
{
	pid_t pid = fork();

	if (pid == 0) {
		word = -1; /* of its own */
		exit(end);
	}
	return wait_for(pid) == 0 || word != 0 ? EPROTO : 0;
}

static void
call_put(void)
{
	shmem_long_p(&word, 1, 0);
}

static void
call_exit(void)
{
	shmem_global_exit(3);
}

/* It is no PE: what it calls is refused, and ends it alone. Before shmem_init it is one, and its
 * parent is none then. */
int
fork_caller(int in_exit)
{
	void (*const calls[])(void) = {shmem_init, shmem_barrier_all, call_put, call_exit};
	int status;
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		pid_t pid = fork();

		if (pid == 0) {
			calls[i]();
			_exit(0);
		}
		status = wait_for(pid);
		if (WIFSIGNALED(status) || (status == 0 && (phase != BEFORE || in_exit)))
			return EPROTO;
	}
	return word != 0;
}

int
start_others(int times)
{
	char *const argv[] = {(char[]){"true"}, NULL};
	pid_t pid;

	volatile int i;

	for (i = 0; i < times; i++) {
		pid = vfork();
		if (pid == 0) {
			execv("/bin/true", argv);
			_exit(1);
		}
		wait_for(pid);
		if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) != 0)
			return errno;
		wait_for(pid);
		if (system("exit 3") != 3 << 8 || pclose(popen("cat >/dev/null", "w")) != 0)
			return EPROTO;
	}
	return 0;
}

/* The process that was started ends well, and its child goes on. */
int
become_daemon(int times)
{
	for (; times > 0; times--)
		if (fork() != 0)
			_exit(0);
	setsid();
	return 0;
}

int
ignore_children(int how)
{
	signal(SIGCHLD, how == 0 ? SIG_IGN : SIG_DFL);
	if (fork() == 0)
		_exit(1);
	while (waitpid(-1, NULL, 0) > 0)
		;
	return errno == ECHILD ? 0 : errno;
}

static sigjmp_buf back;
static volatile sig_atomic_t ticks;

static void
jump_back(int number)
{
	siglongjmp(back, number);
}

static void
count_tick(int number)
{
	ticks += number != 0;
}

static bool
may_be_caught(int number)
{
	return number != SIGKILL && number != SIGSTOP && (number < 32 || number >= SIGRTMIN);
}

/* All that there are, each taken out of its handler. */
int
jump_from_handlers(int flags)
{
	struct sigaction act = {.sa_handler = jump_back, .sa_flags = flags};
	volatile int number;

	for (number = 1; number <= SIGRTMAX; number++) {
		if (!may_be_caught(number))
			continue;
		sigaction(number, &act, NULL);
		if (sigsetjmp(back, 1) == 0)
			raise(number);
	}
	if (sigsetjmp(back, 1) == 0)
		*(volatile char *)mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
	return 0;
}

/* Calls of the system come back early from then on. */
int
interrupt_often(int microseconds)
{
	struct sigaction act = {.sa_handler = count_tick};
	struct itimerval every = {{0, microseconds}, {0, microseconds}};

	sigaction(SIGALRM, &act, NULL);
	return setitimer(ITIMER_REAL, &every, NULL) == 0 ? 0 : errno;
}

int
block_signals(int how)
{
	sigset_t all;
	int number;

	sigfillset(&all);
	for (number = 1; number <= SIGRTMAX; number++)
		if (may_be_caught(number) && number != SIGCHLD)
			signal(number, SIG_IGN);
	return sigprocmask(how, &all, NULL) == 0 ? 0 : errno;
}

/* It has only a stack: no sanitizer and no part of the C library may expect more. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static int
wait_bare(void *arg)
{
	(void)arg;
	for (;;)
		syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
	return 0;
}

static void *
wait_for_ever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* The C library knows of it, or not, as of an emulator's own; or it is deaf to signals. */
int
start_thread(int kind)
{
	static char stack[64 * 1024] __attribute__((aligned(64)));
	pthread_t thread;
	pthread_attr_t attr;
	sigset_t all;

	sigfillset(&all);
	pthread_attr_init(&attr);
	if (kind == 'd')
		pthread_attr_setsigmask_np(&attr, &all);
	if (kind != 'u')
		return pthread_create(&thread, &attr, wait_for_ever, NULL);
	return clone(wait_bare, stack + sizeof(stack),
		     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			     CLONE_SYSVSEM,
		     NULL) > 0
		       ? 0
		       : errno;
}

/* exit() flushes streams when the objects of the program are finalized already. */
static ssize_t
fork_late(void *cookie, const char *text, size_t len)
{
	int *how = cookie, calls = *how;

	(void)text;
	*how = -1; /* the child flushes its streams, too */
	if (calls >= 0 && (calls > 0 ? fork_caller(1) : fork_child(1)) != 0)
		_exit(WRONG);
	return (ssize_t)len;
}

int
fork_in_exit(int calls)
{
	const cookie_io_functions_t functions = {.write = fork_late};
	static int how;
	FILE *stream;

	how = calls;
	stream = fopencookie(&how, "w", functions);
	return stream != NULL && fputs("late", stream) >= 0 ? 0 : errno;
}

int
end_process(int how)
{
	if (how == 0)
		_exit(0);
	if (how == SIGABRT)
		abort();
	if (how > 0)
		raise(how);
	if (how == -1)
		quick_exit(0);
	exit(-how);
}

/* The last PE ends the job while the others wait for what never comes, in the way that @p how
 * tells. */
int
end_job(int how)
{
	int last = shmem_n_pes() - 1, me = shmem_my_pe();
	volatile unsigned long spin = 0;

	if (how == 'l' && me == last)
		shmem_set_lock(&lock);
	shmem_barrier_all();
	if (me == last || how == 'a')
		shmem_global_exit(42);
	while (how == 'c')
		spin = spin + 1;
	if (how == 'l')
		shmem_set_lock(&lock);
	shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
	say_wrong("PE %d outlived the job", me);
}
