/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What a program may do to its descriptors, rights, memory, name spaces and clocks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <grp.h>
#include <locale.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <shmem.h>

#include "hostile.h"

enum {
	NUMBERS = 256, /* descriptors that are closed and used again */
	MINE = 300 << 20,
	MARK_STEP = 2 << 20,
	NOBODY = 65534,
};

static int own_file, own_socket[NUMBERS];
static _Atomic long clock_offset; /* seconds */

/* The library's calls come here, as a preloaded one's would. */
int
clock_gettime(clockid_t id, struct timespec *ts)
{
	int ret = (int)syscall(SYS_clock_gettime, id, ts);

	if (id == CLOCK_REALTIME)
		ts->tv_sec += clock_offset;
	return ret;
}

static int
close_all(int first)
{
	close_range((unsigned int)first, 1023, 0);
	return 0;
}

static int
close_output(int number)
{
	talks = true;
	close(number);
	return 0;
}

static int
fill_output(int number)
{
	talks = true;
	return dup2(open("/dev/full", O_WRONLY), number) == number ? 0 : errno;
}

static bool
file_unharmed(void)
{
	struct stat st;
	off_t off;
	char c;

	if (fstat(own_file, &st) != 0 || st.st_size != MINE)
		return false;
	for (off = 0; off < MINE; off += MARK_STEP)
		if (pread(own_file, &c, 1, off) != 1 || c != 'x')
			return false;
	return true;
}

/* All numbers are a file of the program's, whose ranges would be lengthened and cut. */
static int
reuse_for_file(int first)
{
	off_t off;
	int i;

	own_file = memfd_create("mine", 0);
	if (ftruncate(own_file, MINE) != 0)
		return errno;
	for (off = 0; off < MINE; off += MARK_STEP)
		if (pwrite(own_file, "x", 1, off) != 1)
			return errno;
	for (i = first; i < NUMBERS; i++)
		dup2(own_file, i);
	unharmed = file_unharmed;
	return 0;
}

static bool
sockets_unharmed(void)
{
	char c;
	int i;

	for (i = 0; i < NUMBERS; i++)
		if (own_socket[i] && recv(i, &c, 1, MSG_DONTWAIT) >= 0)
			return false;
	return true;
}

static int
reuse_for_sockets(int first)
{
	int pair[2], i;

	close_all(first);
	for (i = first; i < NUMBERS - 1 && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0;
	     i += 2)
		own_socket[pair[0]] = own_socket[pair[1]] = 1;
	unharmed = sockets_unharmed;
	return 0;
}

static int
exhaust_descriptors(int unused)
{
	struct rlimit few = {NUMBERS, NUMBERS};

	setrlimit(RLIMIT_NOFILE, &few);
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	return unused;
}

static int
lose_folder(int unused)
{
	char name[] = "/tmp/ringbell-hostile-XXXXXX";
	int err = mkdtemp(name) == NULL || chdir(name) != 0 ? errno : unused;

	rmdir(name);
	return err;
}

/* The folder of a jail is removed from outside, by a descriptor that leads there. */
static int
enter_jail(int unused)
{
	int tmp = open("/tmp", O_PATH | O_DIRECTORY), err;
	char name[] = "ringbell-hostile-XXXXXX", path[64];

	snprintf(path, sizeof(path), "/tmp/%s", name);
	err = tmp < 0 || mkdtemp(path) == NULL || chroot(path) != 0 || chdir("/") != 0 ? errno
										       : unused;
	unlinkat(tmp, path + strlen("/tmp/"), AT_REMOVEDIR);
	close(tmp);
	return err;
}

static int
drop_rights(int id)
{
	if (setgroups(0, NULL) != 0 || setgid((gid_t)id) != 0 || setuid((uid_t)id) != 0)
		return errno;
	return 0;
}

static int
limit(int which)
{
	rlim_t least = which == RLIMIT_STACK ? 256 << 10 : which == RLIMIT_NOFILE ? 3 : 0;
	struct rlimit r = {least, least};

	return setrlimit((__rlimit_resource_t)which, &r) == 0 ? 0 : errno;
}

/* It gets no new rights and no large pages, adopts orphans, and cannot be dumped. */
static int
change_process(int on)
{
	const int options[] = {PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE, PR_SET_CHILD_SUBREAPER};
	int i, err = prctl(PR_SET_NAME, "a) R (b") | prctl(PR_SET_DUMPABLE, 0);

	for (i = 0; i < 3; i++)
		err |= prctl(options[i], (long)on, 0L, 0L, 0L);
	return err == 0 ? 0 : errno;
}

