/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef OWN_DATA_H
#define OWN_DATA_H

/** @file Does a child of fork() have static data of its own? */

#include <sys/wait.h>
#include <unistd.h>

enum own_data {
	OWN_DATA = 0,
	SHARED = 3, /**< the child's store has arrived here */
	NO_CHILD = 4,
	CHILD_LIMIT_S = 20
};

/** Fork a child that stores into @p number, which is 0, and ends. */
static inline enum own_data
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

#endif /* OWN_DATA_H */
