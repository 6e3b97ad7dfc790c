/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

/** @file State of a run, shared by the parts of the simulator. */

#include "base/shares.h"
#include "event.h"
#include "params.h"

struct sim;
struct sim_host;

/** One direction of a cable. */
struct sim_link {
	uint64_t free;	   /**< when all bytes written so far have left */
	uint64_t bytes;	   /**< sent */
	uint64_t requests; /**< frames of these, and puts stored through the window */
};

/** A program, or a service lcore; each has a core. */
struct sim_thread {
	struct sim *s;
	struct sim_host *host;
	void (*step)(struct sim_thread *t); /**< called while it does not wait */
	bool parked;
	bool news;			       /**< an event came while it was not parked */
	uint64_t more;			       /**< time that small stores add to its next step */
	struct sim_link *link;		       /**< of the copy under way */
	uint64_t left;			       /**< bytes of it */
	uint32_t part;			       /**< of them, before a program looks again */
	uint64_t lands;			       /**< when all of it has arrived */
	void (*between)(struct sim_thread *t); /**< segments of a copy; NULL: nothing to do */
};

enum sim_ring {
	SIM_OWN,
	SIM_TRANSIT,
	SIM_REPLY,
	SIM_WORD,
	SIM_ANSWER, /**< to a word */
	SIM_RINGS
};

enum sim_frame_op {
	SIM_F_PUT,
	SIM_F_GET,
	SIM_F_DATA,
	SIM_F_ACK,
};

struct sim_frame {
	enum sim_frame_op op;
	unsigned int src, dst; /**< its sender and its target */
	uint32_t len;
	uint32_t count; /**< F_ACK: requests that it covers */
	bool more;	/**< F_PUT: not the last frame of its put */
	bool atomic;	/**< F_GET: it changes memory of its target */
	bool word;	/**< goes in rings of words */
	uint32_t parts; /**< atomics that gathered, and of an answer to them; 0: it is not of these
			 */
};

/** The producer's half of a ring that leaves by a port, and the consumer's of one that comes in. */
struct sim_tx {
	uint32_t pos, credit;
	uint64_t lands; /**< the last frame: the next one does not overtake it */
};
struct sim_rx {
	struct sim_frame *slot;
	uint32_t room, head, tail, returned; /**< slots; next to poll, next to land */
	uint32_t behind, before; /**< turns in which others went before its head; of that ring */
};
struct sim_acks {
	uint32_t count;
	bool queued;
	uint8_t port; /**< by which the requests came */
};

/** The turn of a service lcore. */
struct sim_service {
	struct sim_thread thread;
	unsigned int port, ring, n;
	uint64_t bytes; /**< in the turn of that ring */
	bool within;	/**< a word has its turn within the copy of another frame */
	bool worked;
	uint32_t turn; /**< counted, from 2 */
	bool enters;   /**< the frame under copy */
	bool holds;    /**< a frame waits for others that are to go first */
	uint32_t late; /**< turns with acknowledgements pending */
	bool more;     /**< more frames of the request that was stored last are to come */
	enum {
		SIM_SCAN,
		SIM_COPIED, /**< out of the slot at the head */
		SIM_PAYING
	} state;
	unsigned int out, out_ring, sends; /**< target of the copy; port of the last request */
	struct sim_frame frame;		   /**< to commit there */
	bool stored;
};

/** Atomics for a host that have not left, and their frames that were not answered. */
struct sim_gather {
	uint32_t parts, bytes, under_way;
};

/** The program of a host. */
struct sim_app {
	struct sim_thread thread;
	struct sim_op op;
	uint64_t i;
	uint64_t began; /**< the operation */
	uint64_t done;	/**< bytes of it */
	uint32_t piece;
	enum {
		SIM_FETCH,
		SIM_BEGIN,
		SIM_ISSUE,
		SIM_WRITTEN,
		SIM_DIRECT,
		SIM_HELD, /**< a frame of atomics waits for a slot */
		SIM_SENT, /**< it has one */
		SIM_WAIT,
		SIM_EXPECT,
		SIM_MEET,
		SIM_OVER
	} state;
	unsigned int port;
	bool direct[RB_MAX_PORTS]; /**< stores that need a flush */
	uint64_t issued, acked;
	uint32_t pending; /**< gets, and frames of atomics */
	struct sim_gather gather[RB_MAX_HOSTS];
	uint32_t gathered; /**< of all hosts */
	unsigned int to;   /**< SIM_HELD, SIM_SENT: for this host */
	uint64_t epoch;
	/* a barrier round a ring: words that the neighbours write, those to store by side; 0: none
	 */
	struct rb_arrivals seen;
	uint64_t word[RB_MAX_PORTS], next[RB_RING_PORTS];
	bool leave;
	/* in another wiring, by host: what neighbours write, and what is known and told */
	uint64_t arrived[RB_MAX_PORTS][RB_MAX_HOSTS];
	uint64_t heard[RB_MAX_HOSTS], told[RB_MAX_PORTS][RB_MAX_HOSTS];
};

struct sim_host {
	struct sim *s;
	unsigned int id;
	struct sim_link link[RB_MAX_PORTS];
	struct rb_shares shares[RB_MAX_PORTS];
	uint64_t sent[RB_MAX_PORTS]; /**< by its program (rb_share_paces()) */
	struct sim_tx tx[RB_MAX_PORTS][SIM_RINGS];
	struct sim_rx rx[RB_MAX_PORTS][SIM_RINGS];
	struct sim_service service;
	struct sim_app app;
	uint64_t placed;	 /**< bytes of its puts that were stored */
	struct sim_acks *acks;	 /**< by source host */
	unsigned int *ack_queue; /**< source hosts with acks to send */
	unsigned int acks_queued;
};

struct sim {
	struct sim_params p;
	struct rb_graph graph;
	unsigned int ports; /**< of a host at most */
	struct event_queue q;
	struct sim_host *host;
	const struct sim_program *program;
	struct sim_result r;
	const char *broken; /**< the first broken rule */
	uint64_t random;
	unsigned int running;	  /**< programs */
	struct sim_frame *frames; /**< slots of all rings */
	struct sim_acks *acks;
	unsigned int *ack_queue;
	uint32_t *messages; /**< puts and atomics that are complete, by target and source */
};

static inline uint64_t
sim_time(uint64_t bytes, double rate)
{
	return (uint64_t)((double)bytes * 1e12 / rate);
}

static inline unsigned int
sim_peer(const struct sim_host *h, unsigned int port)
{
	return h->s->graph.end[h->id][port].host;
}

/** The port there. */
static inline unsigned int
sim_peer_port(const struct sim_host *h, unsigned int port)
{
	return h->s->graph.end[h->id][port].port;
}

#endif /* SIM_STATE_H */
