/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/wait_choose.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rte_common.h>

#include "base/env.h"
#include "base/state.h"
#include "base/thread.h"

struct rb_waiting rb_waiting;

/* A relay must not fall asleep between the chunks of a transfer or between short messages: waking
 * it costs more than a chunk. On a crowded machine it stays awake only for AWAKE_CROWDED_NS,
 * because its polling takes CPU time from others.
 */
enum {
	AWAKE_NS = 200 * 1000,
	AWAKE_CROWDED_NS = 15 * 1000
};

/* As RB_SPIN_TURNS, where waiters outnumber CPUs or the user asks for spinning. Limited also there:
 * the thread that has the work may need this very CPU. */
enum {
	SPIN_CROWDED_TURNS = 4,
	SPIN_LONE_TURNS = 48, /* some round trips of two cache lines */
	SPIN_FORCED_TURNS = 16384,
	SPIN_FORCED_CROWDED_TURNS = 256,
	SKIP_CROWDED_LOOKS = 56
};

/* A yield that switches to nobody takes little more than any system call; one that switches to
 * another thread and back takes two of them and the switches. A system call takes 0.1 us, or 1.1 us
 * where a hypervisor takes part in it. Where it is so slow and two PEs share each CPU, polling on
 * after such a yield made a lock of 5 hosts take twice as long, so none is known there.
 */
enum {
	MEASURED_CALLS = 8,
	OVER_CALL_NS = 550,
	NONE_SHARED_NS = 700
};

/* A yield that takes longer shows other programs (host/wait.c). A switch to a PE that polls and
 * yields back takes 2 us, but each PE that shares the CPU may compute for a slice of its time.
 * PEs that took one another for other programs napped on: a barrier of 32 took 20 times as long,
 * and puts beside PEs that wait had half their speed. */
enum {
	LOST_NS = 300 * 1000,
	SLICE_NS = 4 * 1000 * 1000
};

static void
choose_mode(enum rb_wait_mode asked)
{
	bool crowded = rb_waiting.crowded, fits = rb_waiting.fits;

	rb_waiting.mode = asked;
	if (asked == RB_WAIT_AUTO)
		rb_waiting.mode = crowded ? RB_WAIT_SLEEP : RB_WAIT_YIELD;
	rb_waiting.spin_turns = fits ? RB_SPIN_TURNS : SPIN_CROWDED_TURNS;
	if (asked == RB_WAIT_SPIN)
		rb_waiting.spin_turns = crowded ? SPIN_FORCED_CROWDED_TURNS : SPIN_FORCED_TURNS;
	rb_waiting.lone_turns = RTE_MAX(rb_waiting.spin_turns, (uint32_t)SPIN_LONE_TURNS);
	rb_waiting.skip_looks = !fits && asked != RB_WAIT_SPIN ? SKIP_CROWDED_LOOKS : 0;
}

static uint64_t
measure_call(void)
{
	uint64_t least = UINT64_MAX, start, took;
	int i;

	for (i = 0; i < MEASURED_CALLS; i++) {
		start = rb_now_ns();
		syscall(SYS_getppid);
		took = rb_now_ns() - start;
		least = RTE_MIN(least, took);
	}
	return least;
}

/* Waiters of an emulated ring share one machine; each host adds its service lcores. */
void
rb_wait_choose(void)
{
	int service = (int)rb.env.lcores;
	int waiters =
		rb_emulated() ? rb.npes + rb.hosts * service : rb.locals + (rb.hosts > 1) * service;
	cpu_set_t set;
	int pes = rb_emulated() ? rb.npes : rb.locals;
	bool crowded;
	int cpus;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		CPU_ZERO(&set);
	cpus = rb.env.cpus > 0 ? rb.env.cpus : RTE_MAX(CPU_COUNT(&set), 1);
	crowded = waiters > cpus;
	rb_waiting.crowded = crowded;
	/* service lcores beyond the number of CPUs sleep while the PEs wait */
	rb_waiting.fits = pes <= cpus;
	rb_waiting.lcores_nap = crowded && pes < 2 * cpus;
	rb_waiting.none_ns = measure_call() + OVER_CALL_NS;
	if (!rb_waiting.lcores_nap)
		rb_waiting.none_ns = RTE_MIN(rb_waiting.none_ns, (uint64_t)NONE_SHARED_NS);
	choose_mode(rb.env.wait);
	rb_waiting.lost_ns = 0;
	if (rb.env.wait == RB_WAIT_AUTO)
		rb_waiting.lost_ns = LOST_NS + (uint64_t)SLICE_NS * RTE_MAX(pes - cpus, 0) / cpus;
	rb_waiting.shared_cpus =
		crowded && rb.hosts == 1 && rb.locals > 1 && rb_waiting.mode != RB_WAIT_SPIN;
	rb_waiting.awake_ns = crowded ? AWAKE_CROWDED_NS : AWAKE_NS;
	if (rb_waiting.mode == RB_WAIT_SPIN && crowded && rb.env.pe == 0)
		fprintf(stderr,
			"ringbell: RINGBELL_WAIT=spin: %d threads wait on %d CPUs; "
			"RINGBELL_WAIT=sleep is faster\n",
			waiters, cpus);
}
