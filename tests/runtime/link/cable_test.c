/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * When does a broken cable end the job, and when is the break excused?
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/link.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "link/cable.h"
#include "cases.h"

static uint64_t breaks;
static int flushed;

static uint64_t
link_breaks(struct ntb_port *port)
{
	return breaks;
}

static unsigned int onces;

static void
link_once(struct ntb_port *port)
{
	CU_ASSERT_FALSE(rb.link[RB_PORT_NEXT].up); /* nobody looks for breaks yet */
	onces++;
}

static struct rb_ctl mine;
static int stale; /* reads that give an older count than was stored last; -1: all do */

static int
flush(struct ntb_port *port, uint64_t off, uint64_t *ret)
{
	CU_ASSERT_EQUAL(off, offsetof(struct rb_ctl, proof));
	*ret = stale == 0 ? mine.proof : 0;
	stale -= stale > 0;
	return flushed;
}

static void
db_ring(struct ntb_port *to, uint32_t bits)
{
}

static const struct ntb_port_ops ops = {
	.link_breaks = link_breaks, .link_once = link_once, .flush = flush, .db_ring = db_ring};
static struct ntb_port port = {.ops = &ops};

static void
flush_it(void)
{
	rb_cable_flush(RB_PORT_NEXT);
}

/* In a child, which may end: is that its status, and are these words in what it writes (""; none)?
 */
static void
ends(void (*act)(void), int wanted, const char *words)
{
	char said[512];
	int log[2], status = -1;
	ssize_t n;
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(pipe(log), 0);
	fflush(NULL);
	pid = fork();
	CU_ASSERT_TRUE_FATAL(pid >= 0);
	if (pid == 0) {
		dup2(log[1], STDERR_FILENO);
		act();
		_exit(0);
	}
	close(log[1]);
	n = read(log[0], said, sizeof(said) - 1);
	said[n > 0 ? n : 0] = '\0';
	close(log[0]);
	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
	CU_ASSERT_TRUE_FATAL(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), wanted);
	CU_ASSERT_TRUE(*words != '\0' ? strstr(said, words) != NULL : n <= 0);
}

static void
goes_on(void (*act)(void))
{
	ends(act, 0, "");
}

static void
fails(void (*act)(void), const char *words)
{
	ends(act, EXIT_FAILURE, words);
}

static void
set_up(void)
{
	memset(&mine, 0, sizeof(mine));
	rb.pe = 0;
	rb.host = 0;
	rb.link[RB_PORT_NEXT] = (struct rb_link){.port = &port, .mine = &mine};
	rb.ring = true; /* its ports have names */
	rb.neighbour[RB_PORT_NEXT] = 1;
	/* no neighbour gets an abort word: it would go nowhere */
	rb.link[RB_PORT_NEXT].theirs = &mine;
	rb.link[RB_PORT_NEXT].peer = (uint8_t *)&mine;
	stale = 0;
	port.ops = &ops;
	breaks = 5;
	flushed = 0;
	onces = 0;
	rb_cable_watch(RB_PORT_NEXT, breaks);
}

static void
test_flush(void)
{
	goes_on(flush_it);
	/* the link is up again, and the flush went through: what came before the break did not */
	breaks = 6;
	fails(flush_it, "the port 1 cable of host 0, to host 1: the link broke");
	breaks = 5;
	flushed = -EIO;
	fails(flush_it, "the neighbour's memory does not answer");
}

/* A port without a flush: the window is read. */
static void
test_flush_by_read(void)
{
	static const struct ntb_port_ops few = {.link_breaks = link_breaks};
	static struct rb_ctl dead; /* what is read there over a dead link */

	port.ops = &few;
	port.window = &mine;
	goes_on(flush_it);
	memset(&dead, 0xff, sizeof(dead));
	port.window = &dead;
	fails(flush_it, "the neighbour's memory does not answer");
	port.window = &mine;
	breaks = 6;
	fails(flush_it, "the link broke");
}

