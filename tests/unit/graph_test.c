/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Every way in every graph, and what waits for what: see check_waits(). */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/graph.h"
#include "base/rules.h"
#include "cases.h"
#include "coll/grid.h"
#include "wiring.h"

static struct rb_graph graph;
static char why[160];

/* Free slots, the fewest of all frames, that a frame needs to go on from one cable by another port
 * of the host there, or from its source by a port; 0: none does. */
static uint8_t onward[RB_MAX_HOSTS][RB_MAX_PORTS][RB_MAX_PORTS];
static uint8_t issued[RB_MAX_HOSTS][RB_MAX_PORTS];
static bool seen[RB_MAX_HOSTS][RB_MAX_PORTS];
static unsigned int carried[RB_MAX_HOSTS][RB_MAX_PORTS]; /* frames, by cable and direction */

static void
note_need(uint8_t *least, uint32_t need)
{
	if (*least == 0 || need < *least)
		*least = (uint8_t)need;
}

/* Follow a frame. @return its hops, 0 if it does not arrive */
static unsigned int
follow_frame(unsigned int from, unsigned int to, bool answer)
{
	unsigned int hops;
	uint8_t out = answer ? rb_graph_answer(&graph, from, to)
			     : rb_graph_next(&graph, from, RB_PORT_NONE, to);
	struct rb_end at = {(uint8_t)from, out};

	if (out >= RB_MAX_PORTS)
		return 0;
	note_need(&issued[from][out], rb_graph_need(&graph, from, RB_PORT_NONE, out));
	for (hops = 1; hops <= 2 * RB_MAX_HOSTS; hops++) {
		const struct rb_end end = graph.end[at.host][at.port];

		carried[at.host][at.port]++;
		if (end.port == RB_PORT_NONE || end.host == to)
			return end.port == RB_PORT_NONE ? 0 : hops;
		out = rb_graph_next(&graph, end.host, end.port, to);
		if (out >= RB_MAX_PORTS)
			return 0;
		if (hops == 1) /* a request comes from a ring of its own, an answer has passed */
			note_need(&issued[end.host][out],
				  rb_graph_need(&graph, end.host, RB_PORT_NONE, out));
		note_need(&onward[at.host][at.port][out],
			  rb_graph_need(&graph, end.host, end.port, out));
		at = (struct rb_end){end.host, out};
	}
	return 0;
}

/* Mark all that a frame in the slots behind this cable may wait for. */
static void
mark_waits(struct rb_end at)
{
	unsigned int q;

	for (q = 0; q < RB_MAX_PORTS; q++) {
		const struct rb_end next = {graph.end[at.host][at.port].host, (uint8_t)q};

		if (onward[at.host][at.port][q] == 0 || seen[next.host][q])
			continue;
		seen[next.host][q] = true;
		mark_waits(next);
	}
}

static bool
waits_for(struct rb_end at, struct rb_end other)
{
	memset(seen, 0, sizeof(seen));
	mark_waits(at);
	return seen[other.host][other.port];
}

/* Slots may wait for each other in a cycle only in simple rings, round which frames need one free
 * slot, and all that enter need two. */
static bool
check_waits(void)
{
	unsigned int host, port, q, round;

	for (host = 0; host < graph.hosts; host++)
		for (port = 0; port < RB_MAX_PORTS; port++) {
			const struct rb_end at = {(uint8_t)host, (uint8_t)port};

			if (waits_for(at, at) && issued[host][port] == RB_PASS)
				return false;
			for (q = 0, round = 0; q < RB_MAX_PORTS; q++) {
				const struct rb_end next = {graph.end[host][port].host, (uint8_t)q};
				uint8_t need = onward[host][port][q];
				bool in_ring = need != 0 && waits_for(next, at);

				round += in_ring;
				if (in_ring ? need != RB_PASS
					    : need == RB_PASS && waits_for(next, next))
					return false;
			}
			if (round > 1)
				return false;
		}
	return true;
}

