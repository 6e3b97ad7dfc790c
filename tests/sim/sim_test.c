/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * The rules as pure functions, and a modelled ring that follows them: every byte arrives, nothing
 * locks up, results agree with the formulas, and the ring reaches its figures.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "scene.h"

#define MIB (1u << 20)
/* two rings that share a cable, parallel cables, and a host at the end of one */
#define WEB "0-1 1-2 2-3 3-0 2-4 4-5 5-3 2-3 5-6 6-7"

static const char *what;

static struct scene_row
run(const struct sim_params *p, enum scene_id id, unsigned int hops, uint64_t size)
{
	const struct scene sc = {.id = id, .hops = hops, .size = size, .messages = 8};
	struct scene_row row = {0};

	CU_ASSERT_EQUAL(scene_run(p, &sc, &row, &what), 0);
	if (what)
		printf("\n%s of %u hosts: %s\n", scene_infos[id].name, p->hosts, what);
	return row;
}

static bool
close_to(double a, double b, double share)
{
	return a > b * (1 - share) && a < b * (1 + share);
}

static void
slots_and_credits(void)
{
	CU_ASSERT_EQUAL(rb_rule_free(5, 5, 16), 16);
	CU_ASSERT_EQUAL(rb_rule_free(3, UINT32_MAX, 16), 12);
	CU_ASSERT_EQUAL(rb_rule_free(40, 5, 16),
			0); /* more than there are: a wrong credit, no room */
	CU_ASSERT_EQUAL(rb_rule_need(true), 2);
	CU_ASSERT_EQUAL(rb_rule_need(false), 1);
	CU_ASSERT_FALSE(rb_rule_credit_due(0, 16, true));
	CU_ASSERT_FALSE(rb_rule_credit_due(3, 16, false));
	CU_ASSERT_TRUE(rb_rule_credit_due(3, 16, true));
	CU_ASSERT_TRUE(rb_rule_credit_due(4, 16, false));
	CU_ASSERT_EQUAL(rb_rule_piece(MIB, 128 << 10, false), 128 << 10);
	CU_ASSERT_EQUAL(rb_rule_piece(MIB, 128 << 10, true), MIB / RB_PIECES);
	CU_ASSERT_EQUAL(rb_rule_piece(8, 128 << 10, true), RB_PIECE_MIN);
	CU_ASSERT_EQUAL(rb_rule_piece(UINT64_C(1) << 40, 128 << 10, true), 128 << 10);
	CU_ASSERT_EQUAL(rb_rule_piece(MIB, 4096, true), 4096);
	CU_ASSERT_TRUE(rb_rule_ack_due(false, true, 0, false));
	CU_ASSERT_FALSE(rb_rule_ack_due(true, true, 0, true));
	CU_ASSERT_TRUE(rb_rule_ack_due(true, false, 0, true));
	CU_ASSERT_TRUE(rb_rule_ack_due(false, true, RB_ACK_LATE, true));
}

static void
barrier_words(void)
{
	struct rb_arrivals a = {0};
	const uint64_t none[RB_RING_PORTS] = {0},
		       old[RB_RING_PORTS] = {rb_rule_arrival(6, 3, 5), 0};
	const uint64_t one[RB_RING_PORTS] = {rb_rule_arrival(7, 2, 5), rb_rule_arrival(7, 1, 5)};
	const uint64_t ahead[RB_RING_PORTS] = {rb_rule_arrival(8, 1, 5), 0};
	uint64_t store[RB_RING_PORTS];

	CU_ASSERT_FALSE(rb_rule_barrier(&a, none, 7, 5, store));
	CU_ASSERT_FALSE(rb_rule_barrier(&a, old, 7, 5, store));
	CU_ASSERT_EQUAL(store[RB_PORT_PREV] | store[RB_PORT_NEXT], 0);
	CU_ASSERT_FALSE(rb_rule_barrier(&a, one, 7, 5, store));
	CU_ASSERT_EQUAL(store[RB_PORT_NEXT], rb_rule_arrival(7, 3, 5));
	CU_ASSERT_EQUAL(store[RB_PORT_PREV], rb_rule_arrival(7, 2, 5));
	/* a neighbour that is past this one has seen all */
	CU_ASSERT_TRUE(rb_rule_barrier(&a, ahead, 7, 5, store));
	CU_ASSERT_EQUAL(rb_rule_arrival(7, 1024, 1024), (uint64_t)7 << RB_ARRIVE_BITS | 1023);
}