/* Loads go through, and a flush with them, but what this host stores is lost. */
static void
test_lost_stores(void)
{
	static const char words[] =
		"the port 1 cable of host 0, to host 1: what this host stores does "
		"not arrive there";

	/* the store of another thread, with an older count, has landed last */
	stale = 3;
	goes_on(flush_it);
	stale = -1;
	fails(flush_it, words);
	/* whoever waits finds it, too */
	fails(rb_cable_check, words);
	/* a dead link is none that loses stores */
	flushed = -EIO;
	goes_on(rb_cable_check);
	flushed = 0;
	/* nor is a window that is memory */
	rb.link[RB_PORT_NEXT].memory = true;
	goes_on(rb_cable_check);
}

static void
test_watch(void)
{
	goes_on(rb_cable_check);
	breaks = 6;
	fails(rb_cable_check, "the link broke");
	/* a neighbour that has said farewell may stop its port; a flush fails all the same */
	mine.farewell = 1;
	goes_on(rb_cable_check);
	fails(flush_it, "the link broke");
	/* before both sides have agreed links come and go */
	mine.farewell = 0;
	rb.link[RB_PORT_NEXT].up = false;
	goes_on(rb_cable_check);
}

static void
look_often(void)
{
	unsigned int i;

	for (i = 0; i < 1000; i++)
		rb_cable_look();
}

/* Whoever waits looks at the cables too, now and then. */
static void
test_look(void)
{
	goes_on(look_often);
	breaks = 6;
	fails(look_often, "the link broke");
}

static void
test_once(void)
{
	CU_ASSERT_EQUAL(onces, 1);
}

/* What a neighbour sends that keeps to no rule ends the job: a right frame is lost with it. */
static void
test_forged(void)
{
	rb.lcores = 2;
	rb.link[RB_PORT_NEXT].up = true;
	goes_on(rb_cable_check);
	rb.link[RB_PORT_NEXT].relayed[1].dropped = 1;
	fails(rb_cable_check, "the port 1 cable of host 0, to host 1: a frame came "
			      "that no host of this program sends");
	rb.link[RB_PORT_NEXT].relayed[1].dropped = 0;
	rb.link[RB_PORT_NEXT].overdrawn = 1;
	fails(rb_cable_check, "frames that were not sent");
	rb.link[RB_PORT_NEXT].overdrawn = 0;
}

/* Any neighbour's end of the job is believed, but not a word that none of them stores: a status
 * alone, without a reason, would be all that the user sees. */
static void
test_abort_word(void)
{
	const uint64_t set = 1ull << RB_ABORT_SET, host = 1ull << RB_ABORT_HOST;
	const uint64_t wrong[] = {1, set | set << 1 | 3, set | 2 * host | 211, host | 7};
	unsigned int i;

	rb.hosts = 2;
	rb.link[RB_PORT_NEXT].up = true;
	goes_on(rb_abort_check);
	mine.abort = set | host | 211;
	ends(rb_abort_check, 211, "");
	for (i = 0; i < RTE_DIM(wrong); i++) {
		mine.abort = wrong[i];
		fails(rb_abort_check, "the neighbour at port 1 of host 0, host 1, has "
				      "stored an end of the job that no host "
				      "stores");
	}
}

static void
test_farewell(void)
{
	rb.link[RB_PORT_NEXT].up = false;
	rb_cable_farewell(RB_PORT_NEXT);
	CU_ASSERT_EQUAL(mine.farewell, 0);
	rb.link[RB_PORT_NEXT].up = true;
	rb_cable_farewell(RB_PORT_NEXT);
	CU_ASSERT_EQUAL(mine.farewell, 1);
	rb.link[RB_PORT_NEXT] = (struct rb_link){.port = NULL};
}

TEST_PROGRAM("cables", set_up, NULL, {"flush", test_flush}, {"flush by a read", test_flush_by_read},
	     {"stores that are lost", test_lost_stores}, {"watch", test_watch},
	     {"looks of those who wait", test_look}, {"a link is used once", test_once},
	     {"what no host sends", test_forged}, {"ends that no host stores", test_abort_word},
	     {"farewell", test_farewell})
