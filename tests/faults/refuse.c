/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Preloaded: one call of the library, in one PE, gets no memory. REFUSE=PE:CALL:N, the N-th call of
 * that name by libshmem, counted from 1. Says so on stderr when it happens.
 */
#include <dlfcn.h>
#include <errno.h>
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

static uintptr_t first, last; /* code of the library */
static char call[32];
static long at;
static _Atomic long count;

static int
find_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	int i;

	(void)size;
	(void)arg;
	for (i = 0; i < info->dlpi_phnum && strstr(info->dlpi_name, "libshmem.so") != NULL; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || (p->p_flags & PF_X) == 0)
			continue;
		first = info->dlpi_addr + p->p_vaddr;
		last = first + p->p_memsz;
	}
	return 0;
}

__attribute__((constructor)) static void
read_wish(void)
{
	const char *wish = getenv("REFUSE"), *pe = getenv("RINGBELL_PE");
	int whose;

	if (wish == NULL || pe == NULL ||
	    sscanf(wish, "%d:%31[a-z_]:%ld", &whose, call, &at) != 3 || whose != atoi(pe))
		at = 0;
	else
		dl_iterate_phdr(find_library, NULL);
}

static bool
refused(const char *name, const void *caller)
{
	char line[80];
	int len;

	if (at == 0 || (uintptr_t)caller < first || (uintptr_t)caller >= last ||
	    strcmp(name, call) != 0 ||
	    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) + 1 != at)
		return false;
	len = snprintf(line, sizeof(line), "oshrun: fault: %s %ld is refused\n", name, at);
	if (write(STDERR_FILENO, line, (size_t)len) < 0)
		_exit(125);
	errno = ENOMEM;
	return true;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

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
