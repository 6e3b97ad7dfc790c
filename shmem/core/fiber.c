/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "fiber.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "rb.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

/*
 * makecontext() makes the stack. The compiler's own setjmp and longjmp switch: swapcontext makes
 * a system call each time, and what the C library has may refuse a jump to another stack. Shadow
 * stacks, which Linux gives only to programs that ask for them, do not go with that.
 */
typedef void *fiber_place[5];

/* Other code runs between entry and return of a function that switches. A compiler that looks into
 * it would not know which registers and variables that changes; and a sanitizer that notes entries
 * and returns would note the one in one fiber, the other in another. */
#ifdef __clang__
/* no_sanitize_thread leaves the notes of entries and returns */
#define UNNOTED __attribute__((disable_sanitizer_instrumentation))
#define SWITCHES __attribute__((noinline, optnone)) UNNOTED
#else
#define UNNOTED __attribute__((no_sanitize_address, no_sanitize_thread))
#define SWITCHES __attribute__((noipa)) UNNOTED
#endif

enum {
	/* A collective needs some 30 KiB. A loss handler of the program may run here as well: a put
	 * in a fiber may wait in the runtime. Only pages that are touched become memory. */
	STACK = 256 * 1024
};

struct shmemi_fiber {
	fiber_place inside, outside; /* where it goes on; where its resumer does */
	void (*fn)(void *);
	void *arg;
	char *stack; /* a guard page, then STACK bytes */
	bool done, moved;
	bool keeps; /* the thread, in waits: shmemi_fiber_finish() */
#ifdef __SANITIZE_ADDRESS__
	void *fake_inside, *fake_outside;
	const void *bottom; /* of the resumer's stack */
	size_t size;
#endif
#ifdef __SANITIZE_THREAD__
	void *tsan_inside, *tsan_outside;
#endif
};

static _Thread_local struct shmemi_fiber *current; /* the innermost */

/* A sanitizer follows the switch. */
static inline UNNOTED void
before_entry(struct shmemi_fiber *f)
{
	(void)f;
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(&f->fake_outside, f->stack + getpagesize(), STACK);
#endif
#ifdef __SANITIZE_THREAD__
	f->tsan_outside = __tsan_get_current_fiber();
	__tsan_switch_to_fiber(f->tsan_inside, 0);
#endif
}

static inline UNNOTED void
after_entry(struct shmemi_fiber *f)
{
	(void)f;
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(f->fake_inside, &f->bottom, &f->size);
#endif
}

static inline UNNOTED void
before_exit(struct shmemi_fiber *f)
{
	(void)f;
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(&f->fake_inside, f->bottom, f->size);
#endif
#ifdef __SANITIZE_THREAD__
	__tsan_switch_to_fiber(f->tsan_outside, 0);
#endif
}

static inline UNNOTED void
after_exit(struct shmemi_fiber *f)
{
	(void)f;
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(f->fake_outside, NULL, NULL);
#endif
}

/* The function that has set the place must not jump to it itself. */
static SWITCHES __attribute__((noreturn)) void
go_to(fiber_place place)
{
	__builtin_longjmp(place, 1);
}

static SWITCHES void
leave_fiber(struct shmemi_fiber *f)
{
	if (__builtin_setjmp(f->inside) == 0) {
		before_exit(f);
		go_to(f->outside);
	}
	after_entry(f);
}

static SWITCHES void
enter_fiber(struct shmemi_fiber *f)
{
	if (__builtin_setjmp(f->outside) == 0) {
		before_entry(f);
		go_to(f->inside);
	}
	after_exit(f);
}

/* The arguments of such a function are ints. */
static UNNOTED void
run_fiber(unsigned int high, unsigned int low)
{
	struct shmemi_fiber *f =
		(struct shmemi_fiber *)(uintptr_t)((uint64_t)high << 32 | (uint64_t)low);

	after_entry(f);
	for (;;) {
		leave_fiber(f);
		f->fn(f->arg);
		f->done = true;
	}
}

