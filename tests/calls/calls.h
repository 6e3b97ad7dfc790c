/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CALLS_H
#define CALLS_H

/**
 * @file
 * A fuzzer of OpenSHMEM calls. All PEs make the same program out of a seed, epoch by epoch
 * (make*.c), compute what all memory of all PEs is to hold after each call (ref*.c), and do their
 * own part of it (run*.c). The program has no races: plan.c keeps book of what each call reads and
 * writes, and of what happens before what.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shmem.h>

#include "kinds.h"
#include "pattern.h"
#include "type.h"

enum {
	MAX_PES = 64,
	LANES = 3,	      /* threads of a PE */
	CTXS = 6,	      /* contexts of a PE beside the default one */
	TEAMS = 32,	      /* slots; 0 is the world */
	BLOCKS = 4,	      /* of the heap that come and go */
	OPS = 192,	      /* of an epoch, at most */
	LOCKS = 6,	      /* lock i is lane i % LANES's */
	EPOCHS = 4096,	      /* that calls can be left out of */
	PSYNCS = 12,	      /* arrays for active sets */
	RANGES = 2 * MAX_PES, /* to look at after one call, two a PE at most */
	MAX_BLOCK = 1 << 16,
	STATIC_ROOM = 96 << 10,
	NO_CTX = -1, /* the default context */
};

/* Where bytes are. Private memory is not symmetric; all others are. */
enum region {
	R_HEAP,
	R_STATIC,
	R_PRIVATE,
	R_BLOCK,
	R_PSYNC = R_BLOCK + BLOCKS,
	REGIONS
};

struct place {
	int region;
	size_t off;
};

/** count blocks of len bytes, stride bytes apart from start to start. */
struct span {
	struct place at;
	size_t len, stride, count;
};

/** Bytes from its start to its end. */
static inline size_t
span_reach(const struct span *s)
{
	return s->count == 0 ? 0 : (s->count - 1) * s->stride + s->len;
}

struct team {
	int n, serial; /* tells teams of a slot apart */
	int pe[MAX_PES];
};

/** A word that is waited for goes from one value to the other, and is compared with the third. */
struct wait_word {
	uint64_t old, new, compare;
};

/** What a PE finds after a call. */
struct range {
	int pe;
	struct span at;
	unsigned char *bytes; /* of the blocks, without the gaps */
};

struct op {
	int id; /* of the epoch */
	int kind, what, form, type, lane;
	int pe, to, third;   /* PEs of the world */
	int ctx, ctx_serial; /* of pe; its team is the one below */
	bool nbi, fresh, plain, old, vector, test, aset, in_place;
	struct place dst, src, sig;
	size_t n, bsize;
	ptrdiff_t dst_stride, src_stride; /* elements */
	uint64_t value, cond, key;
	int cmp, slot, parent, psync;
	int start, stride; /* of a split, of an active set (its logarithm) */
	long options;
	struct team team;  /* PEs that take part, or that the context reaches */
	int from[MAX_PES]; /* PEs that update the words of a wait; how often each takes a lock */

	/* what the reference says */
	bool dropped;
	uint64_t ret;
	int ranges;
	struct range range[RANGES];
	struct wait_word *word; /* of a wait */
};

struct epoch {
	int number, n, lanes, end;
	size_t block[BLOCKS]; /* their sizes; they change at its head only */
	struct op op[OPS];
};

/* ---- the world (world.c) ---- */

struct ctx_state {
	int serial; /* 0: none */
	int team;   /* slot */
};

/** What the generator and the reference know of objects; both go through the same calls, but the
 *  reference leaves out those that are to be skipped. */
struct objects {
	bool team_live[TEAMS];
	struct team team[TEAMS];
	struct ctx_state ctx[MAX_PES][CTXS];
	size_t block[BLOCKS]; /* bytes, 0: none */
};

struct world {
	int me, npes;
	uint64_t seed;
	bool threads, verbose;
	long *locks;
	size_t room[REGIONS];
	unsigned char *mem[REGIONS];		 /* this PE's */
	unsigned char *shadow[REGIONS][MAX_PES]; /* what stands in everybody's */
	struct objects made, live;		 /* as generated, as run */
	shmem_team_t team[TEAMS];
	shmem_ctx_t ctx[CTXS];
};
extern struct world world;

void world_open(void);
void world_close(void);
int team_rank(const struct team *t, int pe);
static inline bool
op_includes(const struct op *op, int pe)
{
	return team_rank(&op->team, pe) >= 0;
}

/* ---- random numbers ---- */
void rnd_seed(uint64_t seed);
uint64_t rnd64(void);
/** 0 .. n - 1 */
size_t rnd(size_t n);
static inline bool
rnd_percent(unsigned int p)
{
	return rnd(100) < p;
}
/** 0 .. max, all magnitudes alike, and often beside a power of two. */
size_t rnd_length(size_t max);

/* ---- make*.c ---- */
void make_epoch(struct epoch *e, int number);

/* ---- ref*.c ---- */
void ref_epoch(struct epoch *e);
void ref_forget(struct epoch *e);

/* ---- run*.c ---- */
void run_epoch(const struct epoch *e);
/** Does PE @p pe do anything in the call? */
bool run_has_part(const struct op *op, int pe);

/* ---- skip.c ---- */
bool skip_read(const char *path);
bool skipped(int epoch, int op);
/** @p n, or the smaller length that the file has for this call. */
size_t skip_length(int epoch, int op, size_t n);

/* ---- show.c ---- */
void show_op(const struct op *op, int epoch);

/** Print what went wrong in @p op, and end the job. */
void fail(const struct op *op, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

#endif /* CALLS_H */
