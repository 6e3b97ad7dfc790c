/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/fork.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/thread.h"
#include "base/state.h"
#include "mem/fastpath.h"
#include "mem/layout.h"

/*
 * The static data of a PE lies in memory that other PEs map, so fork() alone would have child and
 * parent share it: a setenv() in the child moves the parent's environ. A private mapping of the
 * file in the child would not do, since it shows what the parent stores later, up to the child's
 * own first store to a page. So the data is copied before the fork, and the copy takes the place of
 * the shared memory in the child. After that the kernel does what it always does.
 *
 * Only pages that have memory are copied: a large array costs what was used of it. A program that
 * cannot afford the copy can use posix_spawn(), system(), popen() or vfork(). They run no handlers,
 * and none of them lets a child go on with its parent's data.
 *
 * These handlers are registered first. So they run last in the parent, and in the child they run
 * before the program's handlers, which may change static data. They use no lock and no allocator: a
 * thread that does not exist in the child may hold it.
 */

static void (*told)(void); /* the part above the runtime; NULL: none */
static bool moved;	   /* open; static data is in rb_mem.data_file */

/* The copy, from before fork() until the child has it. One for each thread, because several may
 * fork at once. */
static __thread uint8_t *copy;

/* Copies by words, without instrumentation: a sanitizer would object to the red zones between
 * variables, which are copied too. */
typedef volatile uint64_t __attribute__((may_alias)) any_word;

__attribute__((no_sanitize_address, no_sanitize_thread)) static void
copy_words(size_t from, size_t to)
{
	const any_word *src = (const any_word *)(rb_mem.data + from);
	any_word *dst = (any_word *)(copy + from);
	size_t i;

	for (i = 0; i < (to - from) / sizeof(*src); i++)
		dst[i] = src[i];
}

static void
copy_data(void)
{
	off_t base = (off_t)(rb_mem.data_off + (unsigned int)rb.local * rb_mem.data_size);
	off_t end = base + (off_t)rb_mem.data_size, at = base, hole;

	if (!rb_file_ours(&rb_mem.data_file)) {
		copy_words(0, rb_mem.data_size);
		return;
	}
	while (at < end) {
		at = lseek(rb_mem.data_file.fd, at, SEEK_DATA);
		if (at < 0 || at >= end)
			break;
		hole = lseek(rb_mem.data_file.fd, at, SEEK_HOLE);
		if (hole < 0 || hole > end)
			hole = end;
		copy_words((size_t)(at - base), (size_t)(hole - base));
		at = hole;
	}
}

static void
before_fork(void)
{
	int err = errno;

	copy = NULL;
	if (!moved || rb_process_marked())
		return;
	copy = mmap(NULL, rb_mem.data_size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (copy != MAP_FAILED)
		copy_data();
	errno = err;
}

static void
in_parent(void)
{
	if (copy != NULL && copy != MAP_FAILED)
		munmap(copy, rb_mem.data_size);
}

static void
in_child(void)
{
	static const char words[] =
		"ringbell: no memory for a forked child's copy of the static data: use "
		"posix_spawn()\n";

	if (!rb_process_mark())
		return;
	rb_fast_hide();
	if (told != NULL)
		told();
	if (copy == NULL)
		return;
	if (copy == MAP_FAILED ||
	    mremap(copy, rb_mem.data_size, rb_mem.data_size, MREMAP_MAYMOVE | MREMAP_FIXED,
		   rb_mem.data) == MAP_FAILED) {
		ssize_t n = write(STDERR_FILENO, words, sizeof(words) - 1);

		(void)n;
		_exit(EXIT_FAILURE);
	}
}

/* What pthread_atfork() calls with the handle of the object that it is linked into (Linux Standard
 * Base, Core). exit() drops the handlers of an object when it finalizes that object, but other
 * threads may still fork then. Handlers without an object stay, and dlclose() must not unload the
 * library that has them (shmem/meson.build). */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
		      void *object);

/* Runs before the program's own constructors, so that their handlers are registered after these.
 * The only possible failure is a lack of memory; rb_fork_data_moved() reports it. */
static bool registered;

__attribute__((constructor)) static void
register_handlers(void)
{
	registered = __register_atfork(before_fork, in_parent, in_child, NULL) == 0;
}

void
rb_fork_in_child(void (*in_child_of_caller)(void))
{
	told = in_child_of_caller;
}

int
rb_fork_data_moved(void)
{
	if (rb_mem.data_shared == NULL || rb_mem.data_size == 0)
		return 0;
	if (!registered)
		return rb_fail(-ENOMEM, "no memory for the handlers of fork()");
	moved = true;
	return 0;
}
