/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef AGENT_H
#define AGENT_H

/**
 * @file
 * One side of a port test: it does what it is told, one thing at a time, and says what it saw. It
 * judges nothing. A command is a line of a word and numbers; the answer is a line: "ok" with
 * numbers, or "no" with a reason.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "rte_pmd_ntb_port.h"

enum {
	AGENT_NUMBERS = 8,
	AGENT_REGIONS = 2,
	LINE = 64,
	SLOTS = 32,	 /**< of a test of order */
	SLOT = 4096,	 /**< bytes of one */
	DATA_AT = 65536, /**< where slots begin in a region */
	REGION_MIN = 1 << 20,
};

/** The head of a region. All but the last member are stored by the peer. */
struct region {
	_Alignas(LINE) port_word known; /**< flushes read it */
	_Alignas(LINE) port_word ping;
	_Alignas(LINE) port_word credit; /**< how far the peer has read what this side sent */
	/** Stored by this side, without the window; the peer reads it through its window. */
	_Alignas(LINE) port_word self[SLOTS];
};

_Static_assert(sizeof(struct region) <= DATA_AT, "slots lie behind it");
_Static_assert(DATA_AT + SLOTS * SLOT <= REGION_MIN, "slots fit");

struct agent {
	struct ntb_port_info info;
	struct ntb_port *port;
	struct ntb_port_config region[AGENT_REGIONS];
	unsigned int regions, current;
	bool started;
	_Atomic bool ends;     /**< for the thread that polls; relaxed, it is joined */
	uint64_t window_known; /**< the first word at the peer, for flushes by a read */
	/* a command, and its answer */
	const char *word; /**< before its numbers, where it takes one */
	uint64_t arg[AGENT_NUMBERS];
	int64_t number[AGENT_NUMBERS];
	unsigned int numbers;
	const char *text; /**< before the numbers of the answer, or NULL */
	const char *no;	  /**< why there is none, or NULL */
};

enum agent_needs {
	AGENT_WORD = 1 << 0,  /**< a word before the numbers */
	AGENT_BELLS = 1 << 1, /**< doorbells */
	AGENT_PADS = 1 << 2,  /**< the second number is that of a scratchpad */
	/** The first number says whose: 0 this side's region, 1 the window. The second one is the
	 * offset of a word there. */
	AGENT_PLACE = 1 << 3,
	AGENT_REGION = 1 << 4, /**< inbound memory at both sides: a started port */
};

struct agent_command {
	const char *name;
	unsigned int args, needs;
	void (*run)(struct agent *a);
};

/* each ends with a command without a name */
extern const struct agent_command port_commands[];     /**< what it is, regions, link */
extern const struct agent_command memory_commands[];   /**< values, stored and looked for */
extern const struct agent_command register_commands[]; /**< doorbells, scratchpads */
extern const struct agent_command rule_commands[];     /**< rules of order */
extern const struct agent_command rate_commands[];     /**< bandwidth, latency */

/** Commands from standard input, until it ends. @return exit status */
int serve_agent(const struct ntb_port_info *info);

/** One more number of the answer. */
static inline void
agent_say(struct agent *a, int64_t number)
{
	a->number[a->numbers++] = number;
}

/** This side's region, or the window; how many bytes may be accessed there. */
static inline uint8_t *
agent_memory(const struct agent *a, bool window)
{
	return window ? a->port->window : a->region[a->current].va;
}

static inline uint64_t
agent_length(const struct agent *a, bool window)
{
	return window ? a->port->window_size : a->regions == 0 ? 0 : a->region[a->current].len;
}

static inline struct region *
agent_region(const struct agent *a, bool window)
{
	return (struct region *)(void *)agent_memory(a, window);
}

/** Is there an aligned word of 8 bytes at @p off of so many bytes? */
static inline bool
agent_has_word(uint64_t len, uint64_t off)
{
	return off % 8 == 0 && len >= 8 && off <= len - 8;
}

/** The port, if it is started. */
static inline void
agent_stop(struct agent *a)
{
	if (a->started)
		access_stop(a->port);
	a->started = false;
}

/** 0, or an error where the link is dead: by the port's own flush, or by a read of a word that is
 * known, as the runtime does for ports without one. */
static inline int
agent_flush(struct agent *a)
{
	uint64_t word;
	int ret = ntb_flush_at(a->port, 0, &word);

	return ret == 0 && a->port->ops->flush == NULL && word != a->window_known ? -EIO : ret;
}

#endif /* AGENT_H */
