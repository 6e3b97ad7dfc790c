/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_ID_WIRE_H
#define RB_JOB_ID_WIRE_H

/**
 * @file
 * What PEs and the maker of their id say to each other, over one TCP connection for each PE. Not
 * encrypted: who reads the network can join. All numbers are the machine's: a job has one kind of
 * machine.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum {
	RB_IDM_MAGIC = 0x52424944, /* "RBID" */
	RB_IDM_SHARE_MAX = 512,	   /* bytes that a PE shares at once */
	RB_IDM_TEXT = 200,
};

enum rb_idm_type {
	RB_IDM_JOIN = 1, /**< struct rb_idm_join; answered by one of the next two */
	RB_IDM_JOINED,
	RB_IDM_REFUSED, /**< text: why */
	RB_IDM_SHARE,	/**< bytes of this PE; answered when all PEs have shared, by */
	RB_IDM_ALL,	/**< those of PE 0, of PE 1, and so on */
	RB_IDM_DONE,	/**< status 1: this PE has finalized, and may end; 0: it is back */
	RB_IDM_END, /**< the job ends with status; in either direction. To a PE at its start: text
		     */
	RB_IDM_BYE, /**< to a PE: all PEs have finalized, and the maker of the id leaves */
};

/** Before each message's bytes. */
struct rb_idm_head {
	uint32_t magic;
	uint32_t type;
	int32_t status;
	uint32_t len; /**< of what follows */
};

struct rb_idm_join {
	uint64_t secret[2];
	uint32_t pe, pes;
	uint32_t limit; /**< seconds in which all PEs have to come */
};

/** Send all of it, or nothing that counts. @return false: the connection is over */
static inline bool
rb_idm_send(int fd, enum rb_idm_type type, int status, const void *bytes, size_t len)
{
	struct rb_idm_head head = {RB_IDM_MAGIC, type, status, (uint32_t)len};
	struct iovec part[] = {{&head, sizeof(head)}, {(void *)(uintptr_t)bytes, len}};
	struct msghdr msg = {.msg_iov = part, .msg_iovlen = 2};

	return sendmsg(fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)(sizeof(head) + len);
}

#endif /* RB_JOB_ID_WIRE_H */
