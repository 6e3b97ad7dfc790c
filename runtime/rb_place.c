/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>

#include "rb_boot.h"
#include "rb_int.h"
#include "rb_wait.h"

/* Hosts get equally many PEs, the first of them one more where it does not come out even. */
static void
by_slot(void)
{
	int each = rb.npes / rb.hosts, more = rb.npes % rb.hosts, pe = 0, h, l;

	for (h = 0; h < rb.hosts; h++)
		for (l = 0; l < each + (h < more); l++, pe++)
			rb.place[pe] = (struct rb_place){(uint16_t)h, (uint16_t)l};
}

static void
by_host(void)
{
	int pe;

	for (pe = 0; pe < rb.npes; pe++)
		rb.place[pe] =
			(struct rb_place){(uint16_t)(pe % rb.hosts), (uint16_t)(pe / rb.hosts)};
}

/* As the launcher placed them: a PE's local index counts those before it on its host. */
static void
by_list(void)
{
	uint16_t locals[RB_MAX_HOSTS] = {0};
	int pe;

	for (pe = 0; pe < rb.npes; pe++) {
		uint8_t h = rb.env.host_of[pe];

		rb.place[pe] = (struct rb_place){h, locals[h]++};
	}
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

void
rb_place_table(void)
{
	int pe;

	rb.hosts = rb.env.hosts;
	rb.npes = rb.env.pes;
	if (rb.env.placed)
		by_list();
	else if (rb.env.map_by_host)
		by_host();
	else
		by_slot();
	for (pe = 0; pe < rb.npes; pe++)
		if (rb.place[pe].local == 0)
			rb.lead[rb.place[pe].host] = (uint16_t)pe;
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
	int h;

	rb_place_table();
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
