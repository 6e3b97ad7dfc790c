/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/bootstrap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/deal.h"
#include "base/env.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/launcher_msg.h"
#include "base/rules.h"
#include "base/state.h"
#include "job/exchange.h"
#include "job/place.h"

/*
 * PEs that a launcher other than oshrun started inherit nothing in common. Each PE shares a card
 * that says where it runs. Then the first PE of each host creates the host's memory and its right
 * cable, without names as oshrun's, and shares its process id and the descriptors. The others open
 * these through /proc, as neighbours open each other's regions: the kernel allows that to the same
 * user, and nothing is left over.
 */
const struct rb_exchange *rb_exchange;

static const char key_card[] = "ringbell.card", key_files[] = "ringbell.files";

enum {
	START_S = 120 /* in which all PEs have to come, where RINGBELL_HELLO_TIMEOUT is not set */
};

/* Values that every PE publishes first. */
struct card {
	uint64_t machine; /* hash of kernel and process namespace: where it is equal, /proc/PID
			     leads to the same process */
	uint64_t nonce;	  /* PE 0's is the job's */
	uint32_t node;
	uint32_t hosts; /* RINGBELL_HOSTS; 0: not set */
};

/* Values that the first PE of a host publishes next. */
struct files {
	int32_t pid;
	struct rb_file host;  /* memory of the host's PEs */
	struct rb_file cable; /* cable between port 1 of this host and port 0 of the next one; that
				 of host 0 has all cables where each host has one chip */
};

static int
machine_id(uint64_t *ret)
{
	char boot[64] = "";
	struct stat ns;
	uint64_t inode;
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (f == NULL || fgets(boot, sizeof(boot), f) == NULL ||
	    stat("/proc/self/ns/pid", &ns) < 0) {
		int err = -errno;

		if (f != NULL)
			fclose(f);
		return rb_fail(err, "cannot identify this machine: no boot_id in /proc");
	}
	fclose(f);
	inode = ns.st_ino;
	*ret = rb_hash(rb_hash(RB_HASH_START, boot, strlen(boot)), &inode, sizeof(inode));
	return 0;
}

static int
share_card(const struct rb_env *env, struct card *mine)
{
	*mine = (struct card){.hosts = env->hosts_given ? (uint32_t)env->hosts : 0};
	if (getrandom(&mine->nonce, sizeof(mine->nonce), 0) != (ssize_t)sizeof(mine->nonce))
		return rb_fail(-EIO, "cannot draw a job id: getrandom failed");
	mine->nonce = rb_env_nonce(mine->nonce);
	if (rb_exchange->node == NULL || !rb_exchange->node(&mine->node))
		mine->node = UINT32_MAX;
	if (machine_id(&mine->machine) < 0)
		return -EIO;
	return rb_exchange->share(key_card, mine, sizeof(*mine));
}

static bool
same_node(const struct card *a, const struct card *b)
{
	return a->machine == b->machine && a->node == b->node;
}

/* One host for each node, in the order of their first PEs. */
static int
hosts_from_nodes(struct rb_env *env, const struct card *card)
{
	int first[RB_MAX_HOSTS], hosts = 0, pe, h;

	for (pe = 0; pe < env->pes; pe++) {
		for (h = 0; h < hosts && !same_node(&card[first[h]], &card[pe]); h++)
			;
		if (h == RB_MAX_HOSTS)
			return rb_fail(-EINVAL, "the job is on more than %d nodes", RB_MAX_HOSTS);
		if (h == hosts)
			first[hosts++] = pe;
		env->host_of[pe] = (uint8_t)h;
	}
	env->hosts = hosts;
	env->placed = true;
	return 0;
}

