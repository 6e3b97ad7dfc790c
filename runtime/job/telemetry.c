/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/telemetry.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_rawdev.h>
#include <rte_telemetry.h>

#include "base/error.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/wire.h"
#include "dpdk_compat.h"
#include "host/blocked.h"
#include "host/hostseg.h"
#include "observe/blocked_table.h"
#include "observe/stats.h"

static void
add_u64(struct rte_tel_data *d, const char *name, uint64_t v)
{
	compat_tel_dict_uint(d, name, v);
}

static int
info_cmd(const char *params, struct rte_tel_data *d)
{
	char job[20];

	(void)params;
	snprintf(job, sizeof(job), "%016llx", (unsigned long long)rb.env.job);
	rte_tel_data_start_dict(d);
	rte_tel_data_add_dict_string(d, "job", job);
	add_u64(d, "pid", (uint64_t)getpid());
	add_u64(d, "host", (uint64_t)rb.host);
	add_u64(d, "hosts", (uint64_t)rb.hosts);
	add_u64(d, "pes", (uint64_t)rb.npes);
	return 0;
}

static int
pes_cmd(const char *params, struct rte_tel_data *d)
{
	int pe;

	(void)params;
	rte_tel_data_start_array(d, RTE_TEL_INT_VAL);
	for (pe = 0; pe < rb.npes; pe++)
		if (rb_pe_host(pe) == rb.host)
			rte_tel_data_add_array_int(d, pe);
	return 0;
}

/* The longest current wait of a PE, if it waits. */
static void
add_blocked(struct rte_tel_data *d, const struct rb_blocked_pe *table)
{
	struct rb_blocked_seen seen = {.since = 0};
	uint64_t now = rb_now_ns();
	char whom[96] = "";

	if (rb_blocked_longest(table, &seen))
		rb_blocked_whom(&seen, whom, sizeof(whom));
	rte_tel_data_add_dict_string(d, "blocked_in", whom[0] == '\0' ? "" : seen.call);
	rte_tel_data_add_dict_string(d, "blocked_for", whom);
	add_u64(d, "blocked_ns", whom[0] == '\0' || now < seen.since ? 0 : now - seen.since);
}

/* The state of a PE is the state of the thread that started the library, which has the first slot.
 */
static const char *
state_of(const struct rb_blocked_pe *table, const struct rb_stats_pe *pe)
{
	switch (atomic_load_explicit(&table->state, memory_order_relaxed)) {
	case RB_BLOCKED_IN:
		break;
	case RB_BLOCKED_LEFT:
		return "left";
	default:
		return "starting";
	}
	switch (rb_doing(&pe->thread[0])) {
	case RB_DOING_WAIT:
		return "waiting";
	case RB_DOING_BARRIER:
		return "barrier";
	default:
		return "running";
	}
}

/* Ticks of rb_trace_clock(). */
static uint64_t
to_ns(uint64_t ticks)
{
#if defined(__x86_64__)
	return (uint64_t)((double)ticks * 1e9 / (double)rte_get_tsc_hz());
#else
	return ticks;
#endif
}

/* Each of @p n has such a word, @p step bytes apart, and counts its own. */
static uint64_t
sum_up(const uint64_t *first, size_t step, unsigned int n)
{
	uint64_t sum = 0;

	for (; n > 0; n--, first = RTE_PTR_ADD(first, step))
		sum += rb_counted(first);
	return sum;
}

static void
add_counts(struct rte_tel_data *d, const struct rb_stats_pe *pe)
{
	const struct rb_stats *t = pe->thread;
	const unsigned int n = RB_STATS_THREADS;

	add_u64(d, "puts", sum_up(&t->puts, sizeof(*t), n));
	add_u64(d, "put_bytes", sum_up(&t->put_bytes, sizeof(*t), n));
	add_u64(d, "gets", sum_up(&t->gets, sizeof(*t), n));
	add_u64(d, "get_bytes", sum_up(&t->get_bytes, sizeof(*t), n));
	add_u64(d, "atomics", sum_up(&t->amos, sizeof(*t), n));
	add_u64(d, "wait_ns", to_ns(sum_up(&t->wait_ticks, sizeof(*t), n)));
	add_u64(d, "barriers", sum_up(&t->barriers, sizeof(*t), n));
}

