/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_WORDS_H
#define COLL_WORDS_H

/**
 * @file
 * The symmetric memory of a team: words in which its members post how far they are, and buffers for
 * data on the way.
 *
 * Every word has one writer and only counts up, for the lifetime of its team: waiting is for >=,
 * nothing is ever reset, and a PE may run ahead into the next collective. Two posts of a PE to the
 * same target are kept in order by a fence.
 */

#include <stdint.h>

enum {
	COLL_FEW = 4 * 1024,	 /**< bytes that all have, up to which each member folds all */
	COLL_CHAIN = 32 * 1024,	 /**< bytes of a reduction from which on it is a chain */
	COLL_SLOTS = 64,	 /**< teams at a time; one bit each in a 64-bit word */
	COLL_ROUNDS = 8,	 /**< of a sync; covers teams of 3^8 members */
	COLL_DEPTH = 4,		 /**< buffers of a stream */
	COLL_GROUPS = 64,	 /**< hosts that members of a team may be on */
	COLL_LOCALS = 512,	 /**< members of a team on a host: an element of each fits a step */
	COLL_STEPS = 16,	 /**< lines of a member: it may be this many minus one steps ahead
				  *  */
	COLL_STAGES = 4,	 /**< the same with data that exceed a line; divides COLL_STEPS */
	COLL_SMALL = 32,	 /**< bytes that a step's line has room for */
	COLL_ELEMENT = 16,	 /**< bytes of the largest element of an alltoall */
	COLL_STAGE = 8 * 1024,	 /**< bytes that a step has room for; a multiple of element sizes */
	COLL_BUNDLE = 16 * 1024, /**< bytes of an alltoall that all hosts send to one at a time */
	COLL_PARTS = 4,		 /**< hosts between which a reduction goes in parts (meet.c) */
	COLL_PART = 64,		 /**< bytes of such a reduction */
	COLL_CHUNK = 8 * 1024,	 /**< bytes of one; a multiple of every element size */
	COLL_OF_ROW = 4 * 1024,	 /**< the part of one that a row has where there are columns */
	COLL_OF_COLUMN = 3 * 1024,
	COLL_OF_RANKS = 1024,
	COLL_DIRECT = 64 * 1024, /**< bytes a direct transfer sends before the next hop starts */
};

/** Axes of the hosts of a team (grid.h). A host has other neighbours on each, and other streams. */
enum coll_axis {
	COLL_ROW, /**< all hosts, where they are no grid */
	COLL_COLUMN,
	COLL_RANKS, /**< all in the order of their first ranks, where that is not the row */
	COLL_AXES
};

_Static_assert(COLL_OF_ROW + COLL_OF_COLUMN + COLL_OF_RANKS == COLL_CHUNK, "parts of a buffer");

/** Direction of a stream: towards higher places on an axis or towards lower ones, round it. */
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

/** What a member contributes to a step (step.h); written by it, read by the members on its host. */
struct coll_line {
	_Alignas(64) uint64_t mark; /**< number of the step, set last */
	uint64_t len;		    /**< bytes it has */
	uint64_t at; /**< where they are (rb_sym_name()); 0: in small, or the stage */
	_Alignas(16) uint8_t small[COLL_SMALL];
};

/** The parts of a reduction that came from the groups; their senders write them. */
struct coll_parts {
	_Alignas(64) uint8_t data[COLL_PARTS][COLL_PART];
	uint64_t number[COLL_PARTS]; /**< of the reduction, set last */
};

struct coll_words {
	struct coll_stream_words stream[COLL_AXES][COLL_DIRS];
	uint64_t arrival[COLL_AXES][COLL_ROUNDS][COLL_DIRS];
	uint64_t bundle[COLL_GROUPS]; /**< number of the last bundle that came from a group */
	struct coll_line line[COLL_STEPS];
	struct coll_parts parts[2];
	_Alignas(64) uint64_t parts_sent; /**< leader: last reduction that this host has sent its
					     part of; atomic */
	_Alignas(64) uint64_t left; /**< members on this host that have left the team; atomic */
};

/** Symmetric memory of a team slot. */
struct coll_slot {
	struct coll_words words;
	uint8_t stage[COLL_STAGES][COLL_STAGE]; /**< a step's data where they exceed its line */
	uint8_t buffer[COLL_DIRS][COLL_DEPTH][COLL_CHUNK]; /**< the axes share each */
	uint8_t bundle[2][COLL_BUNDLE];
};

#endif /* COLL_WORDS_H */