/* Read the cards of all PEs, and derive the ring from them. */
static int
read_cards(struct rb_env *env, const struct card *mine)
{
	static struct card card[RB_MAX_PES];
	bool one_machine = true;
	int pe, ret;

	for (pe = 0; pe < env->pes; pe++) {
		ret = rb_exchange->get(key_card, pe, &card[pe], sizeof(card[pe]));
		if (ret < 0)
			return ret;
		one_machine &= card[pe].machine == mine->machine;
		if (card[pe].hosts != mine->hosts)
			return rb_fail(-EINVAL,
				       "RINGBELL_HOSTS differs: %u here, %u at PE %d (0: not set)",
				       mine->hosts, card[pe].hosts, pe);
	}
	env->job = card[0].nonce;
	env->emulated = one_machine && !rb_env_names_device(env);
	env->ports = env->emulated ? RB_RING_PORTS : 0;
	if (mine->hosts == 0)
		return hosts_from_nodes(env, card);
	if (!env->emulated && mine->hosts > 1)
		return rb_fail(-EINVAL,
			       "RINGBELL_HOSTS=%u is for emulated rings, on one machine: without "
			       "it each node is a host",
			       mine->hosts);
	if (env->pes < env->hosts)
		return rb_fail(-EINVAL,
			       "RINGBELL_HOSTS=%d: the job has only %d PEs, every host "
			       "needs one",
			       env->hosts, env->pes);
	return 0;
}

static int
make_file(const char *name, struct rb_file *file)
{
	*file = rb_file_keep(memfd_create(name, MFD_CLOEXEC));
	return file->fd < 0 ? rb_fail(-errno, "cannot create a memory file: %s", strerror(errno))
			    : 0;
}

static int
make_files(const struct rb_env *env, bool lead, bool shared, struct files *mine)
{
	int ret = 0;

	*mine = (struct files){.pid = getpid(), .host.fd = -1, .cable.fd = -1};
	if (lead && shared)
		ret = make_file("ringbell-host", &mine->host);
	if (ret == 0 && lead && env->emulated && env->hosts > 1)
		ret = make_file("ringbell-cable", &mine->cable);
	return ret < 0 ? ret : rb_exchange->share(key_files, mine, sizeof(*mine));
}

static int
open_file(int pe, pid_t pid, const struct rb_file *theirs, struct rb_file *mine)
{
	int fd = rb_file_open(pid, theirs);

	*mine = rb_file_keep(fd);
	return fd >= 0 ? 0
		       : rb_fail(fd, "cannot open descriptor %d of PE %d, process %d: %s",
				 (int)theirs->fd, pe, (int)pid, strerror(-fd));
}

/* In a ring of chips with two NT ports one file has all cables: host 0's. */
static int
open_cables(struct rb_env *env, struct rb_file mine)
{
	int from = env->one_chip ? 0 : (env->host_id + env->hosts - 1) % env->hosts;
	int ret = 0, lead = rb.lead[from];
	struct rb_file left = mine;
	struct files f;

	if (from != env->host_id)
		ret = rb_exchange->get(key_files, lead, &f, sizeof(f));
	if (ret == 0 && from != env->host_id)
		ret = open_file(lead, f.pid, &f.cable, &left);
	if (ret < 0)
		return ret;
	env->cable[RB_PORT_PREV] = (struct rb_env_cable){left, RB_CABLE_LEFT_PORT};
	env->cable[RB_PORT_NEXT] =
		(struct rb_env_cable){env->one_chip ? left : mine, RB_CABLE_RIGHT_PORT};
	return 0;
}

static int
open_files(struct rb_env *env, bool shared, const struct files *mine)
{
	int lead = rb.lead[env->host_id];
	struct files f;
	int ret = 0;

	env->host = mine->host;
	if (lead != env->pe && shared) {
		ret = rb_exchange->get(key_files, lead, &f, sizeof(f));
		if (ret == 0)
			ret = open_file(lead, f.pid, &f.host, &env->host);
	}
	if (ret < 0 || mine->cable.fd < 0)
		return ret;
	return open_cables(env, mine->cable);
}

int
rb_bootstrap(struct rb_env *env)
{
	struct card card;
	struct files mine;
	bool shared;
	int ret;

	if (env->hello_timeout == 0)
		env->hello_timeout = START_S;
	ret = rb_exchange->join(&env->pe, &env->pes);
	rb.pe = env->pe; /* for messages */
	if (ret < 0)
		return ret;
	if (env->pes > RB_MAX_PES)
		return rb_fail(-EINVAL, "%d PEs: at most %d", env->pes, RB_MAX_PES);
	ret = share_card(env, &card);
	if (ret == 0)
		ret = read_cards(env, &card);
	if (ret == 0)
		ret = rb_place_table();
	if (ret < 0)
		return ret;
	env->host_id = rb.place[env->pe].host;
	shared = rb_place_locals(env->host_id) > 1;
	ret = make_files(env, rb.place[env->pe].local == 0, shared, &mine);
	if (ret == 0)
		ret = open_files(env, shared, &mine);
	return ret;
}
