/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Does to an emulated cable of a running job what oshrun --fault cannot: "garbage=SEED" gives the
 * scratchpads of both ends random values, "deaf=END" loses all doorbells that arrive at end 0 or 1
 * until "hear=END", "mute=END" loses all posted writes that this end sends, "retrain" loses the
 * link and restores it at once, "pull" takes the cable out, and a number lets so many microseconds
 * pass.
 *
 * Usage: cable FD[:HOSTS:CABLE] WORD..., the cable as descriptor FD, or the one of that number in a
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
	NO_CABLE = 3,
};

struct place {
	int fd;
	unsigned int hosts, cable; /* no hosts: a cable of its own */
};

/* The number behind "=" comes into the upper half where it is an end. */
static const struct word {
	const char *name;
	enum plxm_fault fault;
	unsigned int shift;
	uint32_t low;
} words[] = {
	{"garbage", PLXM_FAULT_SPAD_GARBAGE, 0, 0}, {"deaf", PLXM_FAULT_DB_DROP, 32, UINT32_MAX},
	{"hear", PLXM_FAULT_DB_DROP, 32, 0},	    {"mute", PLXM_FAULT_MUTE, 32, 1},
	{"retrain", PLXM_FAULT_RETRAIN, 0, 1},	    {"pull", PLXM_FAULT_CABLE, 0, 1},
};

static int
fault(const struct place *at, enum plxm_fault f, uint64_t arg)
{
	int i, ret = -EAGAIN;

	for (i = 0; i < TRIES && ret == -EAGAIN; i++) {
		if (i > 0)
			usleep(TRY_US);
		ret = plxm_ring_fault(at->fd, at->hosts, at->cable, f, arg);
	}
	return ret;
}

static int
act(const struct place *at, const char *text)
{
	unsigned long long number = 0;
	char name[16] = "";
	size_t i;

	if (sscanf(text, "%15[a-z]=%llu", name, &number) < 1)
		return usleep((useconds_t)strtoul(text, NULL, 10)) < 0 ? -errno : 0;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(name, words[i].name) == 0)
			return fault(at, words[i].fault, number << words[i].shift | words[i].low);
	return -EINVAL;
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
		return NO_CABLE;
	if (ret < 0)
		fprintf(stderr, "cable: %s: %s\n", argv[i > 2 ? i - 1 : 0], strerror(-ret));
	return ret < 0;
}
