/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_PARAMS_H
#define SIM_PARAMS_H

/**
 * @file
 * The parameters and the program of a run, and its result.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/graph.h"

enum {
	SIM_NS = 1000, /**< picoseconds */
};

struct sim_params {
	const char *wiring; /**< words of wiring.h */
	unsigned int hosts;
	double bandwidth; /**< of a link, payload bytes a second in one direction */
	double copy;	  /**< bytes a second that a core copies */
	uint64_t latency; /**< ps from the end of a store until it is visible at the peer */
	uint64_t turn;	  /**< ps of a turn that finds nothing: a poll of all rings */
	uint64_t frame;	  /**< ps that a core needs for a frame in addition to copying it */
	uint64_t store;	  /**< ps that a core needs for one small store */
	uint32_t head;	  /**< bytes of framing and headers of a packet */
	uint32_t posted;  /**< bytes that a core may be ahead of its link */
	uint32_t segment; /**< bytes after which two writers of a link take turns */
	uint32_t chunk;	  /**< payload of a slot */
	uint32_t slots;	  /**< of a ring */
	bool pieces;	  /**< large puts in many pieces, as hosts with cores of their own do */
	bool memory;	  /**< windows are memory: no flush, gets from a neighbour are loads */
	bool atomics;	  /**< and its words are reached by the CPU's atomics */
	uint32_t enter;	  /**< free slots needed to enter; 0: as rb_share_enter() says; 1 shows the
			     deadlock */
	uint64_t seed;
};

/** The next operation of a program. */
struct sim_op {
	enum sim_kind {
		SIM_PUT,
		SIM_GET,	/**< blocking */
		SIM_ATOMIC,	/**< fetching: a request, also to a neighbour */
		SIM_ATOMIC_NBI, /**< nonblocking, or without a result */
		SIM_QUIET,
		SIM_BARRIER,
		SIM_COMPUTE, /**< for @ref len ps */
		SIM_AWAIT,   /**< until @ref len puts and atomics of @ref peer have come */
		SIM_END,
		SIM_KINDS
	} kind;
	unsigned int peer;
	uint64_t len;
};

/** The program of all hosts. */
struct sim_program {
	/** Operation number @p i of @p host. */
	struct sim_op (*op)(void *ctx, unsigned int host, uint64_t i);
	void *ctx;
	/** An operation of @p host took so many ps; NULL: nobody asks. */
	void (*took)(void *ctx, unsigned int host, enum sim_kind kind, uint64_t ps);
	/** At the end: the requests that left by a port. NULL: nobody asks. */
	void (*carried)(void *ctx, struct rb_end end, uint64_t requests);
};

struct sim_result {
	uint64_t end;	    /**< ps until the last host had finished */
	uint64_t first;	    /**< ps until host 0 had finished */
	uint64_t asked;	    /**< bytes put and got */
	uint64_t delivered; /**< bytes in their final places */
	uint64_t relayed;   /**< frames that a relay forwarded */
	uint32_t behind;    /**< turns in which others went before the same request, at most */
	/** When the first host had finished: the time, and the bytes of each that were stored. */
	uint64_t until, placed[RB_MAX_HOSTS];
	double share;	/**< at that time: the least bytes of a host against the most */
	double busiest; /**< share of the time that the busiest link was sending */
};

#endif /* SIM_PARAMS_H */
