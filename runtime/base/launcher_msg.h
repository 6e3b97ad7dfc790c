/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_LAUNCHER_MSG_H
#define RB_BASE_LAUNCHER_MSG_H

/**
 * @file
 * The interface of PE and launcher: the ends of cables, and messages of a PE to its launcher, over
 * the SOCK_SEQPACKET socket RINGBELL_CTL_FD. One message is one struct rb_ctl_msg; the launcher
 * knows the sender by the socket. In the other direction there is RB_CTL_END.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	RB_CTL_MAGIC = 0x52424354, /* "RBCT" */
	RB_CTL_TEXT = 392,
};

enum rb_ctl_type {
	RB_CTL_OPENED = 1, /**< rb_open() succeeded: this PE is part of the job */
	RB_CTL_ABORT,	   /**< global_exit: end all PEs, exit with status */
	RB_CTL_ERROR,	   /**< text: why this PE is about to fail */
	RB_CTL_NOTE,	   /**< text: printed as it is */
	RB_CTL_END,	   /**< to the PE: the job ends with status; end as by exit() */
};

/** Ends of an emulated cable, in RINGBELL_CABLE_FD of a ring's hosts. */
enum {
	RB_CABLE_RIGHT_PORT = 0,
	RB_CABLE_LEFT_PORT = 1,
};

/** The value of @p key in @p words, those of RINGBELL_EMU, up to a comma or the end; empty where it
 *  has none. NULL: it is not there. */
static inline const char *
rb_emu_value(const char *words, const char *key)
{
	size_t len = strlen(key);

	for (; *words != '\0'; words += strcspn(words, ","), words += *words == ',')
		if (strncmp(words, key, len) == 0 && strchr("=,", words[len]) != NULL)
			return words + len + (words[len] == '=');
	return NULL;
}

struct rb_ctl_msg {
	uint32_t magic;
	uint32_t type;	 /**< enum rb_ctl_type */
	int32_t status;	 /**< RB_CTL_ABORT */
	uint32_t length; /**< bytes of text in use */
	char text[RB_CTL_TEXT];
};

#endif /* RB_BASE_LAUNCHER_MSG_H */
