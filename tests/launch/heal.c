/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Cables of a running job break and come back, by the fault hooks of the emulated ports that PE 0
 * has. All the time PE 0 sends numbers to all others: into their box, then, after a fence, into
 * their flag, and adds to their counter. No flag may be ahead of its box, and all numbers count.
 *
 * Usage: heal ROUNDS (same, or both cables of host 0 in turn: both)
 *        heal second: the other cable breaks before the first one is taken into use again
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_rawdev.h>

#include <shmem.h>
#include <shmemx.h>

enum {
	WORDS = 512, /* of a box */
	LIMIT_S = 40,
};

static struct {
	long box[WORDS];
	long flag, counter, last;
} to;
static long sent;

static void
set_cable(int port, int pulled)
{
	if (rte_rawdev_set_attr((uint16_t)port, "fault_cable", (uint64_t)pulled) < 0) {
		fprintf(stderr, "heal: port %d has no fault_cable\n", port);
		shmem_global_exit(3);
	}
}

static void
send_number(void)
{
	static long numbers[WORDS];
	int n = shmem_n_pes(), i;

	sent++;
	for (i = 0; i < WORDS; i++)
		numbers[i] = sent;
	for (i = 1; i < n; i++) {
		shmem_long_put(to.box, numbers, WORDS, i);
		shmem_fence();
		shmem_long_p(&to.flag, sent, i);
		shmem_long_atomic_add(&to.counter, 1, i);
	}
}

/* Send numbers until the ring has seen so many changes. */
static void
send_until(unsigned int changes)
{
	shmemx_ring_t ring;
	time_t end = time(NULL) + LIMIT_S;

	do {
		send_number();
		shmemx_ring_state(&ring);
		if (time(NULL) > end) {
			fprintf(stderr, "heal: %u changes, and %u were to come\n", ring.changes,
				changes);
			shmem_global_exit(4);
		}
	} while (ring.changes < changes);
	send_number();
	shmem_quiet();
	send_number();
}

static void
break_cables(int rounds, int both)
{
	int i;

	for (i = 0; i < rounds; i++) {
		int port = both ? i % 2 : 0;

		set_cable(port, 1);
		send_until(2 * (unsigned int)i + 1);
		set_cable(port, 0);
		send_until(2 * (unsigned int)i + 2);
	}
}

static void
break_second(void)
{
	set_cable(0, 1);
	send_until(1);
	set_cable(0, 0);
	set_cable(1, 1);
	send_until(2);
}

static void
break_as_asked(const char *what, const char *which)
{
	if (strcmp(what, "second") == 0) {
		break_second();
	} else {
		break_cables(atoi(what), strcmp(which, "both") == 0);
	}
}

/* Until PE 0 says that it has sent its last number. */
static void
watch_box(void)
{
	long seen, i;

	do {
		seen = *(volatile long *)&to.flag;
		shmem_long_test(&to.flag, SHMEM_CMP_GE, seen);
		for (i = 0; i < WORDS; i++)
			if (((volatile long *)to.box)[i] < seen) {
				fprintf(stderr, "heal: PE %d: flag %ld, box %ld\n", shmem_my_pe(),
					seen, to.box[i]);
				shmem_global_exit(5);
			}
	} while (!shmem_long_test(&to.last, SHMEM_CMP_NE, 0));
}

int
main(int argc, char **argv)
{
	int n, i;

	if (argc < 2)
		return 2;
	shmem_init();
	n = shmem_n_pes();
	shmem_barrier_all();
	if (shmem_my_pe() == 0) {
		break_as_asked(argv[1], argc > 2 ? argv[2] : "");
		shmem_quiet();
		for (i = 1; i < n; i++)
			shmem_long_p(&to.last, sent, i);
	} else {
		watch_box();
	}
	shmem_barrier_all();
	if (shmem_my_pe() != 0 &&
	    (to.counter != to.last || to.flag != to.last || to.box[0] != to.last)) {
		fprintf(stderr, "heal: PE %d: %ld numbers, counter %ld, flag %ld, box %ld\n",
			shmem_my_pe(), to.last, to.counter, to.flag, to.box[0]);
		shmem_global_exit(6);
	}
	if (shmem_my_pe() == 0)
		printf("all numbers arrived\n");
	shmem_finalize();
	return 0;
}
