/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Prints how many kHz the counter of this machine's CPUs has, which a guest without KVM reads as it
 * is. Linux does not show it to programs, and a CPU's clock speed is another figure. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

enum {
	TRIES = 64,
	PAUSE_NS = 50000000
};

struct moment {
	uint64_t ticks;
	int64_t ns;
};

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Both clocks at one time: of several tries the one that took the shortest. */
static struct moment
look(void)
{
	struct moment best = {0};
	int64_t shortest = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		int64_t before = now_ns();
		uint64_t ticks = __rdtsc();
		int64_t after = now_ns();

		if (after - before < shortest) {
			shortest = after - before;
			best = (struct moment){.ticks = ticks, .ns = before};
		}
	}
	return best;
}

int
main(void)
{
	struct moment first = look(), second;

	nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
	second = look();
	printf("%" PRIu64 "\n",
	       (second.ticks - first.ticks) * 1000000 / (uint64_t)(second.ns - first.ns));
	return 0;
}
