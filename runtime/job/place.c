/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>

#include "relay/boot.h"
#include "base/state.h"
#include "host/wait.h"

/* A PE's local index counts those before it on its host; the first one is the lead. */
static void
fill_table(void)
{
	uint16_t locals[RB_MAX_HOSTS] = {0};
	int pe;

	for (pe = 0; pe < rb.npes; pe++) {
		uint8_t h = rb.env.host_of[pe];

		if (locals[h] == 0)
			rb.lead[h] = (uint16_t)pe;
		rb.place[pe] = (struct rb_place){h, locals[h]++};
	}
}

/* A launcher may have placed the PEs in its own way. */
static int
check_counts(const struct rb_deal *deal)
{
	int h;

	for (h = 0; h < rb.hosts; h++)
		if (rb_place_locals(h) != deal->count[h])
			return rb_fail(-EINVAL,
				       "RINGBELL_MAP=%s: the launcher put %d PEs on host %d",
				       rb.env.map, rb_place_locals(h), h);
	return 0;
}

/* Between the chunks of a transfer and between short messages a relay must not fall asleep: to wake
 * it costs more than the chunk. On a crowded machine that much, and no more, is taken from others.
 */
enum {
	AWAKE_NS = 200 * 1000,
	AWAKE_CROWDED_NS = 15 * 1000
};

/* Turns of a waiter before it lets others run at all. When spinning was asked for on a crowded
 * machine, the one who has the work may be waiting for this very CPU. */
enum {
	SPIN_TURNS = 100,
	SPIN_CROWDED_TURNS = 4,
	SPIN_FORCED_TURNS = 16384,
	SPIN_FORCED_CROWDED_TURNS = 256,
	SKIP_CROWDED_LOOKS = 56
};

/* Waiters of an emulated ring share one machine; each host adds its service lcores. */
static void
choose_wait(void)
{
	int service = (int)rb.env.lcores;
	int waiters =
		rb_emulated() ? rb.npes + rb.hosts * service : rb.locals + (rb.hosts > 1) * service;
	cpu_set_t set;
	int pes = rb_emulated() ? rb.npes : rb.locals;
	bool crowded, fits;
	int cpus;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		CPU_ZERO(&set);
	cpus = rb.env.cpus > 0 ? rb.env.cpus : CPU_COUNT(&set);
	crowded = waiters > cpus;
	/* service lcores that are too many sleep while the PEs wait */
	fits = pes <= cpus;
	rb.crowded = crowded;
	rb.beside = crowded && fits;
	rb.wait = rb.env.wait;
	if (rb.wait == RB_WAIT_AUTO)
		rb.wait = crowded ? RB_WAIT_SLEEP : RB_WAIT_YIELD;
	rb.shared_cpus = crowded && rb.hosts == 1 && rb.locals > 1 && rb.wait != RB_WAIT_SPIN;
	rb.awake_ns = crowded ? AWAKE_CROWDED_NS : AWAKE_NS;
	rb_wait_learn(fits && rb.env.wait == RB_WAIT_AUTO);
	rb.spin_turns = fits ? SPIN_TURNS : SPIN_CROWDED_TURNS;
	rb.skip_looks = !fits && rb.wait != RB_WAIT_SPIN ? SKIP_CROWDED_LOOKS : 0;
	if (rb.wait == RB_WAIT_SPIN)
		rb.spin_turns = crowded ? SPIN_FORCED_CROWDED_TURNS : SPIN_FORCED_TURNS;
	if (rb.wait == RB_WAIT_SPIN && crowded && rb.env.pe == 0)
		fprintf(stderr,
			"ringbell: RINGBELL_WAIT=spin: %d threads wait on %d CPUs: slower than "
			"RINGBELL_WAIT=sleep\n",
			waiters, cpus);
}

int
rb_place_table(void)
{
	const struct rb_deal *deal = &rb.env.deal;
	bool counts = deal->how == RB_DEAL_COUNTS;

	rb.hosts = rb.env.hosts;
	rb.npes = rb.env.pes;
	if (counts && (deal->hosts != rb.hosts || deal->pes != rb.npes))
		return rb_fail(-EINVAL,
			       "RINGBELL_MAP=%s: %d PEs on %d hosts, but this job has %d on %d",
			       rb.env.map, deal->pes, deal->hosts, rb.npes, rb.hosts);
	if (!rb.env.placed)
		rb_deal_out(deal, rb.hosts, rb.npes, rb.env.host_of);
	fill_table();
	return counts ? check_counts(deal) : 0;
}

int
rb_place_locals(int host)
{
	int pe, n = 0;

	for (pe = 0; pe < rb.npes; pe++)
		n += rb.place[pe].host == host;
	return n;
}

int
rb_place_pes(void)
{
	int ret = rb_place_table();
	int h;

	if (ret < 0)
		return ret;
	rb.pe = rb.env.pe;
	rb.host = rb.place[rb.pe].host;
	rb.local = rb.place[rb.pe].local;
	if (rb.host != rb.env.host_id)
		return rb_fail(-EINVAL,
			       "RINGBELL_PE=%d belongs to host %d, but RINGBELL_HOST_ID=%d", rb.pe,
			       rb.host, rb.env.host_id);
	rb.locals = rb_place_locals(rb.host);
	rb.most_locals = 0;
	for (h = 0; h < rb.hosts; h++)
		rb.most_locals = RTE_MAX(rb.most_locals, rb_place_locals(h));
	if (rb.most_locals > RB_MAX_LOCALS)
		return rb_fail(-EINVAL, "%d PEs on one host: at most %d", rb.most_locals,
			       RB_MAX_LOCALS);
	if (rb.hosts > 1 && rb.most_locals > 1 && rb.env.statics == RB_STATICS_COPY)
		return rb_fail(-EINVAL, "RINGBELL_STATIC=copy: a ring with several PEs on a host "
					"needs remap");
	choose_wait();
	return 0;
}