/* sim_run() itself checks bytes, acknowledgements, credits and slots at every step and at the end
 */
static void
conservation(void)
{
	static const unsigned int hosts[] = {2, 3, 4, 5, 8, 12, 17};
	struct sim_params p;
	static const char *const wirings[] = {"ring",	   "double",	"chain", "mesh",
					      "torus=4x2", "torus=3x4", WEB};
	unsigned int w, id, h, slots;

	sim_defaults(&p);
	for (w = 0; w < sizeof(wirings) / sizeof(wirings[0]); w++) {
		for (h = 0; h < sizeof(hosts) / sizeof(hosts[0]); h++) {
			struct rb_graph g;

			p.wiring = wirings[w];
			p.hosts = hosts[h];
			if (sim_wire(&p, &g, &what) < 0)
				continue;
			for (slots = 2; slots <= 16; slots *= 8) {
				p.slots = slots;
				for (id = SCENE_NEIGHBOUR; id < SCENES; id++)
					run(&p, id, 0, 20000);
			}
		}
	}
}

/* Every host puts and gets five hops to the right, which fills all transit rings of one direction
 * with what has to go on in them. */
static struct sim_op
far_op(void *ctx, unsigned int host, uint64_t i)
{
	const struct sim_params *p = ctx;

	if (i < 24)
		return (struct sim_op){i % 8 == 7 ? SIM_GET : SIM_PUT, (host + 5) % p->hosts,
				       50000};
	return (struct sim_op){.kind = i == 24 ? SIM_QUIET : SIM_END};
}

/* Blocking ones cross twice each; the others wait for one answer, and share the next frame. */
static void
atomics(void)
{
	double us, updates;
	struct sim_params p;

	sim_defaults(&p);
	p.hosts = 2;
	us = run(&p, SCENE_FETCHES, 0, 0).us;
	updates = run(&p, SCENE_UPDATES, 0, 0).us;
	CU_ASSERT(updates > 4 * (double)p.latency / 1e6); /* two frames, and their answers */
	CU_ASSERT(updates < us);
}

static void
deadlock(void)
{
	struct sim_params p;
	const struct sim_program program = {.op = far_op, .ctx = &p};
	struct sim_result r;
	unsigned int locked = 0;

	sim_defaults(&p);
	p.slots = 2;
	for (p.hosts = 11; p.hosts <= 14; p.hosts++) {
		for (p.enter = 0; p.enter <= RB_ENTER; p.enter += RB_ENTER) {
			CU_ASSERT_EQUAL(sim_run(&p, &program, &r, &what), 0);
			CU_ASSERT_EQUAL(r.delivered, 24 * 50000 * p.hosts);
		}
		p.enter = 1;
		locked += sim_run(&p, &program, &r, &what) == -EDEADLK;
	}
	CU_ASSERT(locked > 0); /* only the rule keeps the others going */
}

static void
closed_form(void)
{
	struct sim_params p;
	struct scene_row row;
	double us;

	sim_defaults(&p);
	p.hosts = 8;
	us = 1e6 * MIB / p.bandwidth + 2 * (double)p.latency / 1e6;
	CU_ASSERT(close_to(run(&p, SCENE_PUT, 1, MIB).us, us, 0.005));
	/* each host more costs a frame's copy and a latency to the data and one to the ack */
	row = run(&p, SCENE_PUT, 3, 8192);
	us = 3 * 8192e6 / p.bandwidth + 6 * (double)p.latency / 1e6;
	CU_ASSERT(row.us > us && row.us < us + 1.5);
	CU_ASSERT_EQUAL(row.result.relayed, 3); /* put by two hosts, the ack by one */
	/* links do not share: all at once is as fast as one */
	CU_ASSERT(close_to(run(&p, SCENE_NEIGHBOUR, 0, MIB).mbs, p.bandwidth / 1e6, 0.02));
	/* and where they do, the sum of the hops counts: 16 links, (1+1+2+2+3+3+4)/2 a host
	 */
	CU_ASSERT(close_to(run(&p, SCENE_ALLTOALL, 0, 64 << 10).limit,
			   p.bandwidth / 1e6 * 7 * 16 / (8 * 16), 0.05));
	p.wiring = "mesh";
	CU_ASSERT_EQUAL(run(&p, SCENE_ALLTOALL, 0, MIB).result.relayed, 0);
}

