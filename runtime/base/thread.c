/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/thread.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <rte_common.h>

#include "base/error.h"
#include "base/limit.h"

enum {
	STACK = 8 << 20 /* address space, without thread-local data: handlers of exit() may run
			   there */
};

static _Atomic int foreign; /* an emulator's threads, and libpmix's */
static _Atomic int deaf;    /* of these, those that block all signals: the emulator's */
/* Threads of rb_thread_start(), which block them too: never more than are there, so that no thread
 * of the program is taken for one of them. Sequentially consistent: the thread that starts one adds
 * it afterwards, it takes itself away before it ends, and rb_process_mark() begins anew. */
static _Atomic int started;

__thread bool rb_thread_serves __attribute__((tls_model("initial-exec")));

uint64_t
rb_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

/* 0 is no signal. @return how many other threads there are; -1: /proc cannot be read */
static int
signal_others(int number)
{
	int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC), others = 0, tid;
	_Alignas(struct dirent64) char list[4096];
	ssize_t n, at;

	while (tasks >= 0 && (n = getdents64(tasks, list, sizeof(list))) > 0)
		for (at = 0; at < n; at += ((struct dirent64 *)(list + at))->d_reclen) {
			tid = atoi(((struct dirent64 *)(list + at))->d_name); /* 0: no thread */
			if (tid == 0 || tid == gettid())
				continue;
			syscall(SYS_tgkill, getpid(), tid, number);
			others++;
		}
	if (tasks >= 0)
		close(tasks);
	return tasks >= 0 ? others : -1;
}

int
rb_threads(void)
{
	return 1 + signal_others(0);
}

/* An emulator, such as QEMU's user mode, has threads of its own in the process, which the C library
 * has not started. They never touch the program's variables. Counted when the library is loaded,
 * because later they cannot be told from the program's. */
__attribute__((constructor)) static void
count_unknown(void)
{
	int n = __libc_single_threaded ? rb_threads() : 0;

	if (n > 1)
		rb_threads_foreign(n - 1, true);
}

void
rb_thread_service(void)
{
	rb_thread_serves = true;
}

void
rb_threads_foreign(int n, bool are_deaf)
{
	foreign += n;
	deaf += are_deaf ? n : 0;
}

bool
rb_threads_alone(void)
{
	return rb_threads() == 1 + foreign + started;
}

/* To stop the program's other threads, such as those of MPI or OpenMP. By default nothing follows
 * from the signal, so one that comes late harms nobody. */
enum {
	STOP = SIGURG,
	STOP_MS = 2000, /* a thread that blocks the signal never stops */
#ifdef __SANITIZE_THREAD__
	TOOL = 1, /* ThreadSanitizer's own thread, which blocks the signal: there with any other */
#else
	TOOL = 0,
#endif
};

static _Atomic int held; /* 1: they wait in park_thread(); a futex */
static _Atomic int parked;
static struct sigaction stop_was;

/* Both words are sequentially consistent. What this thread stored before it parks is in the copy:
 * pairs with rb_threads_stop(). What it does later comes after the move: pairs with
 * rb_threads_go(). */
