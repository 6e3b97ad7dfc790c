/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The peer is another process, which is killed in mid-transfer and started again. This side must
 * notice that, survive, and go on with the new process without a restart of its own.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_rawdev.h>

#include "drv.h"

#define MIB (1ull << 20)
#define REGION MIB

enum {
	GENERATIONS = 3,
	DOORBELL = 1 << 5,
};

struct peer {
	pid_t pid;
	int go;	   /* write a byte: start */
	int ready; /* read a byte: link up, first data written */
};

static int cable = -1;
static struct peer peers[GENERATIONS];
static struct drv_port a;

static volatile uint32_t *
word_at(void *base, uint64_t off)
{
	return (volatile uint32_t *)((uint8_t *)base + off);
}

/* One life of the peer: says who it is, then stores on and on until it is killed. */
static void
peer_main(uint32_t generation, int go, int ready)
{
	static const char *const eal[] = {"--no-pci", NULL};
	time_t end = time(NULL) + 30;
	struct drv_port b;
	uint32_t i;
	char c;

	if (read(go, &c, 1) != 1 || drv_eal_init(eal) < 0 ||
	    drv_port_open(&b, "raw_ntb_plx_emu1", cable, 1, ",bar2=4M", REGION) < 0)
		_exit(1);
	while (ntb_link_poll(b.port) != NTB_LINK_UP)
		if (time(NULL) > end || sched_yield() < 0)
			_exit(2);
	*word_at(b.port->window, 0) = generation;
	ntb_db_ring(b.port, DOORBELL);
	if (write(ready, &c, 1) != 1)
		_exit(3);
	for (i = 0; time(NULL) < end; i++)
		*word_at(b.port->window, 4096 + i % 1024 * 4) = i;
	_exit(4);
}

/* Children are forked before the EAL of this process has threads. */
static int
fork_peers(void)
{
	int go[2], ready[2];
	unsigned int i;

	for (i = 0; i < GENERATIONS; i++) {
		if (pipe(go) < 0 || pipe(ready) < 0)
			return -errno;
		peers[i].pid = fork();
		if (peers[i].pid < 0)
			return -errno;
		if (peers[i].pid == 0) {
			close(go[1]); /* the parent's end shows a dead parent */
			peer_main(i + 1, go[0], ready[1]);
		}
		close(go[0]);
		close(ready[1]);
		peers[i].go = go[1];
		peers[i].ready = ready[0];
	}
	return 0;
}

/* Keep polling the link as a program would, until the peer reports itself. */
static bool
start_peer(const struct peer *p)
{
	time_t end = time(NULL) + 20;
	struct pollfd pfd = {.fd = p->ready, .events = POLLIN};

	if (write(p->go, "", 1) != 1)
		return false;
	while (time(NULL) < end) {
		ntb_link_poll(a.port);
		if (poll(&pfd, 1, 1) > 0)
			return pfd.revents & POLLIN;
	}
	fprintf(stderr, "gave up waiting for the peer process\n");
	return false;
}

static void
kill_peer(struct peer *p)
{
	int status;

	kill(p->pid, SIGKILL);
	waitpid(p->pid, &status, 0);
	CU_ASSERT_TRUE(WIFSIGNALED(status));
	p->pid = 0;
	close(p->go);
	close(p->ready);
}

static void
test_killed(void)
{
	unsigned int i, j;

	CU_ASSERT_EQUAL_FATAL(drv_port_open(&a, "raw_ntb_plx_emu0", cable, 0, ",bar2=4M", REGION),
			      0);
	for (i = 0; i < GENERATIONS; i++) {
		CU_ASSERT_TRUE_FATAL(start_peer(&peers[i]));
		CU_ASSERT_EQUAL(ntb_link_poll(a.port), NTB_LINK_UP);
		CU_ASSERT_EQUAL(*word_at(a.region.va, 0), i + 1);
		CU_ASSERT_EQUAL(ntb_db_read(a.port), DOORBELL);
		ntb_db_clear(a.port, DOORBELL);
		kill_peer(&peers[i]);

		/* no peer is there, and no access to it faults or hangs */
		for (j = 0; j < 100; j++) {
			*word_at(a.port->window, 64) = j;
			ntb_db_ring(a.port, 1);
			ntb_flush(a.port);
			ntb_link_poll(a.port);
			a.port->ops->peer_spad_read(a.port, 0);
		}
	}
	CU_ASSERT(drv_xstat(&a, "link_ups") >= GENERATIONS);
	drv_port_close(&a, "raw_ntb_plx_emu0");
}

static int
setup(void)
{
	static const char *const eal[] = {"--no-pci", NULL};

	cable = memfd_create("cable", 0);
	if (cable < 0 || fork_peers() < 0)
		return 1;
	return drv_eal_init(eal);
}

static int
cleanup(void)
{
	unsigned int i;

	for (i = 0; i < GENERATIONS; i++)
		if (peers[i].pid > 0)
			kill(peers[i].pid, SIGKILL);
	return rte_eal_cleanup();
}

int
main(void)
{
	static const struct test_case tests[] = {
		{"peer killed and started again", test_killed},
	};

	return run_suite_around("raw_ntb_plx_emu, two processes", setup, cleanup, tests,
				RTE_DIM(tests));
}