static void
bars(void)
{
	struct sim_params p;
	uint64_t size, ns;
	double one, two, us;

	sim_defaults(&p);
	for (ns = 600; ns <= 1000; ns += 100) {
		p.latency = ns * SIM_NS;
		p.hosts = 4;
		for (size = MIB; size <= 64 * MIB; size *= 4) {
			one = run(&p, SCENE_PUT, 1, size).mbs;
			two = run(&p, SCENE_PUT, 2, size).mbs;
			CU_ASSERT(two >= 0.97 * one);
		}
		for (p.hosts = 2; p.hosts <= 64; p.hosts = p.hosts * 3 / 2 + 1) {
			us = run(&p, SCENE_BARRIER, 0, 0).us;
			CU_ASSERT(us <= 1.2 * ((p.hosts + 1) / 2) * (double)ns / 1000);
		}
	}
}

/* Turns behind requests that go on, and shares of cables that all need alike. */
static void
fair_shares(void)
{
	struct sim_params p;
	struct scene_row far;

	sim_defaults(&p);
	p.hosts = 64;
	far = run(&p, SCENE_FAR, 31, 64 << 10);
	CU_ASSERT(far.mbs > 0.85 * far.limit && far.result.share > 0.95);
	for (p.hosts = 3; p.hosts <= 16; p.hosts++)
		CU_ASSERT(run(&p, SCENE_UNIFORM, 0, 64 << 10).result.behind <= 8);
}

/* Host 0 fetches from a host so many hops away while all others put one after the other, as far the
 * same way. */
enum {
	FETCHES = 300
};

struct fetches {
	struct rb_graph g;
	unsigned int hosts, hops, left, taken;
	uint64_t size; /* of the puts; 0: there are none */
	uint64_t ps[FETCHES];
};

/* In a torus one column to the right, and one row up for the second hop. */
static unsigned int
host_beyond(const struct fetches *s, unsigned int host)
{
	unsigned int columns = s->g.kind == RB_GRAPH_TORUS ? s->g.columns : s->hosts;
	unsigned int right = columns < s->hosts ? 1 : s->hops;
	unsigned int row = host / columns * columns;

	return (row + (host % columns + right) % columns + (s->hops - right) * columns) % s->hosts;
}

static struct sim_op
fetch_op(void *ctx, unsigned int host, uint64_t i)
{
	struct fetches *s = ctx;

	if (host == 0 && s->left > 0) {
		s->left -= i % 2 == 0;
		return (struct sim_op){i % 2 == 0 ? SIM_ATOMIC : SIM_COMPUTE, host_beyond(s, 0),
				       i % 2 == 0 ? 8 : (20 + i % 7) * 1000 * SIM_NS};
	}
	if (host == 0 || host == host_beyond(s, 0) || s->size == 0 || s->left == 0)
		return (struct sim_op){.kind = SIM_END};
	return (struct sim_op){SIM_PUT, host_beyond(s, host), s->size};
}

static void
took_fetch(void *ctx, unsigned int host, enum sim_kind kind, uint64_t ps)
{
	struct fetches *s = ctx;

	if (host == 0 && kind == SIM_ATOMIC)
		s->ps[s->taken++] = ps;
}

static int
compare_times(const void *a, const void *b)
{
	return *(const uint64_t *)a < *(const uint64_t *)b ? -1 : 1;
}

/* What so many of 100 fetches took at most, in @p of100. */
static void
time_fetches(const struct sim_params *p, unsigned int hops, uint64_t size, uint64_t of100[2])
{
	struct fetches s = {.hosts = p->hosts, .hops = hops, .left = FETCHES, .size = size};
	struct sim_program program = {.op = fetch_op, .took = took_fetch, .ctx = &s};
	struct sim_result r;

	CU_ASSERT_EQUAL(sim_wire(p, &s.g, &what), 0);
	CU_ASSERT_EQUAL(sim_run(p, &program, &r, &what), 0);
	qsort(s.ps, s.taken, sizeof(s.ps[0]), compare_times);
	of100[0] = s.ps[s.taken / 2];
	of100[1] = s.ps[s.taken * 99 / 100];
}