/* A PE of this host. */
static int
pe_of(const char *s)
{
	char *end;
	long v;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	v = strtol(s, &end, 10);
	if (errno != 0 || *end != '\0' || v >= rb.npes || rb_pe_host((int)v) != rb.host)
		return -EINVAL;
	return (int)v;
}

static int
pe_cmd(const char *params, struct rte_tel_data *d)
{
	const struct rb_blocked_pe *table;
	int pe = pe_of(params), local;

	if (pe < 0)
		return pe;
	local = rb.place[pe].local;
	table = rb_block_of(pe);
	rte_tel_data_start_dict(d);
	add_u64(d, "pe", (uint64_t)pe);
	add_u64(d, "pid", (uint64_t)(rb.locals > 1 ? rb_hostseg->pid[local] : getpid()));
	rte_tel_data_add_dict_string(d, "state", state_of(table, rb_stats_of(local)));
	add_counts(d, rb_stats_of(local));
	add_blocked(d, table);
	return 0;
}

/* The port that @p s names, if it has a link; else -EINVAL. */
static int
port_of(const char *s)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if (strcmp(s, rb_port_name(port)) == 0 && rb.link[port].port != NULL)
			return (int)port;
	return -EINVAL;
}

/* Frames for which the neighbour has not returned the credits. */
static uint32_t
queued_frames(const struct rb_tx *tx)
{
	uint32_t n = (uint32_t)rb_counted(&tx->frames) -
		     (uint32_t)__atomic_load_n(tx->credit, __ATOMIC_RELAXED);
	return RTE_MIN(n, rb.slots);
}

static void
add_rings(struct rte_tel_data *d, const struct rb_link *link)
{
	const struct rb_tx *tx = link->tx;
	uint64_t answers = 0, queued = 0;
	unsigned int r;

	for (r = 0; r < RB_RINGS; r++) {
		if (rb_ring_replies(r))
			answers += rb_counted(&tx[r].frames);
		queued += queued_frames(&tx[r]);
	}
	add_u64(d, "tx_frames", sum_up(&tx->frames, sizeof(*tx), RB_RINGS));
	add_u64(d, "tx_answers", answers);
	add_u64(d, "tx_frame_bytes", sum_up(&tx->bytes, sizeof(*tx), RB_RINGS));
	add_u64(d, "retries", sum_up(&tx->retries, sizeof(*tx), RB_RINGS));
	add_u64(d, "queued_frames", queued);
}

/* What the threads of this process sent through a window. No other process of the host has windows.
 */
static void
add_window(struct rte_tel_data *d, unsigned int port)
{
	const struct rb_stats *t = rb_stats_of(rb.local)->thread;
	const unsigned int n = RB_STATS_THREADS;

	add_u64(d, "stores", sum_up(&t->stores[port], sizeof(*t), n));
	add_u64(d, "store_bytes", sum_up(&t->store_bytes[port], sizeof(*t), n));
	add_u64(d, "loads", sum_up(&t->loads[port], sizeof(*t), n));
	add_u64(d, "load_bytes", sum_up(&t->load_bytes[port], sizeof(*t), n));
}

static void
add_relayed(struct rte_tel_data *d, const struct rb_link *link)
{
	const struct rb_relayed *by = link->relayed; /* by service lcore */

	add_u64(d, "relay_stores", sum_up(&by->stored, sizeof(*by), rb.lcores));
	add_u64(d, "relay_store_bytes", sum_up(&by->stored_bytes, sizeof(*by), rb.lcores));
	add_u64(d, "forwarded_bytes", sum_up(&by->forwarded_bytes, sizeof(*by), rb.lcores));
	add_u64(d, "dropped", sum_up(&by->dropped, sizeof(*by), rb.lcores));
}

static int
link_cmd(const char *params, struct rte_tel_data *d)
{
	struct rte_rawdev_info info = {0};
	int port = port_of(params);
	const struct rb_link *link;

	if (port < 0)
		return port;
	link = &rb.link[port];
	rte_tel_data_start_dict(d);
	if (rte_rawdev_info_get(link->port->dev_id, &info, 0) == 0)
		rte_tel_data_add_dict_string(d, "driver", info.driver_name);
	add_u64(d, "rawdev", link->port->dev_id);
	add_u64(d, "neighbour", (uint64_t)rb_route_beyond(link));
	add_u64(d, "neighbour_port", rb.far[port]);
	add_u64(d, "up", ntb_link_poll(link->port) == NTB_LINK_UP);
	add_u64(d, "lost", rb_link_lost(link));
	add_rings(d, link);
	add_window(d, (unsigned int)port);
	add_relayed(d, link);
	return 0;
}

