/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "raw.h"
#include "token.h"

/* What reads a clock or names a CPU without a system call. A cycle of the clock counter takes 1 ns.
 */
enum {
	MONOTONIC_S = 1000,
	REALTIME_S = 1700000000,
	FASTER = 8, /* a fast clock gains a second in so many */
	/* the EAL counts real cycles by this clock, and sleeps a second where there were few */
	RAW_SLOWER = 1000000,
};

static uint64_t
start_of(long id)
{
	return (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE ? REALTIME_S : MONOTONIC_S) *
	       1000000000ull;
}

uint64_t
dst_clock(long id)
{
	uint64_t now = DST_AT->now, from = NEVER, ahead = 0;

	if (dst_self != NULL && dst_self->host >= 0) {
		from = DST_AT->clock[dst_self->host].fast_from;
		ahead = DST_AT->clock[dst_self->host].ahead;
	}
	if (id == CLOCK_MONOTONIC_RAW)
		return now / RAW_SLOWER;
	return start_of(id) + ahead + now + (now > from ? (now - from) / FASTER : 0);
}

uint64_t
dst_due(long id, uint64_t ns)
{
	uint64_t shown = dst_clock(id), from = NEVER, left = ns - shown;

	if (ns <= shown)
		return 0;
	if (dst_self != NULL && dst_self->host >= 0)
		from = DST_AT->clock[dst_self->host].fast_from;
	return DST_AT->now + (DST_AT->now >= from ? left - left / (FASTER + 1) : left);
}

int
clock_gettime(clockid_t id, struct timespec *t)
{
	uint64_t ns;

	if (dst_self == NULL)
		return (int)RAW2(SYS_clock_gettime, id, t);
	dst_point(DST_CLOCK, 0, 0); /* who reads it until a time has come lets time pass */
	ns = dst_clock(id);
	*t = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
	return 0;
}

int
gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec ts;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &ts);
	*t = (struct timeval){ts.tv_sec, ts.tv_nsec / 1000};
	return 0;
}

time_t
time(time_t *t)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (t != NULL)
		*t = ts.tv_sec;
	return ts.tv_sec;
}

uint64_t
dst_tsc(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

uint64_t
rte_get_tsc_hz(void)
{
	return 1000000000;
}

/* Loops of DPDK's own, which no compiler of ours has seen. */
void
rte_delay_us_block(unsigned int us)
{
	usleep(us);
}

int
rte_eal_wait_lcore(unsigned int lcore)
{
	int (*state)(unsigned int) = dlsym(RTLD_DEFAULT, "rte_eal_get_lcore_state");
	int (*real)(unsigned int) = dlsym(RTLD_NEXT, "rte_eal_wait_lcore");

	while (dst_self != NULL && state(lcore) == 1) /* RUNNING */
		dst_pause();
	return real(lcore);
}

int
sched_getcpu(void)
{
	unsigned int cpu = 0;

	if (dst_self == NULL)
		RAW3(SYS_getcpu, &cpu, 0, 0);
	return (int)cpu;
}

int
sched_yield(void)
{
	if (dst_self == NULL)
		return (int)RAW0(SYS_sched_yield);
	dst_pause();
	return 0;
}