/* Run it up to its first leave_fiber(). @return whether that has worked */
static SWITCHES bool
start_fiber(struct shmemi_fiber *fiber)
{
	struct shmemi_fiber *volatile f = fiber; /* lives on behind the second returns */
	volatile bool begun = true;
	uint64_t self = (uint64_t)(uintptr_t)fiber;
	ucontext_t to;

	if (getcontext(&to) != 0)
		return false;
	to.uc_stack.ss_sp = f->stack + getpagesize();
	to.uc_stack.ss_size = STACK;
	to.uc_link = NULL;
	makecontext(&to, (void (*)(void))run_fiber, 2, (unsigned int)(self >> 32),
		    (unsigned int)self);
	if (__builtin_setjmp(f->outside) == 0) {
		before_entry(f);
		setcontext(&to);
		begun = false; /* it returns where it has failed, and only there */
	}
	after_exit(f);
	return begun;
}

static void *
map_stack(void)
{
	size_t page = (size_t)getpagesize();
	char *stack = mmap(NULL, page + STACK, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);

	if (stack == MAP_FAILED)
		return NULL;
	/* fails where the process has as many mappings as it may: then nothing would stop a
	 * function that needs more stack from writing elsewhere */
	if (mprotect(stack, page, PROT_NONE) == 0)
		return stack;
	munmap(stack, page + STACK);
	return NULL;
}

struct shmemi_fiber *
shmemi_fiber_new(void)
{
	struct shmemi_fiber *f = calloc(1, sizeof(*f));

	if (f == NULL)
		return NULL;
	f->stack = map_stack();
	if (f->stack == NULL) {
		free(f);
		return NULL;
	}
#ifdef __SANITIZE_THREAD__
	f->tsan_inside = __tsan_create_fiber(0);
#endif
	if (start_fiber(f))
		return f;
	shmemi_fiber_free(f);
	return NULL;
}

void
shmemi_fiber_free(struct shmemi_fiber *f)
{
	if (f == NULL)
		return;
#ifdef __SANITIZE_THREAD__
	__tsan_destroy_fiber(f->tsan_inside);
#endif
	munmap(f->stack, (size_t)getpagesize() + STACK);
	free(f);
}

bool
shmemi_fiber_begin(struct shmemi_fiber *f, void (*fn)(void *), void *arg)
{
	f->fn = fn;
	f->arg = arg;
	f->done = false;
	return shmemi_fiber_resume(f);
}

/* A fiber that keeps the thread may resume others in its waits, and is in the same thread after it.
 */
static bool
run_on(struct shmemi_fiber *f, bool keeps)
{
	struct shmemi_fiber *before = current;

	f->keeps = keeps;
	atomic_fetch_add_explicit(&rb_wait_leavers, 1, memory_order_relaxed);
	current = f;
	enter_fiber(f);
	current = before;
	atomic_fetch_sub_explicit(&rb_wait_leavers, 1, memory_order_relaxed);
	return f->done;
}

bool
shmemi_fiber_resume(struct shmemi_fiber *f)
{
	return run_on(f, false);
}

void
shmemi_fiber_finish(struct shmemi_fiber *f)
{
	(void)run_on(f, true);
}

bool
shmemi_fiber_moved(struct shmemi_fiber *f)
{
	bool moved = f->moved || f->done;

	f->moved = false;
	return moved;
}

bool
shmemi_fiber_inside(void)
{
	return current != NULL;
}

bool
shmemi_fiber_leaves(void)
{
	return current != NULL && !current->keeps;
}

bool
shmemi_fiber_wait(struct rb_wait *w)
{
	struct shmemi_fiber *f = current;

	if (f == NULL || f->keeps)
		return false;
	/* the first turn of a wait: the one before it has ended */
	if (w->slow++ == 0)
		f->moved = true;
	leave_fiber(f); /* from here on, it may be another thread */
	return true;
}
