/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_H
#define COLL_H

/**
 * @file
 * What the collectives share: the words of a team in symmetric memory, and the streams between
 * neighbouring ranks on which the algorithms are built.
 *
 * The hosts form a ring and PE numbers follow it, so the ranks of a team lie on the ring in order
 * and a message to the next rank crosses few links, often one. A chain of neighbours loads every
 * link once; recursive doubling would load the middle ones with everything.
 *
 * Every word has one writer and only counts up, for the lifetime of its team: waiting is for >=,
 * nothing is ever reset, and a PE may run ahead into the next collective. Two posts of a PE to the
 * same target are kept in order by a fence.
 */

#include "../shmemi.h"

enum {
	COLL_CHAIN = 32 * 1024,	 /**< bytes of a reduction from which on it is a chain */
	COLL_SLOTS = 64,	 /**< teams at a time; one bit each in a 64-bit word */
	COLL_ROUNDS = 8,	 /**< of a sync; covers teams of 3^8 members */
	COLL_DEPTH = 4,		 /**< buffers of a stream */
	COLL_BLOCKS = 64,	 /**< ranks with a word for their block of an alltoall */
	COLL_CHUNK = 8 * 1024,	 /**< bytes of one; a multiple of every element size */
	COLL_DIRECT = 64 * 1024, /**< bytes a direct transfer sends before the next hop starts */
};

/** Direction of a stream: towards higher ranks or towards lower ones, round the ring. */
enum coll_dir {
	COLL_UP,
	COLL_DOWN,
	COLL_DIRS
};

/** Symmetric words of a stream. A line for each neighbour that writes. */
struct coll_stream_words {
	/* written by the neighbour that sends to this PE */
	uint64_t sent;	 /**< buffers filled */
	uint64_t direct; /**< pieces stored straight into the destination */
	uint64_t pad_sender[6];
	/* written by the neighbour that this PE sends to */
	uint64_t freed; /**< buffers it has emptied */
	uint64_t ready; /**< times it allowed direct transfers into its destination */
	uint64_t pad_receiver[6];
};

struct coll_words {
	struct coll_stream_words stream[COLL_DIRS];
	uint64_t arrival[COLL_ROUNDS][COLL_DIRS];
	uint64_t block[COLL_BLOCKS]; /**< number of the alltoall whose block came from a rank */
};

/** Symmetric memory of a team slot. */
struct coll_slot {
	struct coll_words words;
	uint8_t buffer[COLL_DIRS][COLL_DEPTH][COLL_CHUNK];
};

/** This PE's own counts of one stream; private. */
struct coll_stream {
	uint64_t sent, received, freed, told; /* buffers; told: value last posted as freed */
	uint64_t direct_sent, direct_received;
	uint64_t ready_posted, ready_used;
};

/** State of a team in coll/. Used by one thread at a time, as the standard demands of teams. */
struct coll_team {
	struct coll_slot *mem;
	struct coll_stream stream[COLL_DIRS];
	uint64_t syncs; /**< done */
	uint64_t alltoalls;
	bool busy; /**< checked mode: a thread is in a collective; atomic */
};

/** One call of a collective. */
struct coll_op {
	const char *call;
	struct shmemi_team *team;
	struct coll_team *state;
	int n, rank;
};

/** @return whether @p team takes part at all: false for SHMEM_TEAM_INVALID */
bool coll_begin(struct coll_op *op, const char *call, shmem_team_t team);
void coll_begin_on(struct coll_op *op, const char *call, struct shmemi_team *team);
/** Bytes of @p n elements; ends the job where that overflows. */
size_t coll_bytes(const struct coll_op *op, size_t n, size_t size);
/** End the job with a message unless [addr, addr+len) is symmetric. */
void coll_check_dest(const struct coll_op *op, const void *addr, size_t len);

/* Checked mode (check.c): do all members make the same call, and one thread of each? */
void coll_check_enter(const struct coll_op *op, const void *dest, uint64_t size, uint64_t root)
	__attribute__((cold));
