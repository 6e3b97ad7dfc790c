/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_RACE_LOG_H
#define SHMEMI_RACE_LOG_H

/**
 * @file
 * What the PEs have done with one PE's memory, in that PE's symmetric memory, so that all of them
 * meet there on every layout. One of them at a time has the lock of it, and a copy.
 */

#include <stdint.h>

#include "span.h"

enum {
	RACE_PES = 32,
	RACE_RECORDS = 512, /* of a PE's memory; more, and the oldest are forgotten */
	RACE_VIEWS = 64,    /* that a PE keeps of what it knew */
};

/** One access. A span is by name (rb_sym_name()). */
struct race_record {
	struct shmemi_span span;
	uint8_t kind; /**< enum shmemi_touch */
	uint8_t later;
	uint8_t seen; /**< by a PE that waited for just this: it has happened */
	int32_t pe;
	uint64_t clock; /**< number of the access: of those of its PE that are later, or are not */
	/* what a PE that sees this access knows of those before it: */
	uint64_t done;	 /**< accesses that were complete when their call returned */
	uint64_t fenced; /**< later ones to this memory, by a fence */
	uint64_t quiet;	 /**< later ones to any */
	uint64_t view;	 /**< number of what its PE knew of others */
	uint64_t epoch;	 /**< records of one may be joined */
	uint64_t place;	 /**< of the call in the program, shmemi_where_number() */
	char call[48];
};

struct race_head {
	uint64_t used; /**< records */
	uint64_t next; /**< that is overwritten when all are used */
	/** last accesses whose records were, of each PE: complete ones, later ones */
	uint64_t lost[RACE_PES][2];
};

/** Symmetric. */
struct race_log {
	/* PE + 1 of the one that has the lock; taken by an atomic, which pairs with the one that
	 * gives it back behind a fence */
	uint64_t lock;
	struct race_head head;	 /* under the lock, and the records too */
	uint64_t clock[2], view; /* stored by their PE alone, read by all: they only grow */
	struct race_record record[RACE_RECORDS];
};

/** The copy of the log that is held. */
struct race_copy {
	int pe;
	struct race_head head;
	struct race_record record[RACE_RECORDS];
};

int race_log_open(void);
void race_log_close(void);
/** This PE's own: for clock and view. */
struct race_log *race_log_mine(void);
void race_log_take(struct race_copy *c, int pe);
/** Give it back with record @p i changed; or with all of them, -1; or none, RACE_RECORDS */
void race_log_give(struct race_copy *c, int i);
/** Words of another PE's symmetric memory. */
void race_log_read(int pe, void *to, const void *from, size_t len);

#endif /* SHMEMI_RACE_LOG_H */
