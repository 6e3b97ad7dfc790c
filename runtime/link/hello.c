/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/hello.h"

#include <errno.h>

#include "base/error.h"
#include "base/state.h"
#include "base/wire.h"

void
rb_hello_words(const struct rb_hello *me, enum rb_hello_state state, uint32_t words[RB_SPAD_COUNT])
{
	words[RB_SPAD_MAGIC] = RB_MAGIC;
	words[RB_SPAD_ID] = (uint32_t)RB_VERSION << 24 | me->hosts << 16 | me->host << 8 |
			    me->port << 4 | (uint32_t)state;
	words[RB_SPAD_SETTINGS] = me->settings_hash;
	words[RB_SPAD_JOB_LO] = (uint32_t)me->job;
	words[RB_SPAD_JOB_HI] = (uint32_t)(me->job >> 32);
	words[RB_SPAD_TOKEN] = (uint32_t)me->token << 16 | me->peer_token;
}

/* Version and token agree. Can the peer be a host of this job? */
static int
judge_host(const struct rb_hello *me, uint32_t id)
{
	unsigned int hosts = id >> 16 & 0xff, host = id >> 8 & 0xff, port = id >> 4 & 0xf;
	const char *name = rb_port_name(me->port);

	if (hosts != me->hosts)
		return rb_fail(-EPROTO,
			       "%s link: the peer is on a ring of %u hosts, this is one of %u",
			       name, hosts, me->hosts);
	if (host == me->host)
		return rb_fail(-EPROTO,
			       "%s link: the peer has this host's id %u too: ids must differ, and "
			       "no cable may lead back to this host",
			       name, host);
	if (host >= hosts || port >= RB_MAX_PORTS)
		return rb_fail(-EPROTO, "%s link: the peer says that it is host %u, port %u", name,
			       host, port);
	return 0;
}

/* Compare the nonces of both sides. A host without one takes over that of a neighbour. */
static int
judge_job(const struct rb_hello *me, uint32_t lo, uint32_t hi, struct rb_hello_result *result)
{
	uint64_t job = (uint64_t)hi << 32 | lo;
	const char *name = rb_port_name(me->port);

	/* words are written one by one, and a read may be refused: see rb_env_nonce() */
	if (lo == 0 || hi == 0 || lo == UINT32_MAX || hi == UINT32_MAX)
		return rb_fail(-EAGAIN, "%s link: %s has not received the job id", name, me->peer);
	if (me->job == 0) {
		result->job = job;
		return rb_fail(-EAGAIN, "%s link: this host has not received the job id", name);
	}
	if (job != me->job)
		return rb_fail(-EPROTO,
			       "%s link: the peer belongs to job %016llx, this is job %016llx",
			       name, (unsigned long long)job, (unsigned long long)me->job);
	return 0;
}

int
rb_hello_judge(const struct rb_hello *me, const uint32_t peer[RB_SPAD_COUNT],
	       struct rb_hello_result *result)
{
	uint32_t magic = peer[RB_SPAD_MAGIC], id = peer[RB_SPAD_ID];
	const char *name = rb_port_name(me->port);
	int ret;

	*result = (struct rb_hello_result){.state = RB_HELLO_NONE};
	if (magic == 0 || magic == UINT32_MAX)
		return rb_fail(-EAGAIN, "%s link: no hello from %s", name, me->peer);
	if (magic != RB_MAGIC)
		return rb_fail(-EPROTO, "%s link: the peer's hello is garbage (magic 0x%08x)", name,
			       magic);
	if (id >> 24 != RB_VERSION)
		return rb_fail(-EPROTO,
			       "%s link: the peer has protocol version %u, this program has %u",
			       name, id >> 24, RB_VERSION);
	result->token = (uint16_t)(peer[RB_SPAD_TOKEN] >> 16);
	if ((uint16_t)peer[RB_SPAD_TOKEN] != me->token)
		return rb_fail(-EAGAIN, "%s link: %s does not answer", name, me->peer);
	result->alive = true;
	ret = judge_host(me, id);
	if (ret < 0)
		return ret;
	result->host = id >> 8 & 0xff;
	result->port = id >> 4 & 0xf;
	if ((id & 0xf) == RB_HELLO_GONE)
		return rb_fail(-ECANCELED, "%s link: %s has given up", name, me->peer);
	ret = judge_job(me, peer[RB_SPAD_JOB_LO], peer[RB_SPAD_JOB_HI], result);
	if (ret < 0)
		return ret;
	result->unlike = peer[RB_SPAD_SETTINGS] != me->settings_hash;
	if (result->unlike)
		return rb_fail(-EPROTO,
			       "%s link: %s has another program, heap size, number or "
			       "placement of PEs, or another setting RINGBELL_*: give all hosts "
			       "the same",
			       name, me->peer);
	result->state = id & 0xf;
	return result->state == RB_HELLO_NONE ? -EAGAIN : 0;
}
