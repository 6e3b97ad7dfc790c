/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Ways to end, by name, and the status that the launcher has to return:
 *   wait    the last PE calls global_exit(42) while the others wait for a word that never comes
 *   compute the same while they compute without a call to the library
 *   all     all PEs call global_exit(43) at once
 *   lock    PE 0 holds a lock that the others wait for, and calls global_exit(44)
 *   return  PE 1 (or 0) returns 45 from main after finalize, the others 0
 *   zero    global_exit(0): what stdio holds is still printed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmem.h>

static long word, lock;

static void
die_of_age(const char *what)
{
	/* oshrun's --timeout would end it too, but without this message. */
	fprintf(stderr, "PE %d outlived global_exit: %s\n", shmem_my_pe(), what);
	exit(1);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int me, last, pe;
	volatile unsigned long spin = 0;

	alarm(30);
	shmem_init();
	me = shmem_my_pe();
	last = shmem_n_pes() - 1;
	shmem_barrier_all();
	if (strcmp(how, "wait") == 0) {
		if (me == last)
			shmem_global_exit(42);
		shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
		die_of_age(how);
	} else if (strcmp(how, "compute") == 0) {
		if (me == last)
			shmem_global_exit(42);
		for (;;)
			spin = spin + 1;
	} else if (strcmp(how, "all") == 0) {
		shmem_global_exit(43);
	} else if (strcmp(how, "lock") == 0) {
		if (me == 0) {
			shmem_set_lock(&lock);
			for (pe = 1; pe <= last; pe++)
				shmem_long_p(&word, 1, pe);
			shmem_quiet();
			shmem_global_exit(44);
		}
		shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
		shmem_set_lock(&lock);
		shmem_barrier_all();
		die_of_age(how);
	} else if (strcmp(how, "return") == 0) {
		shmem_finalize();
		return me == (last > 0) ? 45 : 0;
	} else if (strcmp(how, "zero") == 0) {
		if (me == last) {
			/* No newline: only the flush of exit() prints it. */
			printf("last words");
			shmem_global_exit(0);
		}
		shmem_barrier_all();
		die_of_age(how);
	}
	fprintf(stderr, "no such ending: %s\n", how);
	return 2;
}