/* @return did all arrive, over no more hops than are counted? */
static bool
all_arrive(bool answer)
{
	unsigned int from, to, hops;
	bool all = true;

	memset(onward, 0, sizeof(onward));
	memset(issued, 0, sizeof(issued));
	memset(carried, 0, sizeof(carried));
	for (from = 0; from < graph.hosts; from++)
		for (to = 0; to < graph.hosts; to++)
			if (from != to) {
				hops = follow_frame(from, to, answer);
				all &= hops > 0 && hops <= rb_graph_hops(&graph, from, to);
			}
	return all;
}

static bool
neighbours_are_one_hop_away(void)
{
	unsigned int h, p;

	for (h = 0; h < graph.hosts; h++)
		for (p = 0; p < RB_MAX_PORTS; p++)
			if (graph.end[h][p].port != RB_PORT_NONE &&
			    rb_graph_hops(&graph, h, graph.end[h][p].host) != 1)
				return false;
	return true;
}

/* Requests and answers have slots of their own. */
static void
check_graph(void)
{
	CU_ASSERT_TRUE(neighbours_are_one_hop_away());
	CU_ASSERT_TRUE(all_arrive(false) && check_waits());
	CU_ASSERT_TRUE(all_arrive(true) && check_waits());
}

static void
check_words(const char *words, unsigned int hosts, enum rb_graph_kind kind)
{
	CU_ASSERT_EQUAL_FATAL(wiring_read(&graph, words, hosts, why, sizeof(why)), 0);
	CU_ASSERT_STRING_EQUAL(rb_graph_kinds[graph.kind], rb_graph_kinds[kind]);
	check_graph();
}

static void
tori(void)
{
	char words[16];
	unsigned int x, y;

	for (x = 2; x <= 8; x++)
		for (y = x == 2 ? 3 : 2; y <= 8; y++) {
			snprintf(words, sizeof(words), "torus=%ux%u", x, y);
			check_words(words, x * y, RB_GRAPH_TORUS);
			CU_ASSERT_TRUE(graph.columns == x && graph.rows == y);
		}
}

static void
named_graphs(void)
{
	unsigned int n;

	for (n = 2; n <= 16; n++) {
		check_words("ring", n, RB_GRAPH_RING);
		check_words("double", n, RB_GRAPH_RING);
		check_words("chain", n, RB_GRAPH_CHAIN);
	}
	for (n = 4; n <= 9; n++)
		check_words("mesh", n, RB_GRAPH_MESH);
	check_words("0-1 0-1 1-2 2-0", 3, RB_GRAPH_MESH);
	check_words("0-1 0-1 1-2 2-3 3-0", 4, RB_GRAPH_OTHER);
	check_words("torus=2x2", 4, RB_GRAPH_RING); /* two parallel ones */
	check_words("0-2 2-1 1-3 3-0", 4, RB_GRAPH_RING);
}

/* Single cables carry up to 5 of these frames in the ring, and 4 in the chain. */
static void
parallel_cables_share(void)
{
	unsigned int h, p;

	check_words("double", 6, RB_GRAPH_RING);
	for (h = 0; h < 6; h++)
		for (p = 0; p < 4; p++)
			CU_ASSERT_TRUE(carried[h][p] > 0 && carried[h][p] <= 3);
	check_words("0-1 0-1 1-2 1-2 2-3 2-3", 4, RB_GRAPH_OTHER);
	for (p = 0; p < 4; p++)
		CU_ASSERT_TRUE(carried[1][p] > 0 && carried[1][p] <= 2);
}

/* What the runtime did before it knew graphs: port 0 to the left, port 1 to the right. */
static void
rings_as_ever(void)
{
	unsigned int n, from, to;

	for (n = 2; n <= 16; n++) {
		CU_ASSERT_EQUAL_FATAL(wiring_read(&graph, "ring", n, why, sizeof(why)), 0);
		for (from = 0; from < n; from++) {
			for (to = 0; to < n; to++) {
				const struct rb_route r = rb_rule_route(from, to, n);

				CU_ASSERT_EQUAL(rb_graph_hops(&graph, from, to), r.hops);
				if (from == to)
					continue;
				CU_ASSERT_EQUAL(rb_graph_next(&graph, from, RB_PORT_NONE, to),
						r.port);
				CU_ASSERT_EQUAL(rb_graph_answer(&graph, to, from), r.port ^ 1u);
			}
		}
	}
}