static void
park_thread(int sig)
{
	int err = errno;

	(void)sig;
	parked++;
	while (held != 0)
		syscall(SYS_futex, &held, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
	errno = err;
}

bool
rb_threads_stop(void)
{
	struct sigaction park = {.sa_handler = park_thread, .sa_flags = SA_RESTART};
	const struct timespec nap = {.tv_nsec = 100 * 1000};
	uint64_t until = rb_now_ms() + STOP_MS;
	int calm = 0, left;

	parked = 0;
	held = 1;
	sigfillset(&park.sa_mask);
	sigaction(STOP, &park, &stop_was);
	/* Those that are parked get the signal again, and lose it in rb_threads_go(). While threads
	 * start and end, a list may miss one, but not when all are parked: so twice. */
	while (calm < 2 && rb_now_ms() < until) {
		left = signal_others(STOP) - deaf - started;
		nanosleep(&nap, NULL);
		calm = parked == left - (left > 0 ? TOOL : 0) ? calm + 1 : 0;
	}
	if (calm < 2)
		rb_threads_go();
	return calm == 2;
}

void
rb_threads_go(void)
{
	sigaction(STOP, &stop_was, NULL);
	held = 0;
	syscall(SYS_futex, &held, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void
rb_signals_block(sigset_t *was)
{
	/* SIGSYS is a fault, too: of a filter of system calls */
	static const int stay[] = {STOP, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS};
	sigset_t set;
	size_t i;

	sigfillset(&set);
	for (i = 0; i < RTE_DIM(stay); i++)
		sigdelset(&set, stay[i]);
	pthread_sigmask(SIG_BLOCK, &set, was);
}

static __thread bool ours;

bool
rb_thread_is_ours(void)
{
	return ours || rb_thread_is_service();
}

static void *
run_ours(void *fn)
{
	ours = true;
	((void *(*)(void *))(uintptr_t)fn)(NULL);
	started--;
	return NULL;
}

int
rb_thread_start(void *(*fn)(void *))
{
	pthread_attr_t attr;
	sigset_t all, old;
	pthread_t thread;
	int err;

	/* signals are for the program's own threads */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, rb_stack_size(STACK));
	err = pthread_create(&thread, &attr, run_ours, (void *)(uintptr_t)fn);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	started += err == 0;
	return err == 0 ? 0
			: rb_fail(-err, "cannot start a thread: %s%s", strerror(err),
				  rb_limit_words());
}

static pid_t pe;    /* the process that is the PE; 0: none yet */
static bool marked; /* in a child */

void
rb_process_claim(void)
{
	pe = getpid();
}

bool
rb_process_mark(void)
{
	started = 0; /* no thread outlives a fork */
	if (pe == 0 || marked)
		return false;
	marked = true;
	return true;
}

bool
rb_process_marked(void)
{
	return marked;
}

bool
rb_process_child(void)
{
	return marked || (pe != 0 && pe != getpid());
}

/*
 * struct sched_attr of the kernel (sched_setattr(2)). C libraries before glibc 2.41 do not declare
 * it, and the kernel's header clashes with the sched.h of some.
 */
struct attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime; /* ns; of an ordinary thread: its slice, from Linux 6.12 on */
	uint64_t deadline;
	uint64_t period;
};

void
rb_slice_short(void)
{
	struct attr a = {.size = sizeof(a)};

	if (syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0) != 0 || a.policy != SCHED_OTHER)
		return;
	/* policy and nice value stay; older kernels take no notice */
	a.runtime = RB_SLICE_NS;
	(void)syscall(SYS_sched_setattr, 0, &a, 0);
}

/*
 * The C library places static thread-local data in the thread's stack. A large threadprivate array
 * of a program leaves little of the usual 8 MiB, and nothing of a small stack: then
 * pthread_create() fails, or the thread overruns its stack.
 */
enum {
	ROOM = 1024 * 1024, /* need of a thread of DPDK or of the runtime, without that data */
};

static int
add_tls(struct dl_phdr_info *info, size_t size, void *arg)
{
	size_t *sum = arg;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			*sum += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
	return 0;
}

size_t
rb_stack_size(size_t room)
{
	size_t page = 4096, size = room;

	dl_iterate_phdr(add_tls, &size);
	return RTE_ALIGN_CEIL(size, page);
}

int
rb_stack_default(void)
{
	size_t want = rb_stack_size(ROOM), have = 0;
	pthread_attr_t attr;
	int err = pthread_getattr_default_np(&attr);

	if (err != 0)
		return rb_fail(-err, "cannot read the default stack size of threads: %s",
			       strerror(err));
	pthread_attr_getstacksize(&attr, &have);
	if (have < want) {
		err = pthread_attr_setstacksize(&attr, want);
		if (err == 0)
			err = pthread_setattr_default_np(&attr);
	}
	pthread_attr_destroy(&attr);
	if (err != 0)
		return rb_fail(-err, "cannot give threads a stack of %zu bytes: %s", want,
			       strerror(err));
	return 0;
}
