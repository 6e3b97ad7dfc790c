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

/* "A-B" of a list. @return its length, 0 for an error */
static int
wire_cable(struct rb_graph *g, const char *word, char *why, size_t size)
{
	int length = (int)strcspn(word, " ,"), end = -1;
	unsigned int host[2], i;

	if (!isdigit((unsigned char)word[0]) ||
	    sscanf(word, "%3u-%3u%n", &host[0], &host[1], &end) != 2 || end != length) {
		snprintf(why, size, "'%.*s' is no cable: say %s", length, word, WIRING_WORDS);
		return 0;
	}
	for (i = 0; i < 2; i++)
		if (host[i] >= g->hosts || host[0] == host[1] ||
		    free_port(g, host[i]) == RB_MAX_PORTS) {
			snprintf(why, size,
				 "%.*s: a cable joins two of hosts 0 to %u, each with %d ports at "
				 "most",
				 length, word, g->hosts - 1u, RB_MAX_PORTS);
			return 0;
		}
	join_ports(g, host[0], free_port(g, host[0]), host[1], free_port(g, host[1]));
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
