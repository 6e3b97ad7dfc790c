/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Handles an emulated cable of a running job: "retrain" loses the link and restores it at once,
 * "pull" takes the cable out, "plug" puts it back, "garbage=SEED" gives the scratchpads of both
 * ends random values, "deaf=END" loses all doorbells that arrive at end 0 or 1 from then on, until
 * "hear=END", "mute=END" loses all posted writes that this end sends, stores through its window
 * with them, until "speak=END", and a number lets so many microseconds pass.
 *
 * Usage: flap FD[:HOSTS:CABLE] WORD..., the cable as descriptor FD, or the one of that number in a
 * ring of chips with two NT ports; exits with 3 where that is no cable yet
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plxm.h"

enum {
	TRIES = 10000, /* while another process changes a ring */
	TRY_US = 1000,
};

struct place {
	int fd;
	unsigned int hosts, cable; /* no hosts: a cable of its own */
};

static int
fault(const struct place *at, enum plxm_fault f, uint64_t arg)
{
	int i, ret = -EAGAIN;

	if (at->hosts == 0)
		return plxm_cable_fault(at->fd, f, arg);
	for (i = 0; i < TRIES && ret == -EAGAIN; i++) {
		if (i > 0)
			usleep(TRY_US);
		ret = plxm_ring_fault(at->fd, at->hosts, at->cable, f, arg);
	}
	return ret;
}

/* "NAME=END": the fault of that end, with this number. */
static const struct word {
	const char *name;
	enum plxm_fault fault;
	uint32_t number;
} words[] = {
	{"deaf=", PLXM_FAULT_DB_DROP, UINT32_MAX},
	{"hear=", PLXM_FAULT_DB_DROP, 0},
	{"mute=", PLXM_FAULT_MUTE, 1},
	{"speak=", PLXM_FAULT_MUTE, 0},
};

static int
act_at_end(const struct place *at, const char *word)
{
	size_t i, len;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		len = strlen(words[i].name);
		if (strncmp(word, words[i].name, len) == 0)
			return fault(at, words[i].fault,
				     strtoull(word + len, NULL, 10) << 32 | words[i].number);
	}
	return -EINVAL;
}

static int
act(const struct place *at, const char *word)
{
	char *end;
	unsigned long us = strtoul(word, &end, 10);

	if (end != word && *end == '\0')
		return usleep((useconds_t)us) < 0 ? -errno : 0;
	if (strcmp(word, "retrain") == 0)
		return fault(at, PLXM_FAULT_RETRAIN, 1);
	if (strcmp(word, "pull") == 0)
		return fault(at, PLXM_FAULT_CABLE, 1);
	if (strcmp(word, "plug") == 0)
		return fault(at, PLXM_FAULT_CABLE, 0);
	if (strncmp(word, "garbage=", strlen("garbage=")) == 0)
		return fault(at, PLXM_FAULT_SPAD_GARBAGE,
			     strtoull(word + strlen("garbage="), NULL, 10));
	return act_at_end(at, word);
}

int
main(int argc, char **argv)
{
	struct place at = {0};
	int i, ret = -EINVAL;

	if (argc > 2 && sscanf(argv[1], "%d:%u:%u", &at.fd, &at.hosts, &at.cable) % 2 == 1)
		ret = 0;
	for (i = 2; i < argc && ret == 0; i++)
		ret = act(&at, argv[i]);
	if (ret == -ENODATA)
		return 3;
	if (ret < 0)
		fprintf(stderr, "flap: %s: %s\n", argv[i > 2 ? i - 1 : 0], strerror(-ret));
	return ret < 0;
}
