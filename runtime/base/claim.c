/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/claim.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <rte_common.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/thread.h"

/*
 * oshrun gives all PEs a file with a word for each. A script that starts a program twice has two
 * processes with the same variables and descriptors: the first one that stores its process id is
 * the PE. The words order nothing, they only decide: relaxed.
 */

static int
claim_word(_Atomic uint32_t *word)
{
	static bool claimed; /* a second attempt of this copy of the library */
	uint32_t mine = (uint32_t)getpid(), was = 0;

	if (atomic_compare_exchange_strong_explicit(word, &was, mine, memory_order_relaxed,
						    memory_order_relaxed) ||
	    (was == mine && claimed)) {
		claimed = true;
		return 0;
	}
	if (was == mine)
		return rb_fail(-EBUSY, "another copy of the library, by dlmopen() or before an "
				       "exec, is this PE already: load the library once");
	return rb_fail(-EBUSY, "this PE is another process already: oshrun starts one OpenSHMEM "
			       "program for each PE; start a second one by an oshrun of its own");
}

static uint64_t
space_here(void)
{
	static const char *const names[] = {"/proc/self/ns/pid", "/proc/self/ns/user"};
	uint64_t h = RB_HASH_START;
	struct stat st;
	size_t i;

	for (i = 0; i < RTE_DIM(names); i++)
		if (stat(names[i], &st) == 0)
			h = rb_hash(h, &st.st_ino, sizeof(st.st_ino));
	return h;
}

/* Process ids mean the same to all PEs: they open each other's files by them, where the kernel lets
 * them, as it does within one user namespace. */
static int
check_space(_Atomic uint64_t *word)
{
	uint64_t was = 0, here = space_here();

	if (atomic_compare_exchange_strong_explicit(word, &was, here, memory_order_relaxed,
						    memory_order_relaxed) ||
	    was == here)
		return 0;
	return rb_fail(-EXDEV, "this PE has another PID or user namespace than the first one, so "
			       "they cannot find each other's memory: put all PEs, or oshrun, in "
			       "one namespace or container");
}

int
rb_claim(int fd, int pe, int pes)
{
	struct rb_claims *claims;
	int ret = 0;

	if (fd < 0)
		return 0;
	claims = mmap(NULL, sizeof(*claims), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (claims == MAP_FAILED)
		return rb_fail(-errno, "the file of RINGBELL_CLAIM, %d: %s", fd, strerror(errno));
	if (pes > 1)
		ret = check_space(&claims->space);
	if (ret == 0)
		ret = claim_word(&claims->pid[pe]);
	munmap(claims, sizeof(*claims));
	return ret;
}

static const char variable[] = "RINGBELL_RANK_TAKEN";

/* "PID RANK NAMESPACE": a launcher within the job has a namespace of its own. */
static void
name_rank(char *s, size_t len, int pid)
{
	const char *space = getenv("PMIX_NAMESPACE"), *rank = getenv("PMIX_RANK");

	snprintf(s, len, "%d %s %s", pid, rank == NULL ? "" : rank, space == NULL ? "" : space);
}

/*
 * A PMIx launcher gives no file in which a process could claim its rank. The process binds an
 * abstract socket instead: its name is not on disk, ends with the process, and the kernel says
 * which process and user hold it.
 */
static socklen_t
name_socket(struct sockaddr_un *name)
{
	char rank[512];
	uint64_t h;

	name_rank(rank, sizeof(rank), (int)getuid());
	h = rb_hash(RB_HASH_START, rank, strlen(rank));
	*name = (struct sockaddr_un){.sun_family = AF_UNIX};
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   (size_t)snprintf(name->sun_path + 1, sizeof(name->sun_path) - 1,
					    "ringbell-rank-%016llx", (unsigned long long)h));
}

/* The other process of this user that has bound the name; 0: none. */
static int
owner_of(const struct sockaddr_un *name, socklen_t len)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred who = {0};
	socklen_t size = sizeof(who);
	int pid = 0;

	if (fd >= 0 && connect(fd, (const struct sockaddr *)name, len) == 0 &&
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == getuid() &&
	    who.pid != getpid() && kill(who.pid, 0) == 0)
		pid = who.pid;
	if (fd >= 0)
		close(fd);
	return pid;
}

static int
take_name(void)
{
	struct sockaddr_un name;
	socklen_t len = name_socket(&name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), pid;

	/* fd stays open as long as the process lives; the backlog lets others connect without
	 * accept() */
	if (fd < 0 || (bind(fd, (struct sockaddr *)&name, len) == 0 && listen(fd, SOMAXCONN) == 0))
		return 0;
	close(fd);
	pid = owner_of(&name, len);
	return pid == 0 ? 0
			: rb_fail(-EBUSY,
				  "rank %s of this job is process %d already: a launcher starts "
				  "one OpenSHMEM program for each PE; start a second one by a "
				  "launcher of its own",
				  getenv("PMIX_RANK"), pid);
}

int
rb_claim_rank(void)
{
	char name[512];
	int ret = take_name();

	/* not beside other threads: setenv() may free a string that one of them reads */
	if (ret < 0 || rb_threads() != 1)
		return ret;
	name_rank(name, sizeof(name), (int)getpid());
	setenv(variable, name, 1);
	return 0;
}

bool
rb_claim_rank_taken(void)
{
	const char *taken = getenv(variable);
	char name[512];
	int pid = taken == NULL ? 0 : atoi(taken);

	if (pid == 0 || pid == (int)getpid())
		return false;
	name_rank(name, sizeof(name), pid);
	return strcmp(taken, name) == 0;
}
