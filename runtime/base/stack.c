/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/stack.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

#include <rte_common.h>

#include "base/error.h"

/*
 * The C library places static thread-local data in the thread's stack. A large threadprivate array
 * of a program leaves little of the usual 8 MiB, and nothing of a small stack: then
 * pthread_create() fails, or the thread overruns its stack.
 */
enum {
	ROOM = 1024 * 1024, /* need of a thread of DPDK or of the runtime, without that data */
};

static int
add_tls(struct dl_phdr_info *info, size_t size, void *arg)
{
	size_t *sum = arg;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			*sum += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
	return 0;
}

size_t
rb_stack_size(size_t room)
{
	size_t page = 4096, size = room;

	dl_iterate_phdr(add_tls, &size);
	return RTE_ALIGN_CEIL(size, page);
}

int
rb_stack_default(void)
{
	size_t want = rb_stack_size(ROOM), have = 0;
	pthread_attr_t attr;
	int err = pthread_getattr_default_np(&attr);

	if (err != 0)
		return rb_fail(-err, "cannot read the default stack size of threads: %s",
			       strerror(err));
	pthread_attr_getstacksize(&attr, &have);
	if (have < want) {
		err = pthread_attr_setstacksize(&attr, want);
		if (err == 0)
			err = pthread_setattr_default_np(&attr);
	}
	pthread_attr_destroy(&attr);
	if (err != 0)
		return rb_fail(-err, "cannot give threads a stack of %zu bytes: %s", want,
			       strerror(err));
	return 0;
}