static void
words_beside_puts(void)
{
	static const struct {
		const char *wiring;
		unsigned int hosts, hops;
	} rows[] = {{"ring", 3, 1}, {"ring", 5, 2},	 {"ring", 8, 2}, {"ring", 8, 3},
		    {"ring", 8, 4}, {"torus=3x3", 9, 2}, {"ring", 64, 4}};
	uint64_t quiet[2], busy[2], size;
	struct sim_params p;
	unsigned int row;

	sim_defaults(&p);
	for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		p.wiring = rows[row].wiring;
		p.hosts = rows[row].hosts;
		time_fetches(&p, rows[row].hops, 0, quiet);
		for (size = 64 << 10; size <= 16 * MIB; size *= 256) {
			time_fetches(&p, rows[row].hops, size, busy);
			CU_ASSERT(busy[0] <= 3 * quiet[0] && busy[1] <= 5 * quiet[1]);
		}
	}
}

/* Each host puts to one target, and ends with its last put. With a quiet behind that it would wait
 * for others too, as acknowledgements wait until relays are idle. */
struct streams {
	struct rb_graph g;
	unsigned int target[RB_MAX_HOSTS];
	uint64_t size;				       /* of a put */
	uint64_t uses[RB_MAX_HOSTS][RB_MAX_PORTS + 1]; /* hosts whose puts leave there; CORE */
};

/* A relay's core that stores over a full cable waits for it, so all that it sends is as much as one
 * cable takes. */
enum {
	CORE = RB_MAX_PORTS
};

static struct sim_op
stream_op(void *ctx, unsigned int host, uint64_t i)
{
	const struct streams *s = ctx;

	return (struct sim_op){i < 8 + (12 * MIB) / s->size ? SIM_PUT : SIM_END, s->target[host],
			       s->size};
}

static void
note_ways(struct streams *s)
{
	unsigned int host, at;
	uint8_t in, out;

	memset(s->uses, 0, sizeof(s->uses));
	for (host = 0; host < s->g.hosts; host++)
		for (at = host, in = RB_PORT_NONE; at != s->target[host];) {
			out = rb_graph_next(&s->g, at, in, s->target[host]);
			s->uses[at][out] |= 1ull << host;
			s->uses[at][CORE] |= at != host ? 1ull << host : 0;
			in = s->g.end[at][out].port;
			at = s->g.end[at][out].host;
		}
}

/* What is left of a cable for each of @p open that use it; 2: none does. */
static double
left_for_each(uint64_t uses, uint64_t open, const double share[RB_MAX_HOSTS])
{
	double left = 1;
	unsigned int host;

	for (host = 0; host < RB_MAX_HOSTS; host++)
		if ((uses & ~open & 1ull << host) != 0)
			left -= share[host];
	return (uses & open) != 0 ? left / __builtin_popcountll(uses & open) : 2;
}

/* Shares by max-min: the cable, or with @p most CORE the core, that leaves each of its streams
 * least says what they get, and so on. */
static void
max_min(const struct streams *s, unsigned int most, double share[RB_MAX_HOSTS])
{
	uint64_t open = (1ull << s->g.hosts) - 1, least_uses;
	unsigned int at, port, host;
	double least, left;

	for (; open != 0; open &= ~least_uses) {
		for (least = 2, least_uses = 0, at = 0; at < s->g.hosts; at++)
			for (port = 0; port <= most; port++) {
				left = left_for_each(s->uses[at][port], open, share);
				least_uses = left < least ? s->uses[at][port] & open : least_uses;
				least = left < least ? left : least;
			}
		for (host = 0; host < s->g.hosts; host++)
			if ((least_uses & 1ull << host) != 0)
				share[host] = least;
	}
}

/* The bytes of each host when the first one has issued all, against its share by then: of cables,
 * or less where cores are full. These carry up to 1.18 times a cable, so they give nobody more. */
