/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_OBSERVE_TRACE_FILE_H
#define RB_OBSERVE_TRACE_FILE_H

/**
 * @file
 * The file of a trace: a memfd that the launcher makes for each PE and reads when the job is over,
 * however it ended. No DPDK here, because the launcher includes this file too. The PE writes; the
 * launcher treats all of it as untrusted.
 *
 *     [ struct rb_trace_file | track 0 | track 1 | ... ]
 *
 * A track belongs to a thread and is a ring: when it is full the oldest records are lost, and head
 * says how many. Records of one track do not overlap partly: one lies inside the other, or they are
 * disjoint.
 *
 * Reading the clock twice takes as long as the shortest operations, and would slow them down. So
 * equal operations that follow each other closely make one record, a run. The clock is read before
 * and after the first of them, before the 2nd, 4th, 8th, 16th and 32nd, and then before every 64th.
 */

#include <stdint.h>

#if !defined(__x86_64__)
#include <time.h>
#endif

enum {
	RB_TRACE_MAGIC = 0x52425452, /* "RBTR" */
	RB_TRACE_TRACKS = 16,
	RB_TRACE_RECORDS = 32768, /* of a track; a power of two */
	RB_TRACE_RUN = 1024,	  /* operations of a record at most */
	RB_TRACE_BLIND = 64,	  /* operations between two readings of the clock at most */
	RB_TRACE_LONG = 32768,	  /* bytes from which an operation has a record of its own */
	RB_TRACE_CLOSE = 50000,	  /* ticks after which the next operation begins another run */
};

enum rb_trace_kind {
	RB_TRACE_NONE,
	RB_TRACE_PUT,
	RB_TRACE_GET,
	RB_TRACE_AMO,
	RB_TRACE_AMO_NBI, /**< nonblocking, or without a result */
	RB_TRACE_RELAY,	  /**< frames passed on to another host; peer: their target PE */
	RB_TRACE_SERVE, /**< requests of another host, executed here; peer: the PE that sent them */
	RB_TRACE_WAIT,
	RB_TRACE_BARRIER,
	RB_TRACE_KINDS
};

struct rb_trace_record {
	uint64_t begin, end; /**< rb_trace_clock() */
	uint64_t bytes;
	uint32_t peer; /**< PE at the other end */
	uint16_t count;
	uint16_t kind; /**< enum rb_trace_kind */
};
_Static_assert(sizeof(struct rb_trace_record) == 32, "two records a cache line");

struct rb_trace_track {
	uint64_t head;	  /**< records written since the start; stored after the record */
	uint32_t service; /**< 1: the track of a service lcore, which works for the whole host */
	uint32_t blind;	  /**< below this count the run does not read the clock */
	struct rb_trace_record run; /**< not yet among the records; kind RB_TRACE_NONE: none */
	uint64_t open; /**< begin of the run's first operation, while that operation runs */
	uint64_t unused2[7];
	struct rb_trace_record record[RB_TRACE_RECORDS];
};

struct rb_trace_file {
	uint32_t magic;
	uint32_t records; /**< RB_TRACE_RECORDS of the writer */
	uint64_t lost;	  /**< records of threads beyond RB_TRACE_TRACKS */
	uint64_t unused[6];
	struct rb_trace_track track[RB_TRACE_TRACKS];
};

/** Ticks; the same on all CPUs of a machine. */
static inline uint64_t
rb_trace_clock(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
#endif
}

#endif /* RB_OBSERVE_TRACE_FILE_H */