static int
change_many(int unused)
{
	umask(0777);
	setsid();
	setpriority(PRIO_PROCESS, 0, 19);
	clearenv();
	return unused;
}

static int
use_one_cpu(int policy)
{
	struct sched_param p = {0};
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	return sched_setaffinity(0, sizeof(one), &one) == 0 &&
			       sched_setscheduler(0, policy, &p) == 0
		       ? 0
		       : errno;
}

static int
lock_memory(int flags)
{
	return mlockall(flags) == 0 ? 0 : errno;
}

static int
leave_namespace(int flags)
{
	return unshare(flags) == 0 ? 0 : errno;
}

/* The same program once more, with other addresses and a library of its own choice. */
static int
run_again(int persona)
{
	if (getenv("HOSTILE_AGAIN") != NULL)
		return 0;
	setenv("HOSTILE_AGAIN", "1", 1);
	setenv("LD_PRELOAD", getenv("HOSTILE_PRELOAD"), 1);
	setenv("REFUSE_FILES", "1", 1);
	if (personality((unsigned long)persona) < 0)
		return errno;
	execv("/proc/self/exe", words);
	return errno;
}

/* Only children of this process, and what it becomes, are in the name space. */
static int
jump_monotonic(int seconds)
{
	char text[64];
	int fd, len = snprintf(text, sizeof(text), "monotonic %d 0\n", seconds);

	if (getenv("HOSTILE_AGAIN") != NULL)
		return 0;
	if (unshare(CLONE_NEWTIME) != 0)
		return errno;
	fd = open("/proc/self/timens_offsets", O_WRONLY);
	if (fd < 0 || write(fd, text, (size_t)len) != len)
		return errno;
	close(fd);
	return run_again(0);
}

static int
jump_clock(int seconds)
{
	clock_offset = seconds;
	return 0;
}

static int
use_locale(int category)
{
	return setlocale(category, "de_DE.UTF-8") != NULL ? 0 : ENOENT;
}

static int
trap_floats(int round)
{
	feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
	return fesetround(round);
}

static int
fill_freed(int byte)
{
	mallopt(M_PERTURB, byte);
	mallopt(M_MMAP_THRESHOLD, 64);
	return malloc_trim(0), 0;
}

static int
load_and_close(int flags)
{
	Dl_info library;
	void *more;

	if (dladdr((void *)(uintptr_t)shmem_barrier_all, &library) == 0)
		return ENOENT;
	more = dlopen(library.dli_fname, flags);
	if (more == NULL || dlclose(more) != 0)
		say_wrong("%s", dlerror());
	more = dlopen("libutil.so.1", flags);
	return more == NULL || dlclose(more) != 0 ? ENOENT : 0;
}

static int
start_copy(int flags)
{
	Dl_info library;
	void *copy = dladdr((void *)(uintptr_t)shmem_barrier_all, &library) == 0
			     ? NULL
			     : dlmopen(LM_ID_NEWLM, library.dli_fname, flags);
	void (*init)(void);

	if (copy == NULL)
		return ENOENT;
	*(void **)&init = dlsym(copy, "shmem_init");
	init();
	return 0;
}

static int
take_stack(int kib)
{
	stack_size = (size_t)kib << 10;
	return 0;
}

#define WORKS              \
	{                  \
		"", "", "" \
	}