/* The whole job's, as it found them: each by its ends, as oshrun --wiring takes it. */
static int
wiring_cmd(const char *params, struct rte_tel_data *d)
{
	char words[RB_MAX_HOSTS * RB_MAX_PORTS / 2 * sizeof("63.7-63.7")] = "";
	const struct rb_graph *g = &rb_cables_found;
	unsigned int end, n = g->hosts * RB_MAX_PORTS;
	size_t at = 0;

	RTE_SET_USED(params);
	for (end = 0; end < n; end++) {
		unsigned int host = end / RB_MAX_PORTS, port = end % RB_MAX_PORTS;
		struct rb_end far = g->end[host][port];

		if (far.port != RB_PORT_NONE && far.host * RB_MAX_PORTS + far.port > (int)end)
			at += (size_t)snprintf(words + at, sizeof(words) - at, "%s%u.%u-%u.%u",
					       at > 0 ? " " : "", host, port, far.host, far.port);
	}
	return rte_tel_data_string(d, words);
}

static const struct command {
	const char *name;
	bool wants; /* it has parameters; else they are NULL */
	/* 0 or -errno: then the client gets null, as from DPDK's own commands */
	int (*fn)(const char *params, struct rte_tel_data *d);
	const char *help; /* at most 63 characters */
} commands[] = {
	{"/ringbell/info", false, info_cmd, "The job and this host. No parameters"},
	{"/ringbell/pes", false, pes_cmd, "PEs of this host. No parameters"},
	{"/ringbell/pe", true, pe_cmd, "State and counters of a PE. Parameter: its number"},
	{"/ringbell/link", true, link_cmd, "State and counters of a link. Parameter: port 2"},
	{"/ringbell/wiring", false, wiring_cmd, "The cables of the job. No parameters"},
};

/*
 * A command may arrive while the process ends and closes its links. So every command runs under the
 * gate, and none runs once it is closed.
 */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static bool started;

/*
 * DPDK 22.11 splits command and parameters by strtok(), whose state all threads share. So the
 * pointer may lead into the buffer of another client. Our parameters follow the command directly,
 * or there are none.
 */
static const char *
own_params(const char *cmd, const char *params)
{
	return params == cmd + strlen(cmd) + 1 ? params : NULL;
}

static const struct command *
find_command(const char *cmd)
{
	size_t i;

	for (i = 0; i < RTE_DIM(commands); i++)
		if (strcmp(commands[i].name, cmd) == 0)
			return &commands[i];
	return NULL;
}

static int
answer_command(const char *cmd, const char *params, struct rte_tel_data *d)
{
	const struct command *c = find_command(cmd);
	const char *p = own_params(cmd, params);
	int ret = -EINVAL;

	pthread_mutex_lock(&gate);
	if (!started)
		ret = -ESHUTDOWN;
	else if (c != NULL && (p != NULL) == c->wants)
		ret = c->fn(p, d);
	pthread_mutex_unlock(&gate);
	return ret;
}

int
rb_telemetry_start(void)
{
	const struct command *c;
	int ret;

	for (c = commands; c < commands + RTE_DIM(commands); c++) {
		ret = rte_telemetry_register_cmd(c->name, answer_command, c->help);
		if (ret < 0)
			return rb_fail(ret, "cannot register the telemetry command %s", c->name);
	}
	pthread_mutex_lock(&gate);
	started = true;
	pthread_mutex_unlock(&gate);
	return 0;
}

void
rb_telemetry_stop(void)
{
	const char *dir = rte_eal_get_runtime_dir();
	char path[4096];

	if (!rb.env.telemetry || *dir == '\0')
		return;
	pthread_mutex_lock(&gate);
	started = false;
	pthread_mutex_unlock(&gate);
	snprintf(path, sizeof(path), "%s/dpdk_telemetry.v2", dir);
	unlink(path);
	if (rb_emulated() || rb.hosts == 1)
		rmdir(dir);
}
