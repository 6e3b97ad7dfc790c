/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

/** @file What oshrun --trace wrote, as far as a replay needs it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRACE_PES = 1024,
};

enum trace_kind {
	TRACE_PUT,
	TRACE_GET,
	TRACE_ATOMIC,
	TRACE_ATOMIC_NBI,
	TRACE_WAIT,
	TRACE_BARRIER,
	TRACE_KINDS
};

/** A span of a program that lies in no other one. */
struct trace_span {
	enum trace_kind kind;
	double begin, end; /**< us */
	unsigned int pe;   /**< at the other end */
	uint64_t bytes;
	unsigned int count; /**< operations */
};

struct trace_pe {
	struct trace_span *span;
	size_t n, room;
	unsigned int barriers;
};

/** The programs of the PEs, from the end of each one's first barrier, which is that of
 *  shmem_init(). */
struct trace {
	unsigned int pes;
	struct trace_pe *pe;
	double begin; /**< us: when the last PE left its first barrier */
	double end;   /**< of the last span */
};

/** @return 0, or -errno after a line on stderr */
int trace_load(struct trace *ret, const char *name);
void trace_free(struct trace *t);

#endif /* SIM_TRACE_H */
