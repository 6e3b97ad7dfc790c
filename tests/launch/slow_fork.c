/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Preloaded into oshrun: each PE is started so much later than the one before, as on a machine with
 * far more PEs than CPUs. SLOW_FORK_MS says how much. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pid_t
fork(void)
{
	pid_t (*next)(void);
	void *at = dlsym(RTLD_NEXT, "fork");
	const char *ms = getenv("SLOW_FORK_MS");

	/* ISO C has no cast from a data pointer to a function; POSIX, dlsym(), has both of a size.
	 */
	memcpy(&next, &at, sizeof(next));
	usleep(1000 * (unsigned int)(ms == NULL ? 0 : atoi(ms)));
	return next();
}
