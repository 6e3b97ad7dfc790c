/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_JOB_EXCHANGE_H
#define RB_JOB_EXCHANGE_H

/**
 * @file
 * Whatever brings PEs together that oshrun has not started: a PMIx server (pmix.h), or what the
 * caller of rb_open() hands in. Part of rb.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rb_exchange {
	/** Join the job. 0 or -errno with an error text. Messages name @p rank from then on, also
	 *  that of a failure. */
	int (*join)(int *rank, int *size);
	/** Number of this PE's node in the allocation. False: it is not known. May be NULL. */
	bool (*node)(uint32_t *node);
	/** Every PE shares @p len bytes under @p key; returns when all have. 0 or -errno with an
	 *  error text. */
	int (*share)(const char *key, void *mine, size_t len);
	/** Get the bytes that PE @p rank has shared last. 0 or -errno with an error text. */
	int (*get)(const char *key, int rank, void *bytes, size_t len);
	/** Wait for the end of the job: a thread of job/monitor.c. True: this process ends
	 *  with @p status; false: there is nothing to wait for any more. NULL: none is needed. */
	bool (*watch)(int *status);
	/** The program has left the job in order, or is back. NULL: its end says that. */
	void (*closed)(bool closed);
	/** Last call of a process in a job that a PE ended. Once all PEs are done, the others end
	 *  with @p status, or each leaves with 0. @p met: all PEs have joined the job */
	void (*end)(bool met, int status);
	/** Last call of any other process: leaves in order, or else ends the job. @p closed: the
	 *  program has left the job in order */
	void (*leave)(bool closed, int status);
};

#endif /* RB_JOB_EXCHANGE_H */
