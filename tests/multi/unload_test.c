/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A program that loads the library at run time and closes it after its finalize: the handlers of
 * fork() are still there, and the next child has static data of its own.
 *
 * Usage: unload_test LIBRARY
 */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum own_data {
	OWN_DATA = 0,
	SHARED = 3, /* the child's store has arrived here */
	NO_CHILD = 4,
	NO_LIBRARY = 5,
	CHILD_LIMIT_S = 20
};

/** Fork a child that stores into @p number, which is 0, and ends. */
static enum own_data
try_child(volatile long *number)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		*number = -1;
		_exit(0);
	}
	/* the signal ends this process where the child does not end */
	alarm(CHILD_LIMIT_S);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		return NO_CHILD;
	return *number == 0 ? OWN_DATA : SHARED;
}

static long number;

static int
call(void *lib, const char *name)
{
	void (*fn)(void);

	*(void **)&fn = dlsym(lib, name);
	if (fn == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return -1;
	}
	fn();
	return 0;
}

int
main(int argc, char **argv)
{
	void *lib = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;

	if (lib == NULL || call(lib, "shmem_init") != 0 || call(lib, "shmem_barrier_all") != 0 ||
	    call(lib, "shmem_finalize") != 0 || dlclose(lib) != 0)
		return NO_LIBRARY;
	return try_child(&number);
}
