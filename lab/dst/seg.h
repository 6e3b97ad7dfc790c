/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_SEG_H
#define LAB_DST_SEG_H

/**
 * @file
 * What all threads of a simulated job share: one slot each, and the state of the scheduler. Only
 * the thread that has the token reads or writes it, but for the futex words, by which the token
 * moves.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where every process maps it: no pointer into it need be kept. */
#define DST_AT ((struct seg *)0x5d5700000000)
#define DST_LOG_AT ((struct dst_record *)0x5d5800000000)
#define DST_ENV "RINGBELL_DST" /**< its file, for the programs that exec() starts */
#define DST_FD_MAX 256	       /**< descriptors of a process: oshrun and the EAL look at each */

#define NEVER UINT64_MAX

#define DST_LOG_OFFSET ((sizeof(struct seg) + 4095) & ~4095ul)

enum {
	DST_SLOTS = 384,
	DST_KEYS = 10, /* futexes that one call waits for: relay/sleep.c, of RB_MAX_PORTS ports */
	DST_SPACES = 256,
	DST_FAULTS = 16,
	DST_HOSTS = 64,
	DST_CABLE = 7000,  /* UDP ports of cables, from here on */
	DST_PACKETS = 512, /* that are on their way, at most */
	DST_PACKET = 9000, /* bytes */
};

/** What goes wrong; up to DST_HEAR at the cable from one host to the next. */
enum dst_verb {
	DST_CUT,
	DST_PLUG,
	DST_FLAP,
	DST_MUTE, /**< no store arrives of those that the first one sends */
	DST_DEAF, /**< no doorbell of the first one arrives */
	DST_HEAR, /**< doorbells arrive again; the last one of a cable */
	DST_KILL,
	DST_STOP,
	DST_CONTINUE,
	DST_SLOW,
	DST_REFUSE, /**< memory, to the next call */
	DST_FAST,   /**< a clock runs faster */
	DST_AHEAD,  /**< and shows a later time */
	DST_VERBS,
};

struct dst_fault {
	uint64_t at; /**< step */
	enum dst_verb verb;
	bool of_host; /**< else of a PE or of a cable */
	int a, b;     /**< PE, host, or hosts at the cable's ends */
};

enum slot_state {
	SLOT_FREE,
	SLOT_READY,
	SLOT_IDLE,  /**< until a shared word changes */
	SLOT_FD,    /**< until a call may have made a descriptor ready, or a process has ended */
	SLOT_FUTEX, /**< until it is woken */
	SLOT_SLEEP,
	SLOT_DEAD,
};

/** A futex word: a place in a shared object, or an address of a process. */
struct key {
	uint64_t object, offset;
};

struct slot {
	uint32_t go; /**< futex; 1: the token is yours */
	enum slot_state state;
	int pid, tid;
	unsigned int proc; /**< slot of the process's first thread */
	uint64_t deadline; /**< UINT64_MAX: none */
	uint64_t seen;	   /**< what counted changes or events at the wait's start */
	uint64_t since;	   /**< order among waiters of one futex */
	unsigned int ran;  /**< points since all others came first */
	unsigned int idle; /**< idle turns one after the other */
	unsigned int busy; /**< points since the last one */
	int priority;
	struct key key[DST_KEYS];
	unsigned int n_keys;
	int woken;	  /**< which key, -1: none */
	uint64_t signals; /**< pending: of the process in its first slot, else of the thread */
	uint64_t blocked; /**< signals */
	int pe, host;	  /**< -1: none */
	bool stopped, dies_with_parent, slow, refused; /**< of a process */
	unsigned int parent;			       /**< slot */
	uint64_t point;				       /**< its last point, for the report */
};

/** One that is on its way between hosts. */
struct packet {
	uint64_t at; /**< when it comes */
	int cable, from, to;
	size_t len; /**< 0: none */
};

/** A point, in the log. */
struct dst_record {
	uint64_t now, where, value;
	uint32_t thread, kind;
};

struct seg {
	uint64_t log_size, logged; /**< records; behind the segment in its file */
	uint64_t seed, random, hash;
	uint64_t steps, max_steps, until, now; /* ns */
	uint64_t changes, events, order, plain;
	uint64_t point_ns, max_now;	    /**< what a point takes; the end of time */
	struct dst_fault fault[DST_FAULTS]; /**< sorted */
	unsigned int n_faults, next_fault;
	uint64_t fault_at; /**< step of the next one, or of its next try; NEVER: none */
	uint32_t cable_go; /**< futex; 1: the watcher is to handle the cable of the next one */
	int cable_ret;
	struct {
		uint64_t fast_from, ahead; /* ns; NEVER: runs as the others */
	} clock[DST_HOSTS];
	uint64_t countdown; /* points until the next switch */
	unsigned int k;	    /* random walk: a switch at one in k points */
	unsigned int depth; /* PCT: change points; 0: random walk */
	uint64_t change_at[16];
	int lowest;
	unsigned int stall;	     /* at one in so many switches the thread stalls; 0: at none */
	unsigned int slots, threads; /**< threads: all that there ever were */
	unsigned int running;
	int leaving_pid, leaving_tid; /* whose end the receiver of the token waits for; 0: none */
	const char *verdict;	      /* in text; NULL: none yet */
	char text[256];
	unsigned int n_spaces;
	struct {
		uint64_t dev, ino;
		int host; /**< that mapped it first, so it is its memory */
	} space[DST_SPACES];
	bool dead[DST_HOSTS][DST_HOSTS]; /**< a host calls another one so */
	struct slot slot[DST_SLOTS];
	uint64_t odd;			/**< percent of packets */
	uint64_t ends[DST_HOSTS];	/**< by cable: bit h: host h has one */
	bool out[DST_HOSTS][DST_HOSTS]; /**< no packet passes from one host to another one */
	unsigned int packets;		/**< that were ever sent */
	struct packet packet[DST_PACKETS];
	uint8_t data[DST_PACKETS][DST_PACKET];
};

#endif /* LAB_DST_SEG_H */
