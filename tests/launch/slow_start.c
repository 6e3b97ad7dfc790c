/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Preloaded into oshrun. SLOW_FORK_MS: each PE starts so many ms later than the one before it, as
 * on a machine with far more PEs than CPUs. STUCK_PE: this one never gets to run its program, as
 * where a file system does not answer. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ISO C has no cast from a data pointer to a function; POSIX, dlsym(), has both of a size. */
static void
find(const char *name, void *ret_function)
{
	void *at = dlsym(RTLD_NEXT, name);

	memcpy(ret_function, &at, sizeof(at));
}

pid_t
fork(void)
{
	pid_t (*next)(void);
	const char *ms = getenv("SLOW_FORK_MS");
	static int forks;

	find("fork", &next);
	if (forks++ > 0 && ms != NULL)
		usleep(1000 * (unsigned int)atoi(ms));
	return next();
}

#undef execvp /* of tools/coverage.h */
int
execvp(const char *file, char *const argv[])
{
	int (*next)(const char *, char *const[]);
	const char *pe = getenv("RINGBELL_PE"), *stuck = getenv("STUCK_PE");

	find("execvp", &next);
	while (pe != NULL && stuck != NULL && strcmp(pe, stuck) == 0)
		pause();
	return next(file, argv);
}