static double
worst_share(const struct sim_params *p, struct streams *s)
{
	const struct sim_program program = {.op = stream_op, .ctx = s};
	double cables[RB_MAX_HOSTS], share[RB_MAX_HOSTS], got, worst = 2;
	struct sim_result r;
	unsigned int host;

	note_ways(s);
	max_min(s, CORE - 1, cables);
	max_min(s, CORE, share);
	CU_ASSERT_EQUAL(sim_run(p, &program, &r, &what), 0);
	CU_ASSERT(r.behind <= 8);
	for (host = 0; host < p->hosts; host++) {
		got = (double)r.placed[host] / ((double)r.until / 1e12 * p->bandwidth);
		got /= cables[host] < share[host] ? cables[host] : share[host];
		worst = got < worst ? got : worst;
	}
	return worst;
}

/* Streams of puts of so many KiB over so many hops at least and at most, to targets by lot, all to
 * the right where it says so. In the ring of 12 all shares are equal by themselves. */
static void
max_min_shares(void)
{
	static const struct {
		const char *wiring;
		unsigned int hosts, hops, most, kib;
		bool right;
		double least;
	} rows[] = {{"ring", 12, 5, 5, 64, true, 0.95},	     {"ring", 3, 1, 1, 64, false, 0.95},
		    {"ring", 5, 1, 2, 64, true, 0.95},	     {"ring", 5, 1, 2, 64, false, 0.95},
		    {"ring", 8, 1, 3, 64, true, 0.95},	     {"ring", 8, 1, 4, 64, false, 0.9},
		    {"torus=3x3", 9, 1, 2, 64, false, 0.95}, {"ring", 8, 1, 4, 16384, false, 0.6}};
	struct sim_params p;
	struct streams s;
	unsigned int row, lot, host, to;

	sim_defaults(&p);
	for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		p.wiring = rows[row].wiring;
		p.hosts = rows[row].hosts;
		CU_ASSERT_EQUAL(sim_wire(&p, &s.g, &what), 0);
		srandom(row + 6);
		s.size = (uint64_t)rows[row].kib << 10;
		for (lot = 0; lot < 20; lot++) {
			for (host = 0; host < p.hosts; host++) {
				do
					to = (unsigned int)random() % p.hosts;
				while (rb_graph_hops(&s.g, host, to) < rows[row].hops ||
				       rb_graph_hops(&s.g, host, to) > rows[row].most ||
				       (rows[row].right &&
					(to + p.hosts - host) % p.hosts > rows[row].most));
				s.target[host] = to;
			}
			CU_ASSERT(worst_share(&p, &s) >= rows[row].least);
		}
	}
}

static void
refusals(void)
{
	const struct scene barrier = {.id = SCENE_BARRIER, .messages = 1};
	const struct scene put = {.id = SCENE_PUT, .hops = 3, .size = 8};
	struct scene_row row;
	struct sim_params p;

	sim_defaults(&p);
	p.hosts = 4;
	CU_ASSERT_EQUAL(scene_run(&p, &put, &row, &what), -EINVAL);
	p.slots = 3;
	CU_ASSERT_EQUAL(scene_run(&p, &barrier, &row, &what), -EINVAL);
	sim_defaults(&p);
	p.hosts = 7;
	p.wiring = "torus=2x4";
	CU_ASSERT_EQUAL(scene_run(&p, &barrier, &row, &what), -EINVAL);
	CU_ASSERT_STRING_EQUAL(what, "torus=2x4 joins 8 hosts, and there are 7");
	p.wiring = "ring";
	p.hosts = 1;
	CU_ASSERT_EQUAL(scene_run(&p, &barrier, &row, &what), 0);
}

TEST_PROGRAM("simulator", NULL, NULL, {"slots, credits, pieces, acks", slots_and_credits},
	     {"words of a barrier", barrier_words},
	     {"every byte arrives, every slot comes back", conservation},
	     {"atomics that share frames take fewer round trips", atomics},
	     {"entering on one slot locks up, on two does not", deadlock},
	     {"closed forms", closed_form},
	     {"two hops against one, barrier against its hops", bars}, {"fair shares", fair_shares},
	     {"a word beside long puts of others", words_beside_puts},
	     {"shares by max-min", max_min_shares}, {"what makes no ring", refusals})
