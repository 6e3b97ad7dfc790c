/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef AGENT_H
#define AGENT_H

/**
 * @file
 * One side of a port test: it does what it is told, one thing at a time, and says what it saw. It
 * judges nothing. A command is a line of words, all numbers but the first; the answer is a line:
 * "ok" with numbers, or "no" with a reason.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rte_pmd_ntb_port.h"
#include "session.h"
#include "wait.h"

enum {
	AGENT_ARGS = 8,
	AGENT_REGIONS = 2,
};

struct agent {
	struct ntb_port_info info;
	struct ntb_port *port;
	struct ntb_port_config region[AGENT_REGIONS];
	unsigned int regions, current;
	bool started;
	uint64_t
		window_known; /**< the value of the first word at the peer, for flushes by a read */
	uint32_t woken;	      /**< the wake word, when it was looked at first */
	FILE *out;
	uint64_t arg[AGENT_ARGS];
	const char *word; /**< the last word, where a command takes a name */
};

/** Write an answer. @return true */
__attribute__((format(printf, 2, 3))) bool agent_ok(struct agent *a, const char *fmt, ...);
/** @return false */
__attribute__((format(printf, 2, 3))) bool agent_no(struct agent *a, const char *fmt, ...);

/** This side's region, now. */
uint8_t *agent_region(const struct agent *a);
uint64_t agent_region_len(const struct agent *a);
/** Is there an aligned word of 8 bytes at @p off of so many bytes? */
bool agent_has_word(uint64_t len, uint64_t off);
/** The port, if it is started. */
void agent_stop(struct agent *a);
/** 0, or an error where the link is dead: by the port's own flush, or by a read. */
int agent_flush(struct agent *a);

struct agent_command {
	const char *name;
	unsigned int args;
	bool named; /**< a word precedes the numbers */
	bool (*run)(struct agent *a);
};

#endif /* AGENT_H */
