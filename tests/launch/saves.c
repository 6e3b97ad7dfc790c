/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * A program that saves its data where a PE is lost. Usage: saves KILLED [HOW]
 *
 * After some rounds, PE KILLED kills itself (-1: none does). The others are in rounds of barriers,
 * and their data say how many they have done. HOW: exit: the function ends the process itself;
 * compute: PE 0 makes no more calls; none: there is no function; wrong: seconds out of range;
 * global: PE 0 ends the job by shmem_global_exit(7).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>
#include <shmemx.h>

enum {
	WORDS = 1000,
	SECONDS = 20,
	ROUNDS = 50, /* before the end */
};

static long *data;
static const char *how = "";

static void
save(const shmemx_loss_t *loss, void *arg)
{
	int i, same = 1;

	for (i = 1; i < WORDS; i++)
		same &= data[i] == data[0];
	printf("PE %d of %d saves: %s, PE %d of host %d is %s, status %d, %s\n", shmem_my_pe(),
	       shmem_n_pes(), same && arg == data ? "all" : "BROKEN", loss->pe, loss->host,
	       loss->dead ? "dead" : "cut off", loss->status, loss->reason);
	if (strcmp(how, "exit") == 0)
		exit(0);
}

int
main(int argc, char **argv)
{
	int killed = argc > 1 ? atoi(argv[1]) : -1, me, i;
	long round;

	how = argc > 2 ? argv[2] : "";
	shmem_init();
	me = shmem_my_pe();
	data = shmem_calloc(WORDS, sizeof(*data));
	if (strcmp(how, "wrong") == 0) {
		printf("%d %d %d\n", shmemx_loss_handler(save, data, 0),
		       shmemx_loss_handler(save, data, 61), shmemx_loss_handler(NULL, NULL, 0));
		shmem_finalize();
		return 0;
	}
	if (strcmp(how, "none") != 0 &&
	    shmemx_loss_handler(save, data, strcmp(how, "compute") == 0 ? 1 : SECONDS) != 0)
		return 1;
	shmem_barrier_all(); /* all have their functions */
	for (round = 1;; round++) {
		for (i = 0; i < WORDS; i++)
			data[i] = round;
		if (round == ROUNDS && me == killed)
			raise(SIGKILL);
		if (round == ROUNDS && me == 0 && strcmp(how, "global") == 0)
			shmem_global_exit(7);
		while (round >= ROUNDS && me == 0 && strcmp(how, "compute") == 0)
			;
		shmem_barrier_all();
	}
}
