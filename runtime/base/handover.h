/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_HANDOVER_H
#define RB_BASE_HANDOVER_H

/**
 * @file
 * The files that oshrun passes on to a PE, once more: what is between them may close descriptors,
 * as Python's subprocess does. oshrun keeps them, and hands them over by a socket with an abstract
 * name. The control socket could not be opened by /proc.
 *
 * RINGBELL_FILES: "NAME FD:DEVICE:INODE ...", the socket's name and what was passed on.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/deal.h"

enum {
	RB_HANDOVER_MAGIC = 0x52424846, /* "RBHF" */
	RB_HANDOVER_FILES = RB_MAX_PORTS + 5,
};

/** The question, of which `pe` is read, and the answer. */
struct rb_handover {
	uint32_t magic;
	int32_t pe;
	uint32_t n;			   /**< 0: the PE is another process */
	int32_t number[RB_HANDOVER_FILES]; /**< in the variables */
	int32_t fd[RB_HANDOVER_FILES];	   /**< filled by the process that asks */
};

/** Are all files of @p text, RINGBELL_FILES, still open under their numbers? */
bool rb_handover_whole(const char *text);
/** Ask for those of @p pe. 0, or -errno with words */
int rb_handover_ask(const char *text, int pe, struct rb_handover *ret);

#endif /* RB_BASE_HANDOVER_H */
