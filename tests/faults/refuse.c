/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Preloaded: one call of the library, in one PE, gets no memory. REFUSE=PE:CALL:N, the N-th call of
 * that name by libshmem, counted from 1. With "any" for CALL, the N-th of all calls, by whatever
 * code but the program's own; with "place", of those that have not had this backtrace before. Says
 * so on stderr when it happens, else at the end how many calls there were. With REFUSE_FILES
 * its constructor closes all descriptors but the standard ones.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uintptr_t first, last; /* code of the library; with "any" and "place", of the program */
static bool any, place;
static char call[32];
static long at;
static _Atomic long count;

static int
find_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	int i;

	(void)size;
	(void)arg;
	/* the program comes first, and has no name */
	if (any ? first != 0 : strstr(info->dlpi_name, "libshmem.so") == NULL)
		return 0;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || (p->p_flags & PF_X) == 0)
			continue;
		first = info->dlpi_addr + p->p_vaddr;
		last = first + p->p_memsz;
	}
	return 0;
}

static bool
is_new(void)
{
	enum {
		DEPTH = 12,
		PLACES = 1 << 16,
	};
	static uint64_t known[PLACES];
	static __thread bool inside;
	void *frame[DEPTH];
	uint64_t hash = 1;
	int i;

	if (inside)
		return false;
	inside = true;
	for (i = backtrace(frame, DEPTH) - 1; i >= 0; i--)
		hash = (hash ^ (uintptr_t)frame[i]) * 1099511628211ull;
	inside = false;
	for (i = hash % PLACES; known[i] != 0; i = (i + 1) % PLACES)
		if (known[i] == hash)
			return false;
	known[i] = hash;
	return true;
}

__attribute__((constructor)) static void
read_wish(void)
{
	const char *wish = getenv("REFUSE"), *pe = getenv("RINGBELL_PE");
	int whose;

	if (getenv("REFUSE_FILES") != NULL)
		close_range(3, ~0u, 0);
	if (wish == NULL || pe == NULL ||
	    sscanf(wish, "%d:%31[a-z_]:%ld", &whose, call, &at) != 3 || whose != atoi(pe))
		at = 0;
	place = at != 0 && strcmp(call, "place") == 0;
	any = place || (at != 0 && strcmp(call, "any") == 0);
	if (place)
		is_new(); /* loads the unwinder */
	if (at != 0)
		dl_iterate_phdr(find_library, NULL);
}

__attribute__((destructor)) static void
say_count(void)
{
	if (any && count < at)
		fprintf(stderr, "refuse: %ld calls\n", count);
}

static bool
is_asked(const char *name, uintptr_t caller)
{
	bool inside = caller >= first && caller < last;

	if (any)
		return !inside && (!place || is_new());
	return at != 0 && inside && strcmp(name, call) == 0;
}

static bool
refused(const char *name, const void *caller)
{
	const char *object = "";
	char line[160];
	Dl_info info;
	int len;

	if (!is_asked(name, (uintptr_t)caller) ||
	    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) + 1 != at)
		return false;
	if (dladdr(caller, &info) != 0 && strrchr(info.dli_fname, '/') != NULL)
		object = strrchr(info.dli_fname, '/') + 1;
	len = snprintf(line, sizeof(line), "oshrun: fault: %s %ld is refused to %s\n", name, at,
		       object);
	if (write(STDERR_FILENO, line, (size_t)len) < 0)
		_exit(125);
	errno = ENOMEM;
	return true;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);

__attribute__((visibility("default"))) void *
malloc(size_t size)
{
	return refused("malloc", __builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *
calloc(size_t n, size_t size)
{
	return refused("calloc", __builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *
realloc(void *p, size_t size)
{
	return refused("realloc", __builtin_return_address(0)) ? NULL : __libc_realloc(p, size);
}

__attribute__((visibility("default"))) void *
mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	if (refused("mmap", __builtin_return_address(0)))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, off);
}

__attribute__((visibility("default"))) int
posix_memalign(void **ret, size_t align, size_t size)
{
	if (refused("posix_memalign", __builtin_return_address(0)))
		return ENOMEM;
	*ret = __libc_memalign(align, size);
	return *ret == NULL ? ENOMEM : 0;
}

__attribute__((visibility("default"))) int
memfd_create(const char *name, unsigned int flags)
{
	return refused("memfd_create", __builtin_return_address(0))
		       ? -1
		       : (int)syscall(SYS_memfd_create, name, flags);
}

__attribute__((visibility("default"))) int
fallocate(int fd, int mode, off_t off, off_t len)
{
	return refused("fallocate", __builtin_return_address(0))
		       ? -1
		       : (int)syscall(SYS_fallocate, fd, mode, off, len);
}

__attribute__((visibility("default"))) int
ftruncate(int fd, off_t len)
{
	return refused("ftruncate", __builtin_return_address(0))
		       ? -1
		       : (int)syscall(SYS_ftruncate, fd, len);
}

__attribute__((visibility("default"))) int
pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *), void *arg)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (refused("pthread_create", __builtin_return_address(0)))
		return EAGAIN;
	*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
	return next(thread, attr, fn, arg);
}
