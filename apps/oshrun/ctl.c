/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "oshrun.h"
#include "base/launcher_msg.h"

_Static_assert(RB_CTL_TEXT <= sizeof(((struct job *)NULL)->error), "the last error has room");

/* The text of a PE is untrusted; the terminal gets one printable line. */
static void
make_printable(char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (iscntrl((unsigned char)text[i]))
			text[i] = ' ';
}

/* An error of the job often hits all PEs: it is printed once. */
static void
explain_error(struct job *job, struct pe *pe, struct rb_ctl_msg *msg)
{
	/* once the end has begun, further errors are its consequences */
	if (job->ending)
		return;
	make_printable(msg->text, msg->length);
	pe->explained = true;
	if (job->error_len == msg->length && memcmp(job->error, msg->text, msg->length) == 0)
		return;
	memcpy(job->error, msg->text, msg->length);
	job->error_len = msg->length;
	say("PE %d: %.*s", pe->id, (int)msg->length, msg->text);
}

static void
take_message(struct job *job, struct pe *pe, struct rb_ctl_msg *msg)
{
	int status;

	switch (msg->type) {
	case RB_CTL_OPENED:
		pe->opened = true;
		break;
	case RB_CTL_ABORT:
		/* a status that is non-zero must not look like success in its low byte */
		status = msg->status & 0xff;
		if (status == 0 && msg->status != 0)
			status = OSHRUN_EXIT_FAULT;
		pe->aborts = true;
		if (!job->ending && status != 0 && !pe->explained)
			say("PE %d ended the job with status %d", pe->id, msg->status);
		job_end(job, status);
		break;
	case RB_CTL_ERROR:
		explain_error(job, pe, msg);
		break;
	case RB_CTL_NOTE:
		/* cables are lost by the end of other PEs */
		if (job->ending)
			break;
		make_printable(msg->text, msg->length);
		say("%.*s", (int)msg->length, msg->text);
		break;
	default:
		say("PE %d sent a control message of unknown type %u", pe->id, msg->type);
	}
}

void
ctl_read(struct job *job, struct pe *pe)
{
	struct rb_ctl_msg msg;
	ssize_t n;

	while (pe->ctl >= 0) {
		n = recv(pe->ctl, &msg, sizeof(msg), MSG_DONTWAIT | MSG_TRUNC);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0) {
			close(pe->ctl);
			pe->ctl = -1;
		} else if (n != (ssize_t)sizeof(msg) || msg.magic != RB_CTL_MAGIC ||
			   msg.length > sizeof(msg.text)) {
			say("PE %d sent a malformed control message of %zd bytes", pe->id, n);
		} else {
			take_message(job, pe, &msg);
		}
	}
}
