/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * An end to what hangs.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "watch.h"

static struct {
	unsigned int seconds;
	volatile int epoch;
	const struct op *volatile op[LANES];
} watch;

/* The PE hangs in the library, which holds no lock of stdio; the text may come torn. */
static void
on_alarm(int sig)
{
	int lane;

	(void)sig;
	for (lane = 0; lane < LANES; lane++)
		if (watch.op[lane] != NULL) {
			fprintf(stderr, "PE %d: HANGS seed %llu epoch %d call %d\n", world.me,
				(unsigned long long)world.seed, watch.epoch, watch.op[lane]->id);
			show_op(watch.op[lane], watch.epoch);
		}
	if (watch.op[0] == NULL)
		fprintf(stderr, "PE %d: HANGS seed %llu epoch %d call -1: at its end\n", world.me,
			(unsigned long long)world.seed, watch.epoch);
	fflush(stderr);
	sleep(2); /* the other PEs print theirs, too, before the launcher ends them */
	_exit(4);
}

void
watch_open(unsigned int seconds)
{
	watch.seconds = seconds;
	signal(SIGALRM, on_alarm);
	alarm(seconds);
}

void
watch_epoch(int number)
{
	watch.epoch = number;
	alarm(watch.seconds);
}

void
watch_op(int lane, const struct op *op)
{
	watch.op[lane] = op;
	if (op != NULL && world.verbose)
		show_op(op, watch.epoch);
}
