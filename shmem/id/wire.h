/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_ID_WIRE_H
#define SHMEMI_ID_WIRE_H

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
	SHMEMI_ID_MAGIC = 0x52424944, /* "RBID" */
	SHMEMI_ID_SHARE_MAX = 512,    /* bytes that a PE shares at once */
	SHMEMI_ID_TEXT = 200,
};

enum shmemi_id_type {
	SHMEMI_ID_JOIN = 1, /**< struct shmemi_id_join; answered by one of the next two */
	SHMEMI_ID_JOINED,
	SHMEMI_ID_REFUSED, /**< text: why */
	SHMEMI_ID_SHARE,   /**< bytes of this PE; answered when all PEs have shared, by */
	SHMEMI_ID_ALL,	   /**< those of PE 0, of PE 1, and so on */
	SHMEMI_ID_DONE,	   /**< status 1: this PE has finalized, and may end; 0: it is back */
	SHMEMI_ID_END,	   /**< the job ends with status; either way. To a PE at its start: text */
	SHMEMI_ID_BYE,	   /**< to a PE: all PEs have finalized, and the maker of the id leaves */
};

/** Before each message's bytes. */
struct shmemi_id_head {
	uint32_t magic;
	uint32_t type;
	int32_t status;
	uint32_t len; /**< of what follows */
};

struct shmemi_id_join {
	uint64_t secret[2];
	uint32_t pe, pes;
	uint32_t limit; /**< seconds in which all PEs have to come */
};

/** Send all of it, or nothing that counts. @return false: the connection is over */
static inline bool
shmemi_id_send(int fd, enum shmemi_id_type type, int status, const void *bytes, size_t len)
{
	struct shmemi_id_head head = {SHMEMI_ID_MAGIC, type, status, (uint32_t)len};
	struct iovec part[] = {{&head, sizeof(head)}, {(void *)(uintptr_t)bytes, len}};
	struct msghdr msg = {.msg_iov = part, .msg_iovlen = 2};

	return sendmsg(fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)(sizeof(head) + len);
}

#endif /* SHMEMI_ID_WIRE_H */
