/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/*
 * What PEs without ports hand to their lead. This process plays the lead, host 1 of 3, and by turns
 * the PEs of its host; its neighbour's rings are memory beside its region.
 */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_ring.h>

#include "rb_agent.h"
#include "rb_amo.h"
#include "rb_boot.h"
#include "rb_chan.h"
#include "rb_host.h"
#include "rb_mem.h"
#include "rb_test.h"

enum {
	HEAP = 1 << 20,
	LOCALS = 70, /* more than a word of bits */
	HOSTS = 3,
	FAR = 2 * LOCALS, /* a PE of host 2 */
	SECONDS = 20	  /* a post that waits for another PE never ends */
};

static uint8_t *beyond;
static struct ntb_port port;
static uint32_t taken;

static void
too_long(int sig)
{
	static const char say[] = "agent_test: a PE still waits for room, or for its lead, after "
				  "20 s\n";

	(void)sig;
	_exit(write(STDERR_FILENO, say, strlen(say)) < 0 ? 2 : 1);
}

static void
set_up(void)
{
	rb.env.hosts = HOSTS;
	rb.env.host_id = 1;
	rb.env.pes = HOSTS * LOCALS;
	rb.env.pe = LOCALS;
	CU_ASSERT_EQUAL_FATAL(rb_place_pes(), 0);
	rb.channels = 2;
	rb.lcores = 1;
	rb.slots = 256;
	rb.chunk = 4096;
	CU_ASSERT_EQUAL_FATAL(rb_layout(HEAP), 0);
	CU_ASSERT_EQUAL_FATAL(rb_region_create(), 0);
	rb.seg = mmap(NULL, sizeof(*rb.seg), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	CU_ASSERT_PTR_NOT_EQUAL_FATAL(rb.seg, MAP_FAILED);
	rb.flow = rb.seg->flow;
	beyond = mmap(NULL, rb.lay.size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CU_ASSERT_PTR_NOT_EQUAL_FATAL(beyond, MAP_FAILED);
	rb.link[RB_RIGHT] =
		(struct rb_link){.port = &port, .peer = beyond, .memory = true, .neighbour = 2};
	rb.route[2] = (struct rb_route){.side = RB_RIGHT, .hops = 1};
	rb_chan_attach(RB_RIGHT);
	taken = 0;
	CU_ASSERT_EQUAL_FATAL(rb_agent_init(), 0);
	signal(SIGALRM, too_long);
	alarm(SECONDS);
}

static void
tear_down(void)
{
	alarm(0);
	munmap(beyond, rb.lay.size);
	munmap(rb.seg, sizeof(*rb.seg));
	rb.seg = NULL;
	rb_region_free();
}

/* As PE @p local of this host: add @p value, for which nobody waits. */
static void
hand(unsigned int local, uint64_t value)
{
	const struct rb_amo add = {.op = RB_AMO_ADD, .size = 8, .operand = value};
	struct rb_target t;

	CU_ASSERT_EQUAL_FATAL(rb_target(&t, FAR, rb.heap, 8), 0);
	rb.local = (int)local;
	rb_agent_amo(rb_ctx_default, &t, &add, NULL);
	rb.local = 0;
}

/* The operand of the frame that left next; 0: none did. */
static uint64_t
left(void)
{
	const struct rb_tx *tx = &rb.link[RB_RIGHT].tx[0];

	if (taken == tx->pos)
		return 0;
	return tx->desc[taken++ & (rb.slots - 1)].arg[0];
}

/* Between the two halves of an enqueue, and never to go on. */
static void
stop_in_enqueue(unsigned int local)
{
	struct rte_ring *r = (struct rte_ring *)rb.seg->ring[local];

	r->prod.head++;
	atomic_fetch_or(&rb.seg->posts[local / 64], 1ull << local % 64);
}

static void
survives_stopped(void)
{
	unsigned int i;

	set_up();
	hand(1, 11);
	stop_in_enqueue(1);
	stop_in_enqueue(66);
	for (i = 0; i < 3; i++) {
		hand(2, 20 + i);
		hand(67, 670 + i);
	}
	for (i = 0; i < 7; i++)
		CU_ASSERT_TRUE(rb_agent_serve());
	CU_ASSERT_FALSE(rb_agent_serve());
	CU_ASSERT_TRUE(rb_agent_idle());
	CU_ASSERT_EQUAL(left(), 11);
	for (i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(left(), 20 + i);
		CU_ASSERT_EQUAL(left(), 670 + i);
	}
	CU_ASSERT_EQUAL(left(), 0);
	CU_ASSERT_EQUAL(atomic_load(&rb.seg->pe[1].done), 1);
	CU_ASSERT_EQUAL(atomic_load(&rb.seg->pe[2].done), 3);
	CU_ASSERT_EQUAL(atomic_load(&rb.seg->pe[67].done), 3);
	tear_down();
}

/* A PE that has much to hand over does not put off the others. */
static void
takes_turns(void)
{
	static const unsigned int late[] = {1, 63, 64, 69};
	unsigned int i, k;

	set_up();
	for (i = 0; i < 100; i++)
		hand(5, 500 + i);
	CU_ASSERT_TRUE(rb_agent_serve());
	CU_ASSERT_EQUAL(left(), 500);
	for (k = 0; k < 4; k++)
		for (i = 0; i < 2; i++)
			hand(late[k], 1000 * late[k] + i);
	for (i = 0; i < 2; i++) {
		for (k = 1; k < 4; k++) {
			CU_ASSERT_TRUE(rb_agent_serve());
			CU_ASSERT_EQUAL(left(), 1000 * late[k] + i);
		}
		CU_ASSERT_TRUE(rb_agent_serve());
		CU_ASSERT_EQUAL(left(), 1000 * late[0] + i);
		CU_ASSERT_TRUE(rb_agent_serve());
		CU_ASSERT_EQUAL(left(), 501 + i);
	}
	for (i = 3; i < 100; i++) {
		CU_ASSERT_TRUE(rb_agent_serve());
		CU_ASSERT_EQUAL(left(), 500 + i);
	}
	CU_ASSERT_TRUE(!rb_agent_serve() && rb_agent_idle());
	tear_down();
}

/* The bell rings for a lead that sleeps, and only then; what it is rung for is found. */
static void
rings_for_sleeper(void)
{
	uint32_t before, after;

	set_up();
	CU_ASSERT_TRUE(rb_agent_idle());
	CU_ASSERT_PTR_NOT_NULL_FATAL(rb_agent_word(&before));
	hand(3, 31);
	rb_agent_word(&after);
	CU_ASSERT_EQUAL(after, before);
	CU_ASSERT_FALSE(rb_agent_idle());
	CU_ASSERT_TRUE(rb_agent_serve());
	CU_ASSERT_FALSE(rb_agent_serve());
	rb_agent_ask(true);
	CU_ASSERT_TRUE(rb_agent_idle());
	hand(3, 32);
	rb_agent_word(&after);
	CU_ASSERT_NOT_EQUAL(after, before);
	CU_ASSERT_FALSE(rb_agent_idle());
	rb_agent_ask(false);
	CU_ASSERT_TRUE(rb_agent_serve());
	CU_ASSERT_EQUAL(left(), 31);
	CU_ASSERT_EQUAL(left(), 32);
	tear_down();
}

int
main(void)
{
	static const struct rb_case cases[] = {
		{"a PE that is stopped in an enqueue holds up nobody", survives_stopped},
		{"PEs take turns", takes_turns},
		{"the bell rings for a lead that sleeps", rings_for_sleeper},
	};

	return rb_run("agent", cases, sizeof(cases) / sizeof(cases[0]));
}