static unsigned int
draw_number(uint64_t *state, unsigned int below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(*state >> 33) % below;
}

/* The hosts of all as collectives see them. @return hops round the first row */
static unsigned int
lay_out(struct coll_grid *g)
{
	coll_hops hops[COLL_GROUPS];
	unsigned int a, b, sum = 0;
	uint64_t found = 0;

	for (a = 0; a < graph.hosts; a++)
		for (b = 0; b < graph.hosts; b++)
			hops[a][b] = (uint8_t)rb_graph_hops(&graph, a, b);
	coll_grid_lay(g, hops, graph.hosts);
	CU_ASSERT_EQUAL_FATAL(g->columns * g->rows, graph.hosts);
	for (a = 0; a < graph.hosts; a++) {
		found |= 1ull << g->order[a];
		CU_ASSERT_EQUAL(g->places[g->order[a]], a);
	}
	CU_ASSERT_EQUAL(found, UINT64_MAX >> (64 - graph.hosts));
	for (a = 0; a < (unsigned int)g->columns; a++)
		sum += hops[g->order[a]][g->order[(a + 1) % (unsigned int)g->columns]];
	return sum;
}

static void
check_grid(const char *words, unsigned int hosts, int columns, unsigned int hops)
{
	struct coll_grid g;

	CU_ASSERT_EQUAL_FATAL(wiring_read(&graph, words, hosts, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL_FATAL(rb_graph_check(&graph, why, sizeof(why)), 0);
	rb_graph_set(&graph);
	CU_ASSERT_EQUAL(lay_out(&g), hops);
	CU_ASSERT_EQUAL(g.columns, columns);
}

static void
grids(void)
{
	char words[16];
	int x, y;

	for (x = 3; x <= 8; x++)
		for (y = 3; y <= 8; y++) {
			snprintf(words, sizeof(words), "torus=%dx%d", x, y);
			check_grid(words, (unsigned int)(x * y), x, (unsigned int)x);
		}
	check_grid("ring", 8, 8, 8);
	check_grid("double", 5, 5, 5);
	check_grid("chain", 4, 4, 6);
	check_grid("mesh", 4, 4, 4);
	check_grid("mesh", 6, 2, 2);
	check_grid("mesh", 7, 7, 7);
	/* rings in another order than the numbers */
	check_grid("0-3,3-1,1-4,4-2,2-0", 5, 5, 5);
	check_grid("0-6,6-2,2-4,4-0,2-1,1-5,5-3,4-3", 7, 7, 7);
	/* a torus without the cables that close it */
	check_grid("0-1,1-2,3-4,4-5,6-7,7-8,0-3,3-6,1-4,4-7,2-5,5-8", 9, 3, 4);
}

/* A tree, in which hosts follow one of the four before, and more cables by lot. */
static void
draw_cables(uint64_t *state, unsigned int hosts, char *words)
{
	unsigned int a, b, i, n = hosts + draw_number(state, 2 * hosts);

	for (i = 1; i < n; i++) {
		a = i < hosts ? i : draw_number(state, hosts);
		b = i < hosts ? (i < 4 ? 0 : i - 4) + draw_number(state, i < 4 ? i : 4)
			      : (a + 1 + draw_number(state, hosts - 1)) % hosts;
		words += sprintf(words, "%u-%u ", a, b);
	}
}

/* Random graphs, each losing one cable after the other until it falls apart. */
static void
random_graphs(void)
{
	uint64_t seed, state;
	unsigned int hosts, graphs = 0;
	char words[512];

	for (seed = 1; graphs < 300; seed++) {
		state = seed;
		hosts = 3 + draw_number(&state, 10);
		draw_cables(&state, hosts, words);
		if (wiring_read(&graph, words, hosts, why, sizeof(why)) < 0)
			continue; /* too many at one host */
		for (graphs++; rb_graph_check(&graph, why, sizeof(why)) == 0;) {
			rb_graph_set(&graph);
			check_graph();
			rb_graph_cut(&graph, (struct rb_end){(uint8_t)draw_number(&state, hosts),
							     (uint8_t)draw_number(&state, 4)});
		}
		CU_ASSERT_EQUAL(rb_graph_check(&graph, why, sizeof(why)), -ENETUNREACH);
	}
}

static void
check_why(const char *words, unsigned int hosts, const char *expected)
{
	CU_ASSERT_TRUE(wiring_read(&graph, words, hosts, why, sizeof(why)) < 0);
	CU_ASSERT_STRING_EQUAL(why, expected);
}

static void
wrong_words(void)
{
	check_why("torus=3x3", 8, "torus=3x3 joins 9 hosts, and there are 8");
	check_why("torus=9", 9, "torus=9: say torus=COLUMNSxROWS, both 2 at least");
	check_why("mesh", 10, "mesh: a host has 8 ports, so 9 hosts at most, not 10");
	check_why("0-1 2-2", 3,
		  "2-2: a cable joins free ports of two of hosts 0 to 2, with 8 each");
	check_why("0.1-1.0 1.0-2.0", 3,
		  "1.0-2.0: a cable joins free ports of two of hosts 0 to 2, with 8 each");
	check_why("0.1-1", 2, "'0.1-1' is no cable: say " WIRING_WORDS);
	check_why("0-1 line", 3, "'line' is no cable: say " WIRING_WORDS);
	check_why("0-1 2-3", 4, "no cables lead from host 0 to host 2");
	check_why("ring", 65, "65 hosts: 1 to 64 can be joined");
}

/* A wiring without some of its cables, which lie at the ends of @p lost. */
static void
check_nearest(const char *words, unsigned int hosts, const struct rb_end *lost, unsigned int n,
	      const char *name)
{
	static struct wiring_near near;
	unsigned int i;

	CU_ASSERT_EQUAL(wiring_read(&graph, words, hosts, why, sizeof(why)), 0);
	for (i = 0; i < n; i++)
		rb_graph_cut(&graph, lost[i]);
	CU_ASSERT_EQUAL(rb_graph_check(&graph, why, sizeof(why)), 0);
	rb_graph_set(&graph);
	wiring_nearest(&graph, &near);
	CU_ASSERT_EQUAL(near.missing, name == NULL ? WIRING_FAR : n);
	CU_ASSERT_STRING_EQUAL(name == NULL ? "other" : name, near.name);
	for (i = 0; i < n && name != NULL; i++) {
		const struct rb_end end = near.graph.end[lost[i].host][lost[i].port];

		CU_ASSERT_NOT_EQUAL(end.port, RB_PORT_NONE);
		rb_graph_set(&near.graph);
		CU_ASSERT_NOT_EQUAL(near.graph.kind, RB_GRAPH_OTHER);
	}
}

static void
nearest_wirings(void)
{
	static const struct rb_end lost[] = {{3, 2}, {5, 1},  {15, 0}, {1, 3}, {2, 3},
					     {6, 1}, {10, 3}, {8, 1},  {9, 1}};

	check_nearest("torus=4x4", 16, lost, 0, "torus");
	check_nearest("torus=4x4", 16, lost, 1, "a torus of 4x4");
	check_nearest("torus=4x4", 16, lost, 8, "a torus of 4x4");
	check_nearest("torus=4x4", 16, lost, 9, NULL);
	check_nearest("torus=2x8", 16, lost, 1, "a torus of 2x8");
	check_nearest("double", 5, lost, 1, "a ring of two cables each");
	check_nearest("mesh", 5, lost, 1, "a full mesh");
	check_nearest("0-1 1-2 2-3 3-0 0-2 0-4", 5, lost, 0, NULL);
	check_nearest("chain", 5, lost, 0, "chain");
	/* the words of an issue: host 3, port 2 is where a torus of 4x4 needs host 7 */
	check_nearest("torus=4x4", 16, (const struct rb_end[]){{7, 2}}, 1, "a torus of 4x4");
}

TEST_PROGRAM("graph", NULL, NULL, {"named graphs", named_graphs}, {"tori", tori}, {"grids", grids},
	     {"rings as ever", rings_as_ever}, {"parallel cables share", parallel_cables_share},
	     {"random graphs", random_graphs}, {"wrong words", wrong_words},
	     {"nearest wirings", nearest_wirings})
