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

#include "own_data.h"

enum {
	NO_LIBRARY = 5,
};

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
