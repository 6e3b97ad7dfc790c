/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Traffic to be looked at: traffic ROUNDS [outside]. PE 0 prints "ready" and waits for a line of
 * input, then all do so many rounds, each of them verified; 0: until the input ends. With "outside"
 * PE 0 then fetches from the last PE, which is outside of the library. PE 0 prints "done" and waits
 * for the end of its input before all leave.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmem.h>

enum {
	NEAR = 4096, /* bytes to the next PE */
	FAR = 20000, /* and to the one after it, over a relay where the ring is long enough */
	TIMES = 5,   /* puts of each a round */
	FETCHES = 20,
};

static long count;
static int again = 1;

static void
check(const unsigned char *at, size_t len, unsigned char want)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (at[i] == want)
			continue;
		fprintf(stderr, "byte %zu is %d, not %d\n", i, at[i], want);
		shmem_global_exit(1);
	}
}

static void
one_round(unsigned char *heap, long r)
{
	static unsigned char out[FAR], in[NEAR];
	int me = shmem_my_pe(), n = shmem_n_pes(), i;
	unsigned char *next = heap, *after = heap + NEAR, value = (unsigned char)r;

	memset(out, value, sizeof(out));
	for (i = 0; i < TIMES; i++) {
		shmem_putmem(next, out, NEAR, (me + 1) % n);
		shmem_putmem(after, out, FAR, (me + 2) % n);
	}
	shmem_long_atomic_inc(&count, (me + 2) % n);
	shmem_barrier_all();
	check(next, NEAR, value);
	check(after, FAR, value);
	shmem_getmem(in, next, NEAR, (me + n - 1) % n);
	check(in, NEAR, value);
	shmem_barrier_all();
}

/* A PE that is alone on its host leaves this to the host's service lcore. */
static void
fetch_from_outside(void)
{
	static int over;
	int last = shmem_n_pes() - 1, i;

	if (last == 0)
		return;
	while (shmem_my_pe() == last && __atomic_load_n(&over, __ATOMIC_ACQUIRE) == 0)
		usleep(1000);
	if (shmem_my_pe() != 0)
		return;
	for (i = 0; i < FETCHES; i++) {
		(void)shmem_long_atomic_fetch(&count, last);
		usleep(1000); /* the last PE may not have left the barrier yet */
	}
	shmem_int_p(&over, 1, last);
	shmem_quiet();
}

/* Has the input ended? */
static int
ended(int timeout)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	char c[64];

	return poll(&p, 1, timeout) > 0 && read(STDIN_FILENO, c, sizeof(c)) == 0;
}

int
main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0, r;
	unsigned char *heap;
	char line[16];
	int me, pe, go_on;

	shmem_init();
	me = shmem_my_pe();
	heap = shmem_malloc(NEAR + FAR);
	if (me == 0) {
		puts("ready");
		fflush(stdout);
		if (read(STDIN_FILENO, line, sizeof(line)) < 0)
			return 1;
	}
	shmem_barrier_all();
	for (r = 1; rounds == 0 ? again : r <= rounds; r++) {
		one_round(heap, r);
		if (rounds != 0)
			continue;
		/* asked once: an input that ends meanwhile must not let some go on */
		go_on = me == 0 && !ended(0);
		for (pe = 0; me == 0 && pe < shmem_n_pes(); pe++)
			shmem_int_p(&again, go_on, pe);
		shmem_barrier_all();
	}
	if (argc > 2)
		fetch_from_outside();
	if (me == 0) {
		puts("done");
		fflush(stdout);
		while (rounds != 0 && !ended(-1))
			;
	}
	shmem_barrier_all();
	if (count != r - 1) {
		fprintf(stderr, "PE %d: %ld atomics of %ld\n", me, count, r - 1);
		shmem_global_exit(1);
	}
	shmem_finalize();
	return 0;
}
