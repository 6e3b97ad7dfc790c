/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_LAUNCHER_MSG_H
#define RB_BASE_LAUNCHER_MSG_H

/**
 * @file
 * The interface of PE and launcher: the ends of cables, and messages of a PE to its launcher, over
 * the SOCK_SEQPACKET socket RINGBELL_CTL_FD. One message is one struct rb_ctl_msg; the launcher
 * knows the sender by the socket. In the other direction there are RB_CTL_END, RB_CTL_LOST,
 * RB_CTL_GONE and RB_CTL_AGREE.
 */

#include <stdint.h>

enum {
	RB_CTL_MAGIC = 0x52424354, /* "RBCT" */
	RB_CTL_TEXT = 232,
	RB_SAVE_MOST_S = 60, /* RB_CTL_SAVES */
};

enum rb_ctl_type {
	RB_CTL_OPENED = 1, /**< rb_open() succeeded: this PE is part of the job */
	RB_CTL_CLOSED,	   /**< rb_close() done: it may exit with 0 from here on */
	RB_CTL_ABORT,	   /**< global_exit: end all PEs, exit with status */
	RB_CTL_ERROR,	   /**< text: why this PE is about to fail */
	RB_CTL_NOTE,	   /**< text: printed as it is */
	RB_CTL_END,   /**< to the PE: another one ended the job with status; end as by exit() */
	RB_CTL_SAVES, /**< status: seconds that this PE may take where a loss ends the job; 0: none
		       */
	/** to the PE: the job ends with status, because a PE or a cable is lost; text: "PE DEAD
	 *  REASON", with 1 where that PE is dead. For PEs that save */
	RB_CTL_LOST,
	/** to the PE: the job goes on without a host. status: that host; text: its first
	 *  dead PE */
	RB_CTL_GONE,
	/** status: losses << 8 | enum rb_agree: this PE has come so far, and knows of so many
	 *  losses. To the PE: all that are left have; or RB_AGREE_NO */
	RB_CTL_AGREE,
};

enum {
	RB_AGREE_LOSSES = 8, /**< first bit of the losses in a word of RB_CTL_AGREE */
	RB_AGREE_EPOCH =
		40, /**< a loss leaves 2^40 epochs of barriers behind: more than were used */
};

/** Steps in which the PEs that are left agree (job/survivors.h). */
enum rb_agree {
	RB_AGREE_HERE = 1, /**< nothing of this PE is under way */
	RB_AGREE_CLEAR,	   /**< it has forgotten what was under way */
	RB_AGREE_DONE,	   /**< it is done with what the others had to agree on
			    */
	RB_AGREE_LEAVE,	   /**< it is in shmem_finalize */
	RB_AGREE_NO,	   /**< to the PE: another one is in shmem_finalize */
};

/** Ends of an emulated cable, in RINGBELL_RIGHT of the host before it and RINGBELL_LEFT of the host
 *  after it. */
enum {
	RB_CABLE_RIGHT_PORT = 0,
	RB_CABLE_LEFT_PORT = 1,
};

struct rb_ctl_msg {
	uint32_t magic;
	uint32_t type;	 /**< enum rb_ctl_type */
	int32_t status;	 /**< RB_CTL_ABORT */
	uint32_t length; /**< bytes of text in use */
	char text[RB_CTL_TEXT];
};

#endif /* RB_BASE_LAUNCHER_MSG_H */
