/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "raw.h"
#include "token.h"

/*
 * Each system call of a simulated thread becomes a signal (Syscall User Dispatch of Linux 5.11),
 * also those inside the C library and DPDK: no list of functions can miss one. The calls of this
 * library come from the few instructions below, which the kernel lets through.
 */
__asm__(".text\n"
	".globl dst_raw_begin\n"
	"dst_raw_begin:\n"
	".globl dst_raw\n"
	"dst_raw:\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	mov %rdx, %rsi\n"
	"	mov %rcx, %rdx\n"
	"	mov %r8, %r10\n"
	"	mov %r9, %r8\n"
	"	mov 8(%rsp), %r9\n"
	"	syscall\n"
	"	ret\n"
	".globl dst_restore\n"
	"dst_restore:\n"
	"	mov $15, %eax\n" /* rt_sigreturn */
	"	syscall\n"
	"	nop\n" /* the kernel looks where the call returns to */
	".globl dst_raw_end\n"
	"dst_raw_end:\n");

static __thread char selector __attribute__((tls_model("initial-exec")));
static int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static void
on_trap(int sig, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
	const long a[] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};

	(void)sig;
	r[REG_RAX] = dst_call(info->si_syscall, a, context);
}

void
dst_trap_on(void)
{
	uint64_t unblock = 1ull << (SIGSYS - 1);

	RAW4(SYS_rt_sigprocmask, SIG_UNBLOCK, &unblock, 0, 8);
	RAW4(SYS_rt_sigprocmask, SIG_BLOCK, 0, &dst_self->blocked, 8);
	selector = SYSCALL_DISPATCH_FILTER_BLOCK;
	RAW6(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, dst_raw_begin,
	     dst_raw_end - dst_raw_begin, &selector, 0);
}

struct start {
	void *(*fn)(void *);
	void *arg;
	struct slot *slot;
};

static void *
begin_thread(void *arg)
{
	struct start s = *(struct start *)arg;

	dst_enter(s.slot);
	free(arg);
	return s.fn(s.arg);
}

/* The new thread begins without traps, so the C library makes it without them too. */
int
pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *), void *arg)
{
	struct start *s;
	int ret;

	if (real_create == NULL)
		real_create = dlsym(RTLD_NEXT, "pthread_create");
	if (dst_self == NULL)
		return real_create(thread, attr, fn, arg);
	s = malloc(sizeof(*s));
	*s = (struct start){fn, arg, dst_slot_new(dst_self)};
	selector = SYSCALL_DISPATCH_FILTER_ALLOW;
	ret = real_create(thread, attr, begin_thread, s);
	selector = SYSCALL_DISPATCH_FILTER_BLOCK;
	if (ret != 0)
		s->slot->state = SLOT_DEAD;
	return ret;
}

__attribute__((constructor)) static void
start(void)
{
	struct raw_action act = {.handler = (void (*)(int))(void *)on_trap,
				 .flags = SA_SIGINFO | SA_NODEFER | 0x04000000, /* SA_RESTORER */
				 .restorer = dst_restore};
	const char *path = getenv(DST_ENV);
	struct slot *s;
	int fd;

	fd = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (mmap(DST_AT, sizeof(struct seg), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0) != DST_AT)
		abort();
	if (DST_AT->log_size != 0)
		mmap(DST_LOG_AT, DST_AT->log_size * sizeof(struct dst_record),
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, DST_LOG_OFFSET);
	close(fd);
	/* what exec() starts still has the token */
	s = &DST_AT->slot[DST_AT->running];
	if (s->pid != (int)RAW0(SYS_getpid))
		return;
	s->tid = (int)RAW0(SYS_gettid);
	real_create = dlsym(RTLD_NEXT, "pthread_create");
	RAW4(SYS_rt_sigaction, SIGSYS, &act, 0, 8);
	if (getenv("RINGBELL_PE") != NULL)
		s->pe = atoi(getenv("RINGBELL_PE"));
	if (getenv("RINGBELL_HOST_ID") != NULL)
		s->host = atoi(getenv("RINGBELL_HOST_ID")) % DST_HOSTS;
	dst_self = s;
	dst_bury(s->pid, s);
	dst_trap_on();
}
