/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "host/hostseg.h"
#include "op/barrier.h"
#include "cases.h"
#include "ring_host.h"

/*
 * The PEs of a host in a barrier of the ring. This process is the lead of host 1 (ring_host.h), a
 * child is the other PE.
 */

enum {
	HOSTS = 3,
	SECONDS = 20 /* a wait for the wrong PE never ends */
};

static pid_t child;

static void
set_up(void)
{
	ring_set_up(&(struct ring_shape){HOSTS, 2, .slots = 4, .links = RING_BOTH});
	rb_barriers.epoch = 0;
	set_limit(SECONDS, "barrier_test: a PE is still in the barrier after 20 s\n");
}

static void
tear_down(void)
{
	set_limit(0, "");
	ring_tear_down();
}

static uint64_t
word(uint64_t epoch, uint64_t n)
{
	return epoch << 16 | n;
}

/* The word that this host stored last at the neighbour on @p port. */
static uint64_t
sent_to(unsigned int port)
{
	return __atomic_load_n(&rb.link[port].theirs->barrier, __ATOMIC_ACQUIRE);
}

static void
receive(unsigned int port, uint64_t w)
{
	__atomic_store_n(&rb.link[port].mine->barrier, w, __ATOMIC_RELEASE);
}

/* The other PE, in so many barriers. */
static void
start_other(unsigned int barriers)
{
	child = fork();
	CU_ASSERT_FATAL(child >= 0);
	if (child > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	rb.local = 1;
	rb.link[RB_PORT_PREV].port = rb.link[RB_PORT_NEXT].port = NULL;
	for (; barriers > 0; barriers--)
		rb_barrier();
	_exit(0);
}

static void
end_other(void)
{
	int status = -1;

	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	child = 0;
}

static void
wait_until_sent(unsigned int port, uint64_t w)
{
	while (sent_to(port) != w)
		usleep(100);
}

/* The lead has arrived and gets no CPU: the neighbours receive its arrival, and the PE leaves. */
static void
other_announces(void)
{
	atomic_store(&rb_hostseg->pe[0].arrived, 1);
	start_other(1);
	wait_until_sent(RB_PORT_PREV, word(1, 1));
	wait_until_sent(RB_PORT_NEXT, word(1, 1));
	receive(RB_PORT_PREV, word(1, 1));
	receive(RB_PORT_NEXT, word(1, 1));
	end_other();
	/* now the lead: it passes on what it has received, once, and does not announce its own host
	 * again */
	rb.link[RB_PORT_PREV].theirs->barrier = rb.link[RB_PORT_NEXT].theirs->barrier = 77;
	rb_barrier();
	CU_ASSERT_EQUAL(sent_to(RB_PORT_PREV), word(1, 2));
	CU_ASSERT_EQUAL(sent_to(RB_PORT_NEXT), word(1, 2));
}

/* No PE announces the host before all of it have arrived. */
static void
waits_for_all(void)
{
	start_other(1);
	usleep(20000);
	CU_ASSERT_EQUAL(sent_to(RB_PORT_PREV), 0);
	CU_ASSERT_EQUAL(sent_to(RB_PORT_NEXT), 0);
	receive(RB_PORT_PREV, word(1, 2));
	rb_barrier();
	end_other();
	CU_ASSERT_EQUAL(sent_to(RB_PORT_NEXT), word(1, 2));
}

/* Between claim and word: the lead does not overtake it, or its later word would be taken back. */
static void
lead_waits_for_announcer(void)
{
	pid_t lead;
	int status;

	atomic_store(&rb_hostseg->pe[1].arrived, 1);
	atomic_store(&rb_hostseg->announcing, 1);
	receive(RB_PORT_PREV, word(1, 1));
	receive(RB_PORT_NEXT, word(1, 1));
	lead = fork();
	CU_ASSERT_FATAL(lead >= 0);
	if (lead == 0) {
		rb_barrier();
		_exit(0);
	}
	usleep(20000);
	CU_ASSERT_EQUAL(sent_to(RB_PORT_PREV), 0);
	CU_ASSERT_EQUAL(sent_to(RB_PORT_NEXT), 0);
	CU_ASSERT_EQUAL(waitpid(lead, &status, WNOHANG), 0);
	atomic_store(&rb_hostseg->announced, 1);
	CU_ASSERT_EQUAL(waitpid(lead, &status, 0), lead);
	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_EQUAL(sent_to(RB_PORT_PREV), word(1, 2));
}

/* A window that it does not map leaves it to the lead. */
static void
maps_no_window(void)
{
	uint8_t *peer;

	peer = rb.link[RB_PORT_PREV].peer;
	rb.link[RB_PORT_PREV].peer = NULL;
	start_other(1);
	rb.link[RB_PORT_PREV].peer = peer;
	receive(RB_PORT_PREV, word(1, 1));
	receive(RB_PORT_NEXT, word(1, 1));
	rb_barrier();
	end_other();
	CU_ASSERT_EQUAL(atomic_load(&rb_hostseg->announcing), 1);
	CU_ASSERT_EQUAL(atomic_load(&rb_hostseg->announced), 0);
}

TEST_PROGRAM("barrier", set_up, tear_down, {"any PE announces its host", other_announces},
	     {"no PE announces the host before all have arrived", waits_for_all},
	     {"the lead waits for the PE that announces", lead_waits_for_announcer},
	     {"a PE without windows leaves it to the lead", maps_no_window})
