/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_OP_H
#define COLL_OP_H

/**
 * @file
 * One call of a collective: its team, the state of that, and the messages between its members.
 */

#include "core/shmemi.h"
#include "words.h"

/** This PE's own counts of one stream; private. */
struct coll_stream {
	uint64_t sent, received, freed; /* buffers */
	uint64_t freed_posted;		/* value of `freed` that was posted last */
	uint64_t direct_sent, direct_received;
	uint64_t ready_posted, ready_used;
};

/** State of a team in coll/. Used by one thread at a time, as the standard demands of teams. */
struct coll_team {
	struct coll_slot *mem;
	struct coll_map *map; /**< where the members sit; NULL before the first collective */
	uint64_t step;	      /**< that this PE has entered last */
	uint64_t met;	      /**< step that all members on this host have entered */
	struct coll_stream stream[COLL_AXES][COLL_DIRS];
	uint64_t syncs;	  /**< done */
	uint64_t bundles; /**< of an alltoall that each host has sent to each other */
	uint64_t parts;	  /**< reductions that were made of parts (meet.c) */
	bool busy;	  /**< checked mode: a thread is in a collective; atomic */
};

/** One call of a collective. */
struct coll_op {
	const char *call;
	struct shmemi_team *team;
	struct coll_team *state;
	int n, rank;
	const int *ranks;    /**< in the team, of the members of a part of it; NULL: all */
	enum coll_axis axis; /**< whose streams it uses */
	uintptr_t posted; /**< checked mode: where the program posted it; 0: it is on the stack */
};

/** Posted collectives (posted.h), which complete before a blocking one of their team begins. Set by
 *  coll_posted_open(). */
extern void (*coll_drain)(const struct coll_op *op) __attribute__((visibility("hidden")));

/** @return whether @p team takes part at all: false for SHMEM_TEAM_INVALID */
bool coll_begin(struct coll_op *op, const char *call, shmem_team_t team);
void coll_begin_on(struct coll_op *op, const char *call, struct shmemi_team *team);
/** The same for a collective that waits its turn among the posted ones. */
static inline void
coll_begin_posted(struct coll_op *op, const char *call, struct shmemi_team *team)
{
	op->call = call;
	op->team = team;
	op->state = team->coll;
	op->n = team->size;
	op->rank = team->rank;
	op->ranks = NULL;
	op->axis = COLL_ROW;
	op->posted = 0;
}

/** Bytes of @p n elements; ends the job where that overflows. */
size_t coll_bytes(const char *call, size_t n, size_t size);
/** End the job with a message unless [addr, addr+len) is symmetric. */
void coll_check_dest(const struct coll_op *op, const void *addr, size_t len);

/** @p rank may be off by up to one turn round the members. */
static inline int
coll_wrap(const struct coll_op *op, int rank)
{
	return rank < 0 ? rank + op->n : rank >= op->n ? rank - op->n : rank;
}

/** World PE of the rank @p rank, likewise. */
int coll_pe(const struct coll_op *op, int rank);
/** Wait until *word >= value, with acquire order. The PE of @p rank writes it. */
void coll_wait(const struct coll_op *op, int rank, const uint64_t *word, uint64_t value);
/** Set @p word, this PE's address of it, on the PE of @p rank after all earlier operations. */
void coll_post(const struct coll_op *op, int rank, uint64_t *word, uint64_t value);
/** Shape of an alltoall: strides in elements of @p size bytes. */
struct coll_strides {
	ptrdiff_t dst, sst;
	size_t nelems, size;
};

/** out[i] = a[i] op b[i] for n elements; out may be a or b. */
typedef void coll_combine(void *out, const void *a, const void *b, size_t n);

struct coll_reduction {
	coll_combine *combine;
	size_t size; /**< of an element */
	bool local;  /**< dest is private memory, of at most COLL_OF_COLUMN bytes: one buffer */
};

/** Blocks of a collect, by rank. */
struct coll_blocks {
	const size_t *size; /**< NULL: all are of even */
	const size_t *offset;
	size_t even;
};

static inline size_t
coll_block_size(const struct coll_blocks *b, int rank)
{
	return b->size != NULL ? b->size[rank] : b->even;
}

static inline size_t
coll_block_offset(const struct coll_blocks *b, int rank)
{
	return b->size != NULL ? b->offset[rank] : (size_t)rank * b->even;
}

/** The result of a chain through the ranks. */
enum coll_chain {
	COLL_REDUCE, /**< as coll_reduce(), for many elements */
	COLL_INSCAN,
	COLL_EXSCAN, /**< of sums: the first member gets zeros */
};

enum coll_kind {
	COLL_WORK_SYNC,
	COLL_WORK_BARRIER, /**< completes the operations of the default context first */
	COLL_WORK_BROADCAST,
	COLL_WORK_BROADCAST_REST, /**< dest of the root stays as it is: on active sets */
	COLL_WORK_COLLECT,
	COLL_WORK_FCOLLECT,
	COLL_WORK_ALLTOALLS,
	COLL_WORK_REDUCE,
	COLL_WORK_SCAN,
};

/** A call of a collective as data: its arguments. Small, because a post writes all of it. */
struct coll_work {
	enum coll_kind kind;
	union {
		bool mixes;	       /**< of syncs: it may meet other calls that synchronise */
		int root;	       /**< of broadcasts */
		enum coll_chain chain; /**< of scans */
	};
	void *dest;
	const void *source;
	size_t len; /**< bytes; of reductions and scans: elements */
	union {
		struct coll_strides shape;  /**< of alltoalls */
		struct coll_reduction what; /**< of reductions and scans */
	};
};

#endif /* COLL_OP_H */
