/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "wiring.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/rules.h"

#define TORUS "torus="

enum {
	PORT_FREE = 99, /* the next one */
};

static void
join_ports(struct rb_graph *g, unsigned int a, unsigned int port_a, unsigned int b,
	   unsigned int port_b)
{
	rb_graph_join(g, (struct rb_end){(uint8_t)a, (uint8_t)port_a},
		      (struct rb_end){(uint8_t)b, (uint8_t)port_b});
}

/* @p n hosts from @p first on, @p step apart, by the ports of a ring. */
static void
join_ring(struct rb_graph *g, unsigned int ring, unsigned int first, unsigned int step,
	  unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n && n > 1; i++)
		join_ports(g, first + i * step, RB_RING_PORTS * ring + RB_PORT_NEXT,
			   first + (i + 1) % n * step, RB_RING_PORTS * ring + RB_PORT_PREV);
}

static int
wire_mesh(struct rb_graph *g, char *why, size_t size)
{
	unsigned int a, b;

	if (g->hosts > RB_MAX_PORTS + 1) {
		snprintf(why, size, "mesh: a host has %d ports, so %d hosts at most, not %u",
			 RB_MAX_PORTS, RB_MAX_PORTS + 1, g->hosts);
		return -EINVAL;
	}
	for (b = 1; b < g->hosts; b++)
		for (a = 0; a < b; a++)
			join_ports(g, a, b - 1, b, a);
	return 0;
}

static int
wire_torus(struct rb_graph *g, const char *size_words, char *why, size_t size)
{
	unsigned int columns, rows, i;
	int end = -1;

	if (sscanf(size_words, "%2ux%2u%n", &columns, &rows, &end) != 2 || end < 0 ||
	    size_words[end] != '\0' || columns < 2 || rows < 2) {
		snprintf(why, size, "torus=%s: say torus=COLUMNSxROWS, both 2 at least",
			 size_words);
		return -EINVAL;
	}
	if (columns * rows != g->hosts) {
		snprintf(why, size, "torus=%ux%u joins %u hosts, and there are %u", columns, rows,
			 columns * rows, g->hosts);
		return -EINVAL;
	}
	for (i = 0; i < rows; i++)
		join_ring(g, 0, i * columns, 1, columns);
	for (i = 0; i < columns; i++)
		join_ring(g, 1, i, columns, rows);
	return 0;
}

/* The next port of a host without a cable, or RB_MAX_PORTS. */
static unsigned int
free_port(const struct rb_graph *g, unsigned int host)
{
	unsigned int port = 0;

	while (port < RB_MAX_PORTS && g->end[host][port].port != RB_PORT_NONE)
		port++;
	return port;
}

/* "A-B", or "A.p-B.q" with the ports; else they are PORT_FREE. */
static bool
read_cable(const char *word, int length, unsigned int host[2], unsigned int port[2])
{
	int end = -1;

	port[0] = port[1] = PORT_FREE;
	if (!isdigit((unsigned char)word[0]))
		return false;
	if (sscanf(word, "%3u-%3u%n", &host[0], &host[1], &end) != 2)
		(void)sscanf(word, "%3u.%1u-%3u.%1u%n", &host[0], &port[0], &host[1], &port[1],
			     &end);
	return end == length;
}

static bool
is_free(const struct rb_graph *g, unsigned int host, unsigned int port)
{
	return port < RB_MAX_PORTS && g->end[host][port].port == RB_PORT_NONE;
}

/* One cable of a list. @return its length, 0 for an error */
static int
wire_cable(struct rb_graph *g, const char *word, char *why, size_t size)
{
	int length = (int)strcspn(word, " ,");
	unsigned int host[2], port[2], i;

	if (!read_cable(word, length, host, port)) {
		snprintf(why, size, "'%.*s' is no cable: say %s", length, word, WIRING_WORDS);
		return 0;
	}
	for (i = 0; i < 2; i++) {
		if (host[i] < g->hosts && port[i] == PORT_FREE)
			port[i] = free_port(g, host[i]);
		if (host[i] < g->hosts && host[0] != host[1] && is_free(g, host[i], port[i]))
			continue;
		snprintf(why, size,
			 "%.*s: a cable joins free ports of two of hosts 0 to %u, with %d each",
			 length, word, g->hosts - 1u, RB_MAX_PORTS);
		return 0;
	}
	join_ports(g, host[0], port[0], host[1], port[1]);
	return length;
}

static int
wire_list(struct rb_graph *g, const char *words, char *why, size_t size)
{
	int length;

	for (words += strspn(words, " ,"); *words != '\0'; words += strspn(words, " ,")) {
		length = wire_cable(g, words, why, size);
		if (length == 0)
			return -EINVAL;
		words += length;
	}
	return 0;
}

