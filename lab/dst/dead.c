/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdio.h>
#include <string.h>

#include "token.h"

/*
 * No word is stored by one that is called dead. A host that tells its launcher that it has lost the
 * cable to another one calls that one dead there. What the other one stores by the mapping that it
 * has may land, as what is under way on a real cable may. But a window of it that showed ones since
 * must not show this host's memory again: each of its stores would land from there on.
 */
enum {
	TEXT = 512,
	SHUT = 64,
};

static struct {
	uint64_t from, to;
} shut[SHUT]; /* windows of this process that show ones */

#define seg DST_AT

void
dst_said(const void *message, uint64_t len)
{
	char text[TEXT];
	const char *at;
	int host, other;

	len = len < TEXT ? len : TEXT - 1;
	for (uint64_t i = 0; i < len; i++)
		text[i] = ((const char *)message)[i] != '\0' ? ((const char *)message)[i] : ' ';
	text[len] = '\0';
	at = strstr(text, "cable ");
	if (at == NULL ||
	    (sscanf(at, "cable of host %d, to host %d: ", &host, &other) != 2 &&
	     sscanf(at, "cable between host %d and host %d is lost; ", &host, &other) != 2))
		return;
	if (host == dst_self->host && other >= 0 && other < DST_HOSTS)
		seg->dead[host][other] = seg->dead[other][host] = true;
}

void
dst_shut(uint64_t from, uint64_t to)
{
	static unsigned int n;

	shut[n % SHUT].from = from;
	shut[n++ % SHUT].to = to;
}

void
dst_opened(uint64_t from, uint64_t to, int owner)
{
	char text[80];
	bool again = false;

	for (unsigned int i = 0; i < SHUT; i++)
		if (shut[i].from < to && from < shut[i].to) {
			shut[i].to = 0;
			again = true;
		}
	if (!again || dst_self->host < 0 || !seg->dead[owner][dst_self->host])
		return;
	snprintf(text, sizeof(text),
		 "late: host %d can store at host %d again, which calls it dead", dst_self->host,
		 owner);
	dst_stop(text);
}
