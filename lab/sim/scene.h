/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SCENE_H
#define SCENE_H

/** @file Operations of the hosts of a run, and its figures. */

#include "sim.h"

enum scene_id {
	SCENE_PUT,	 /**< host 0 puts once, over so many hops, and waits for quiet */
	SCENE_GET,	 /**< host 0 gets once */
	SCENE_NEIGHBOUR, /**< all put to the right neighbour */
	SCENE_FAR,	 /**< all put far to the right, in a torus up too */
	SCENE_UNIFORM,	 /**< all put to hosts drawn by lot */
	SCENE_ALLTOALL,	 /**< all put to all others */
	SCENE_BUCKETS,	 /**< all fetch a place from all others, and put there; a barrier */
	SCENE_UPDATES,	 /**< all add to words of hosts drawn by lot; a barrier */
	SCENE_FETCHES,	 /**< the same with blocking compare-and-swaps */
	SCENE_BARRIER,
	SCENES
};

struct scene_info {
	const char *name;
	const char *title;
	bool sized;
	bool by_hops;
};

extern const struct scene_info scene_infos[SCENES];

struct scene {
	enum scene_id id;
	unsigned int hops;     /**< SCENE_PUT, SCENE_GET */
	uint64_t size;	       /**< bytes of a put or get */
	unsigned int messages; /**< of each host, or barriers */
};

struct scene_row {
	double us;    /**< of the transfer, of all traffic, of one barrier */
	double mbs;   /**< 10^6 bytes a second: of the transfer; of traffic, by host */
	double limit; /**< the limit of the links: MB/s, or us where there is no size */
	struct sim_result result;
	/** By host and port: frames of puts and gets that left there, and puts stored through it.
	 */
	uint64_t requests[RB_MAX_HOSTS][RB_MAX_PORTS];
};

/** The host that a single put or get is for; 0: none is that far away. */
unsigned int scene_target(const struct sim_params *p, unsigned int hops);

/** Run @p scene. @return as sim_run() */
int scene_run(const struct sim_params *p, const struct scene *scene, struct scene_row *ret,
	      const char **what);

#endif /* SCENE_H */
