/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef WIRING_H
#define WIRING_H

/**
 * @file
 * Which cables join emulated or simulated hosts, in words: `--wiring` of oshrun and ringbell-sim;
 * and a graph in words for people, with the cables that it lacks.
 */

#include <stddef.h>

#include "base/graph.h"

#define WIRING_WORDS "ring|chain|double|mesh|torus=XxY|\"0-1 1-2 0.3-2.1 ...\""

/**
 * One of @ref WIRING_WORDS; the last one names each cable by its two hosts, which take their next
 * free ports for it, or by hosts and ports. In rings port 0 leads to the host before and port 1 to
 * the next; ports 2 and 3 are those of the second ring of "double", or of the column of a torus.
 * @return 0 and @p g, checked and set, or -EINVAL; @p why then says what is wrong, and what to do
 */
int wiring_read(struct rb_graph *g, const char *words, unsigned int hosts, char *why, size_t size);

enum {
	WIRING_FAR = 1024, /**< more cables than any graph has */
};

/** The regular wiring that a graph is, or is nearest to. */
struct wiring_near {
	unsigned int missing;  /**< cables; WIRING_FAR: a quarter of any, or it has others */
	struct rb_graph graph; /**< with these, at the first ports that are free */
	char name[48];
};

/**
 * Of torus (the fewest columns first), ring of two cables each, full mesh: the one of which a
 * checked and set graph lacks fewest cables. Hosts have the places that their numbers say. Nothing
 * is missing in a chain or ring: as hosts are joined, a ring without a cable is a chain.
 */
void wiring_nearest(const struct rb_graph *g, struct wiring_near *near);
/** A line for each host, and the cables that are missing. */
void wiring_print(const struct rb_graph *g);

#endif /* WIRING_H */