void coll_check_leave(const struct coll_op *op) __attribute__((cold));

/** Around each collective. What need not be alike on all members is 0. */
static inline void
coll_enter(const struct coll_op *op, const void *dest, uint64_t size, uint64_t root)
{
	if (shmemi.check && op->n > 1)
		coll_check_enter(op, dest, size, root);
}

static inline void
coll_leave(const struct coll_op *op)
{
	if (shmemi.check && op->n > 1)
		coll_check_leave(op);
}

/** World PE of the rank @p rank of the team, which may be off by up to one turn round it. */
int coll_pe(const struct coll_op *op, int rank);
/** Set @p word, this PE's address of it, on the PE of @p rank after all earlier operations. */
void coll_post(const struct coll_op *op, int rank, uint64_t *word, uint64_t value);
/** Order what was put to each PE before with what follows. */
void coll_fence(void);
/** Complete what this PE has put. */
void coll_quiet(void);
/** The context of the library's own operations: the user's are neither waited for nor ordered. */
struct rb_ctx *coll_ctx(void);
/** The same for atomics, in whose order nothing else stands. */
struct rb_ctx *coll_amo_ctx(void);

/* ---- streams: stream.c; a receiver sees buffers and direct pieces each in order ---- */

/** Send at most COLL_CHUNK bytes through a buffer of the next rank in direction @p dir. */
void coll_send(const struct coll_op *op, enum coll_dir dir, const void *data, size_t len);
/** Wait for the next buffer that comes in direction @p dir. */
void *coll_receive(const struct coll_op *op, enum coll_dir dir);
/** Give the buffer last received back. */
void coll_release(const struct coll_op *op, enum coll_dir dir);

/** Allow the rank before this one in direction @p dir one run of direct transfers. */
void coll_ready(const struct coll_op *op, enum coll_dir dir);
/** Wait until the next rank has allowed a run. */
void coll_await_ready(const struct coll_op *op, enum coll_dir dir);
/** Put a piece into the next rank's @p dest. */
void coll_direct_send(const struct coll_op *op, enum coll_dir dir, void *dest, const void *data,
		      size_t len);
/** Has the next piece in direction @p dir come? Then the next call will not wait. */
bool coll_direct_arrived(const struct coll_op *op, enum coll_dir dir);
/** Wait for the next piece in direction @p dir. */
void coll_direct_receive(const struct coll_op *op, enum coll_dir dir);

/* ---- the collectives, untyped ---- */

/** out[i] = a[i] op b[i] for n elements; out may be a or b. */
typedef void coll_combine(void *out, const void *a, const void *b, size_t n);

struct coll_reduction {
	coll_combine *combine;
	size_t size; /**< of an element */
	bool local;  /**< dest is private memory: no direct transfers */
};

void coll_sync(const struct coll_op *op);
void coll_broadcast(const struct coll_op *op, void *dest, const void *source, size_t len, int root);
/** @p exact: all members give the same @p len. */
void coll_collect(const struct coll_op *op, void *dest, const void *source, size_t len, bool exact);
/** Shape of an alltoall: strides in elements of @p size bytes. */
struct coll_strides {
	ptrdiff_t dst, sst;
	size_t nelems, size;
};
void coll_alltoalls(const struct coll_op *op, void *dest, const void *source,
		    const struct coll_strides *shape);
void coll_reduce(const struct coll_op *op, void *dest, const void *source, size_t n,
		 const struct coll_reduction *what);
/** What a chain through the ranks computes. */
enum coll_chain {
	COLL_REDUCE, /**< as coll_reduce(), for many elements */
	COLL_INSCAN,
	COLL_EXSCAN, /**< of sums: the first member gets zeros */
};
void coll_chain(const struct coll_op *op, void *dest, const void *source, size_t n,
		const struct coll_reduction *what, enum coll_chain kind);

#endif /* COLL_H */
