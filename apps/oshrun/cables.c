/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdbool.h>

#include "base/launcher_msg.h"
#include "oshrun.h"

/* Does a cable count at this end? On a ring, at the port to the next host. */
static bool
counts_here(const struct rb_graph *g, int host, int port)
{
	struct rb_end far = g->end[host][port];

	if (far.port == RB_PORT_NONE || port % 2 != far.port % 2)
		return far.port != RB_PORT_NONE && port % 2 != 0;
	return host < far.host;
}

/* The number of the cable at a port, and which end of it that is: in a ring, cable k joins port 1
 * of host k and port 0 of the next one; -1: none. */
int
cables_number(const struct options *opt, int host, int port, int *ret_end)
{
	const struct rb_graph *g = &opt->graph;
	struct rb_end far = g->end[host][port];
	int h, p, k = 0;

	if (opt->hosts == 1 || far.port == RB_PORT_NONE)
		return -1;
	*ret_end = counts_here(g, host, port) ? RB_CABLE_RIGHT_PORT : RB_CABLE_LEFT_PORT;
	if (*ret_end == RB_CABLE_LEFT_PORT) {
		host = far.host;
		port = far.port;
	}
	for (h = 0; h <= host; h++)
		for (p = 0; p < (h == host ? port : RB_MAX_PORTS); p++)
			k += counts_here(g, h, p);
	return k;
}

int
cables_count(const struct options *opt)
{
	int h, p, n = 0;

	for (h = 0; h < opt->hosts; h++)
		for (p = 0; p < RB_MAX_PORTS; p++)
			n += counts_here(&opt->graph, h, p);
	return n;
}

/* Ports that some host has. */
int
cables_ports(const struct options *opt)
{
	const struct rb_graph *g = &opt->graph;
	int h, p, n = 0;

	for (h = 0; h < g->hosts; h++)
		for (p = n; p < RB_MAX_PORTS; p++)
			if (g->end[h][p].port != RB_PORT_NONE)
				n = p + 1;
	return n;
}
