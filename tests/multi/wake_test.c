/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Requests that come after a pause of any length, so that the service lcores of target and relays
 * are awake, about to sleep, asleep or being woken: a lost wake-up is a hang. Each PE in turn asks
 * all others while these are outside of the library, or blocked inside it.
 */
#include <time.h>

#include "multi.h"

enum {
	ROUNDS = 60,
	PAUSE_NS = 250 * 1000,
	LOOK_NS = 500 * 1000
};

static long counter, copy, done;
static uint64_t state;

static void
doze(long ns)
{
	struct timespec t = {.tv_nsec = ns};

	nanosleep(&t, NULL);
}

/* About as often short as long: a service lcore is awake for 15 to 200 us. */
static void
pause_somewhat(void)
{
	uint64_t r = mt_random(&state);

	if (r % 4 != 0)
		doze((long)(r >> 32) % (PAUSE_NS >> (r % 8)));
}

/* @p round of @p rounds: a PE that had its turn before has asked all but itself as often. */
static void
ask_all(long round, long rounds)
{
	int d;

	for (d = 1; d < mt_npes; d++) {
		int pe = mt_pe(d);
		long expected = round + rounds * (mt_me - (pe < mt_me));

		pause_somewhat();
		mt_waiting("the answer of an atomic");
		CHECK_EQ(shmem_long_atomic_fetch_inc(&counter, pe), expected);
		pause_somewhat();
		shmem_long_p(&copy, expected, pe);
		mt_waiting("the acknowledgement of a put");
		shmem_quiet();
		mt_waiting("the reply to a get");
		CHECK_EQ(shmem_long_g(&copy, pe), expected);
	}
}

/* All others until PE @p lead has had its turn. */
static void
stand_by(long turn, bool inside)
{
	mt_waiting("the end of a turn");
	if (inside)
		shmem_long_wait_until(&done, SHMEM_CMP_GE, turn);
	else
		while (*(volatile long *)&done < turn) /* no call: no thread here makes progress */
			doze(LOOK_NS);
}

static void
turns(bool inside)
{
	long turn, round, rounds = ROUNDS * mt_options.factor / mt_npes;
	int pe;

	counter = copy = done = 0;
	state = mt_options.seed + (uint64_t)mt_me;
	shmem_barrier_all();
	for (turn = 1; turn <= mt_npes; turn++) {
		if (turn - 1 != mt_me) {
			stand_by(turn, inside);
			continue;
		}
		for (round = 0; round < rounds; round++)
			ask_all(round, rounds);
		for (pe = 0; pe < mt_npes; pe++)
			shmem_long_p(&done, turn, pe);
		shmem_quiet();
	}
	shmem_barrier_all();
	CHECK_EQ(counter, rounds * (mt_npes - 1));
}

static void
outside(void)
{
	turns(false);
}

static void
blocked(void)
{
	turns(true);
}

int
main(int argc, char **argv)
{
	static const struct mt_case cases[] = {
		{"outside", outside},
		{"blocked", blocked},
		{NULL, NULL},
	};

	return mt_main(argc, argv, SHMEM_THREAD_SINGLE, cases);
}
