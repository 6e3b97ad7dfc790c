/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "token.h"

/* The EAL loads each driver that it finds, a hundred of them: most of a start. Jobs need one. */
void *
dlopen(const char *path, int flags)
{
	static void *(*real)(const char *, int);

	if (real == NULL)
		real = dlsym(RTLD_NEXT, "dlopen");
	if (path != NULL && strstr(path, "/librte_") != NULL &&
	    strstr(path, "mempool_ring") == NULL)
		path = NULL;
	return real(path, flags);
}

static const char nodes[] = "/sys/devices/system/node/";

/* The EAL asks of each of 128 CPUs whether it is on one of 32 nodes, 5000 traps a host. No answer
 * is node 0. */
int
access(const char *path, int mode)
{
	if (strncmp(path, nodes, sizeof(nodes) - 1) != 0)
		return (int)syscall(SYS_access, path, mode);
	errno = ENOENT;
	return -1;
}

/* A lock that is free takes no system call: a point in front of each. */
#define POINT_AT(name)                                                   \
	int name(pthread_mutex_t *at)                                    \
	{                                                                \
		static int (*real)(pthread_mutex_t *);                   \
                                                                         \
		if (real == NULL)                                        \
			real = dlsym(RTLD_NEXT, #name);                  \
		if (dst_self != NULL)                                    \
			dst_point(DST_LOCK, dst_place((uint64_t)at), 0); \
		return real(at);                                         \
	}

POINT_AT(pthread_mutex_lock)
POINT_AT(pthread_mutex_trylock)
POINT_AT(pthread_mutex_unlock)
