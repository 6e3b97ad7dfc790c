/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dlfcn.h>
#include <pthread.h>

#include "space.h"
#include "token.h"

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