static int
wire_words(struct rb_graph *g, const char *words, char *why, size_t size)
{
	bool both = strcmp(words, "double") == 0, open = strcmp(words, "chain") == 0;

	if (both || open || strcmp(words, "ring") == 0) {
		join_ring(g, 0, 0, 1, g->hosts);
		if (both)
			join_ring(g, 1, 0, 1, g->hosts);
		if (open)
			rb_graph_cut(g, (struct rb_end){0, RB_PORT_PREV});
		return 0;
	}
	if (strcmp(words, "mesh") == 0)
		return wire_mesh(g, why, size);
	if (strncmp(words, TORUS, strlen(TORUS)) == 0)
		return wire_torus(g, words + strlen(TORUS), why, size);
	return wire_list(g, words, why, size);
}

int
wiring_read(struct rb_graph *g, const char *words, unsigned int hosts, char *why, size_t size)
{
	if (hosts == 0 || hosts > RB_MAX_HOSTS) {
		snprintf(why, size, "%u hosts: 1 to %d can be joined", hosts, RB_MAX_HOSTS);
		return -EINVAL;
	}
	rb_graph_init(g, hosts);
	if (wire_words(g, words, why, size) < 0 || rb_graph_check(g, why, size) < 0)
		return -EINVAL;
	rb_graph_set(g);
	return 0;
}

static unsigned int
count_between(const struct rb_graph *g, unsigned int a, unsigned int b)
{
	unsigned int n = 0, port;

	for (port = 0; port < RB_MAX_PORTS; port++)
		n += g->end[a][port].port != RB_PORT_NONE && g->end[a][port].host == b;
	return n;
}

/* Add the cables of @p all that @p g has not. @return how many; WIRING_FAR where @p g has others,
 * or a quarter of them is not there: then this wiring is not meant */
static unsigned int
add_missing(struct rb_graph *g, const struct rb_graph *all)
{
	unsigned int a, b, has, wants, n = 0, cables = 0;

	for (b = 1; b < g->hosts; b++)
		for (a = 0; a < b; a++) {
			has = count_between(g, a, b);
			wants = count_between(all, a, b);
			if (has > wants)
				return WIRING_FAR;
			n += wants - has;
			cables += wants;
			for (; has < wants; has++)
				join_ports(g, a, free_port(g, a), b, free_port(g, b));
		}
	return 4 * n > cables ? WIRING_FAR : n;
}

static void
try_wiring(const struct rb_graph *g, struct wiring_near *near, const char *words, const char *name)
{
	static struct rb_graph all, full;
	unsigned int n;
	char why[160];

	if (wiring_read(&all, words, g->hosts, why, sizeof(why)) < 0)
		return;
	full = *g;
	n = add_missing(&full, &all);
	if (n >= near->missing)
		return;
	near->missing = n;
	near->graph = full;
	snprintf(near->name, sizeof(near->name), "%s", name);
}

void
wiring_nearest(const struct rb_graph *g, struct wiring_near *near)
{
	unsigned int columns;
	char words[32], name[48];

	near->missing = g->kind == RB_GRAPH_OTHER ? WIRING_FAR : 0;
	near->graph = *g;
	snprintf(near->name, sizeof(near->name), "%s", rb_graph_kinds[g->kind]);
	for (columns = 2; columns <= g->hosts / 2u; columns++) {
		snprintf(words, sizeof(words), TORUS "%ux%u", columns, g->hosts / columns);
		snprintf(name, sizeof(name), "a torus of %s", words + strlen(TORUS));
		try_wiring(g, near, words, name);
	}
	try_wiring(g, near, "double", "a ring of two cables each");
	try_wiring(g, near, "mesh", "a full mesh");
}

static void
print_missing(const struct rb_graph *g, const struct wiring_near *near)
{
	unsigned int host, port;
	struct rb_end far;

	for (host = 0; host < g->hosts; host++)
		for (port = 0; port < RB_MAX_PORTS; port++) {
			far = near->graph.end[host][port];
			if (g->end[host][port].port != far.port && host < far.host)
				printf("host %u, port %u is where %s needs host %u, port %u\n",
				       host, port, near->name, far.host, far.port);
		}
}

void
wiring_print(const struct rb_graph *g)
{
	static struct wiring_near near;
	unsigned int host, port;
	struct rb_end far;

	for (host = 0; host < g->hosts; host++) {
		printf("host %u:", host);
		for (port = 0; port < RB_MAX_PORTS; port++) {
			far = g->end[host][port];
			if (far.port != RB_PORT_NONE)
				printf("  %u to %u.%u", port, far.host, far.port);
		}
		putchar('\n');
	}
	wiring_nearest(g, &near);
	if (near.missing == WIRING_FAR)
		puts("no regular wiring, or far from one");
	else if (near.missing == 0)
		printf("%s\n", near.name);
	else
		print_missing(g, &near);
}
