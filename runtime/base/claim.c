/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/env.h"
#include "base/error.h"

/*
 * oshrun gives all PEs a file with a word for each. A script that starts a program twice has two
 * processes with the same variables and descriptors: the first one that stores its process id is
 * the PE.
 */

static int
claim_word(_Atomic uint32_t *word)
{
	uint32_t mine = (uint32_t)getpid(), was = 0;

	/* relaxed: the word orders nothing, it only decides */
	if (atomic_compare_exchange_strong_explicit(word, &was, mine, memory_order_relaxed,
						    memory_order_relaxed) ||
	    was == mine) /* a second attempt of this process */
		return 0;
	return rb_fail(-EBUSY, "this PE is another process already: oshrun starts one OpenSHMEM "
			       "program for each PE; start a second one by an oshrun of its own");
}

static int
no_file(const struct rb_env *env)
{
	return rb_fail(-errno, "RINGBELL_CLAIM=%d:%llu: %s", env->claim.fd,
		       (unsigned long long)env->claim.inode, strerror(errno));
}

int
rb_claim(const struct rb_env *env)
{
	size_t size = (size_t)env->pes * sizeof(uint32_t);
	_Atomic uint32_t *words;
	int ret;

	if (env->claim.fd < 0)
		return 0;
	if (ftruncate(env->claim.fd, (off_t)size) < 0)
		return no_file(env);
	words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, env->claim.fd, 0);
	if (words == MAP_FAILED)
		return no_file(env);
	ret = claim_word(&words[env->pe]);
	munmap((void *)words, size);
	return ret;
}
