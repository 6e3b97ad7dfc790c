/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What an ethdev does without any library: a ping-pong of small packets, and a stream of large ones
 * whose receiver answers one in ANSWER. bench/ether.py starts one at each end of a cable.
 *
 * Usage: ether CPU VDEV MTU answer|ping|stream, and for the latter two: SECONDS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

enum {
	ETHER_TYPE = 0x88b6, /* the other one for experiments */
	PACKETS = 1024,
	BURST = 32,
	ANSWER = 32, /* a receiver answers one of so many */
	/* packets that it has not answered yet, before the next burst: a ring has 128 frames */
	AHEAD = 96,
	SAMPLES = 9,
	LOST_S = 1,
};

struct packet {
	struct rte_ether_hdr ether;
	uint32_t number; /* of those that are to be answered; 0: not to be answered */
};

static struct rte_mempool *pool;
static uint16_t dev;

static double
now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
fail(const char *what)
{
	fprintf(stderr, "ether: %s\n", what);
	exit(1);
}

static struct rte_mbuf *
make_packet(uint32_t number, uint16_t len)
{
	const struct packet head = {
		.ether = {.dst_addr.addr_bytes = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
			  .ether_type = RTE_BE16(ETHER_TYPE)},
		.number = number,
	};
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	if (m == NULL)
		fail("no buffers");
	memcpy(rte_pktmbuf_append(m, len), &head, sizeof(head));
	return m;
}

static void
send_one(uint32_t number)
{
	struct rte_mbuf *m = make_packet(number, RTE_ETHER_MIN_LEN);

	if (rte_eth_tx_burst(dev, 0, &m, 1) != 1)
		fail("a packet was not sent");
}

/* The largest number that has come; 0: none has. */
static uint32_t
receive_some(void)
{
	struct rte_mbuf *m[BURST];
	uint16_t n = rte_eth_rx_burst(dev, 0, m, BURST), i;
	struct packet head;
	uint32_t most = 0;

	for (i = 0; i < n; i++) {
		memcpy(&head, rte_pktmbuf_mtod(m[i], void *), sizeof(head));
		if (head.ether.ether_type == RTE_BE16(ETHER_TYPE))
			most = RTE_MAX(most, head.number);
	}
	rte_pktmbuf_free_bulk(m, n);
	return most;
}

static void
answer_all(void)
{
	uint32_t number;

	for (;;) {
		number = receive_some();
		if (number != 0)
			send_one(number);
	}
}

/* False: it was lost. */
static bool
await_answer(uint32_t number)
{
	double from = now_s();

	while (receive_some() < number)
		if (now_s() - from > LOST_S)
			return false;
	return true;
}

/* Microseconds of a round trip. */
static double
ping(double seconds, uint32_t *number)
{
	double from = now_s(), now;
	long n = 0;

	do {
		send_one(++*number);
		n += await_answer(*number);
		now = now_s();
	} while (now - from < seconds);
	return (now - from) * 1e6 / (double)n;
}

static void
send_some(uint32_t first, uint16_t len)
{
	struct rte_mbuf *m[BURST];
	uint16_t done;
	uint32_t i;

	for (i = 0; i < BURST; i++)
		m[i] = make_packet((first + i) % ANSWER == 0 ? first + i : 0, len);
	done = rte_eth_tx_burst(dev, 0, m, BURST);
	rte_pktmbuf_free_bulk(m + done, BURST - done);
}

/* Megabytes of payload a second. */
static double
stream(double seconds, uint32_t *number, uint16_t mtu)
{
	uint32_t begin = RTE_ALIGN_CEIL(*number, ANSWER), sent = begin, answered = begin, some;
	double from = now_s(), now = from, heard = from;

	while (now - from < seconds) {
		if (sent - answered < AHEAD) {
			send_some(sent + 1, mtu + RTE_ETHER_HDR_LEN);
			sent += BURST;
		}
		some = receive_some();
		now = now_s();
		if (some > answered) {
			answered = some;
			heard = now;
		} else if (now - heard > LOST_S) {
			fail("a stream stands still");
		}
	}
	*number = sent;
	return heard == from ? 0 : (answered - begin) * (double)mtu / (heard - from) * 1e-6;
}

static void
open_dev(const char *cpu, char *vdev)
{
	char lcore[32];
	char *eal[] = {"ether",		 "--no-huge", "--no-shconf", "--no-pci",
		       "--no-telemetry", "-m",	      "64",	     "--log-level=error",
		       "--lcores",	 lcore,	      "--vdev",	     vdev};
	const struct rte_eth_conf conf = {0};

	snprintf(lcore, sizeof(lcore), "0@%s", cpu);
	if (rte_eal_init(RTE_DIM(eal), eal) < 0)
		fail("the EAL did not start");
	pool = rte_pktmbuf_pool_create("pool", PACKETS, 0, 0, RTE_PKTMBUF_HEADROOM + 16384,
				       SOCKET_ID_ANY);
	if (pool == NULL || rte_eth_dev_configure(dev, 1, 1, &conf) < 0 ||
	    rte_eth_rx_queue_setup(dev, 0, 512, SOCKET_ID_ANY, NULL, pool) < 0 ||
	    rte_eth_tx_queue_setup(dev, 0, 512, SOCKET_ID_ANY, NULL) < 0 ||
	    rte_eth_dev_start(dev) < 0)
		fail("the device did not start");
}

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int
main(int argc, char **argv)
{
	double v[SAMPLES], seconds;
	uint32_t number = 0;
	uint16_t mtu;
	bool streams;
	int i;

	if (argc < 5)
		fail("want CPU VDEV MTU answer|ping|stream [SECONDS]");
	mtu = (uint16_t)atoi(argv[3]);
	open_dev(argv[1], argv[2]);
	if (strcmp(argv[4], "answer") == 0)
		answer_all();
	seconds = atof(argc > 5 ? argv[5] : "1") / SAMPLES;
	streams = strcmp(argv[4], "stream") == 0;
	while (send_one(++number), !await_answer(number))
		;
	for (i = 0; i < SAMPLES; i++)
		v[i] = streams ? stream(seconds, &number, mtu) : ping(seconds, &number);
	qsort(v, SAMPLES, sizeof(*v), compare);
	printf("%.3f\n", v[SAMPLES / 2]);
	return 0;
}