/* clang-format off */
const struct action actions[] = {
	{"nothing", jump_clock, 0, WORKS},
	{"close all", close_all, 3, {"", NULL, NULL}},
	{"close all and the standard ones", close_all, 0, {NULL, "", ""}},
	{"close standard input", close_output, 0, {"", NULL, NULL}},
	{"close standard output", close_output, 1, WORKS},
	{"close standard errors", close_output, 2, WORKS},
	{"standard output is full", fill_output, 1, WORKS},
	{"all numbers are a file", reuse_for_file, 3, WORKS},
	{"all numbers are sockets", reuse_for_sockets, 3, WORKS},
	{"all descriptors are in use", exhaust_descriptors, 0, {"Too many open files", "", ""}},
	{"folder removed", lose_folder, 0, WORKS},
	{"chroot", enter_jail, 0, {"/proc is not mounted here", "", ""}},
	{"setuid", drop_rights, NOBODY, {"has changed its user", "", ""}},
	{"no more descriptors", limit, RLIMIT_NOFILE, {"Too many open files", "", ""}},
	{"no file may grow", limit, RLIMIT_FSIZE, {"ulimit -f", "", NULL}},
	{"no more processes", limit, RLIMIT_NPROC, {"", NULL, NULL}},
	{"no address space", limit, RLIMIT_AS, {"Cannot allocate memory", "", NULL}},
	{"no data", limit, RLIMIT_DATA, {"ulimit -d 0", "", NULL}},
	{"no locked memory", limit, RLIMIT_MEMLOCK, {"", NULL, NULL}},
	{"little stack allowed", limit, RLIMIT_STACK, {"", NULL, NULL}},
	{"odd name, no new rights, no dump, no large pages", change_process, 1, WORKS},
	{"session, mask and environment", change_many, 0, {"environment", "", ""}},
	{"batch on one CPU", use_one_cpu, SCHED_BATCH, WORKS},
	{"memory locked", lock_memory, MCL_CURRENT | MCL_FUTURE, WORKS},
	{"unshare files", leave_namespace, CLONE_FS | CLONE_FILES | CLONE_SYSVSEM, WORKS},
	{"unshare mounts, network and IPC", leave_namespace, CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC, WORKS},
	{"unshare processes", leave_namespace, CLONE_NEWPID, {"cannot start a thread", "", ""}},
	{"unshare users", leave_namespace, CLONE_NEWUSER, {"another PID or user namespace", NULL, NULL}},
	{"exec with a preload that closes all", run_again, ADDR_NO_RANDOMIZE, {"", NULL, NULL}},
	{"monotonic clock of a day ago", jump_monotonic, -1, {"", NULL, NULL}},
	{"monotonic clock of a year on", jump_monotonic, 365 * 86400, {"", NULL, NULL}},
	{"clock forward", jump_clock, 1 << 30, WORKS},
	{"clock back", jump_clock, -(1 << 30), {NULL, "", NULL}},
	{"commas in numbers", use_locale, LC_ALL, WORKS},
	{"floats trap", trap_floats, FE_UPWARD, WORKS},
	{"freed memory is filled", fill_freed, 0xa5, {"", NULL, NULL}},
	{"dlopen and dlclose", load_and_close, RTLD_NOW, WORKS},
	{"dlopen, own names first", load_and_close, RTLD_NOW | RTLD_DEEPBIND, {NULL, "", NULL}},
	{"dlmopen, and another shmem_init", start_copy, RTLD_NOW, {"dlmopen", "dlmopen", "dlmopen"}},
	{"stack of 64 KiB", take_stack, 64, WORKS},
	{"stack of 4 GiB", take_stack, 4 << 20, WORKS},
	{"child exits", fork_child, 5, WORKS},
	{"child calls the library", fork_caller, 0, {"another process|called outside", "says forked", "says forked"}},
	{"vfork, posix_spawn, system, popen", start_others, 2, WORKS},
	{"daemon", become_daemon, 2, {"", "no shmem_finalize", ""}},
	{"children ignored", ignore_children, 0, WORKS},
	{"all children awaited", ignore_children, 1, {NULL, "", NULL}},
	{"jumps out of all handlers", jump_from_handlers, 0, WORKS},
	{"the same on another stack", jump_from_handlers, SA_ONSTACK | SA_NODEFER, {NULL, "", NULL}},
	{"a signal every 200 us", interrupt_often, 200, WORKS},
	{"signals blocked and ignored", block_signals, SIG_SETMASK, WORKS},
	{"a thread", start_thread, 'k', {"", NULL, NULL}},
	{"a thread that blocks signals", start_thread, 'd', {"start it after shmem_init", "", ""}},
	{"a thread that is not known", start_thread, 'u', WORKS},
	{"fork in exit", fork_in_exit, 0, WORKS},
	{"fork in exit, and a call", fork_in_exit, 1, {"says goes on", "says goes on", "says goes on"}},
	{"_exit", end_process, 0, {NULL, "no shmem_finalize", NULL}},
	{"exit", end_process, -5, {"with status 5", "with status 5", "with status 5"}},
	{"quick_exit", end_process, -1, {NULL, "no shmem_finalize", NULL}},
	{"abort", end_process, SIGABRT, {"signal 6", "signal 6", "signal 6"}},
	{"global exit while others wait", end_job, 'w', {NULL, "status 42", NULL}},
	{"while others compute", end_job, 'c', {NULL, "status 42", NULL}},
	{"while others want a lock", end_job, 'l', {NULL, "status 42", NULL}},
	{"by all", end_job, 'a', {NULL, "status 42", NULL}},
	{NULL, NULL, 0, {NULL, NULL, NULL}},
};
/* clang-format on */
