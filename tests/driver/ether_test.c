/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Ports over Ethernet: three ends on one wire that drops, doubles, delays and reorders packets by
 * seed, or changes a bit of them, with a clock of its own. Packets of earlier runs may come again.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "drv.h"
#include "eth_link.h"

enum {
	ENDS = 3,
	MTU = 1500,
	SENT = 4096, /* packets that the wire knows */
	QUEUE = 1024,
	SIZE = 64,  /* of a packet of streams alone */
	SLOTS = 64, /* words of a region */
	WORDS = 5000,
	STEPS = 200000, /* bound */
	RUNS = 200,
	RESTARTS = 50,	/* each takes seconds */
	SOON_MS = 1000, /* silence alone tells after 1500 */
};

#define US 1000ull
#define MS 1000000ull

struct packet {
	unsigned int from;
	uint16_t len;
	uint8_t data[2048];
};

static struct end {
	struct eth_device device;
	struct eth_port port;
	uint64_t region[SLOTS], put, got;
	struct {
		const struct packet *packet;
		uint64_t due;
	} in[QUEUE];
	unsigned int ins;
	bool gone; /* stopped */
} end[ENDS];

static struct eth_port *const near = &end[0].port, *const far = &end[1].port;
static struct packet sent[SENT], earlier[SENT]; /* earlier: those that come again */
static struct rte_mempool *pool;
static unsigned int sents, seed, percent; /* percent: of each fault */
static uint64_t now_ns;

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret);
uint16_t __wrap_eth_udp_send(int s, struct rte_mbuf **m, uint16_t n);
uint16_t __wrap_eth_udp_receive(int s, struct rte_mempool *p, struct rte_mbuf **m, uint16_t n);

int
__wrap_clock_gettime(clockid_t clock, struct timespec *ret)
{
	(void)clock;
	ret->tv_sec = (time_t)(now_ns / (1000 * MS));
	ret->tv_nsec = (long)(now_ns % (1000 * MS));
	return 0;
}

static unsigned int
draw(unsigned int below)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % below;
}

static void
arrive(const struct packet *p, unsigned int faults)
{
	for (struct end *e = end; e < end + ENDS; e++)
		for (unsigned int copies = draw(100) < faults ? 2 : 1; copies > 0; copies--) {
			if (e->gone || e == &end[p->from] || e->ins == QUEUE || draw(100) < faults)
				continue;
			e->in[e->ins].packet = p;
			e->in[e->ins++].due = now_ns + (draw(100) < faults ? draw(400) * US : 0);
		}
}

uint16_t
__wrap_eth_udp_send(int s, struct rte_mbuf **m, uint16_t n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct packet *p = &sent[sents++ % SENT];

		p->from = (unsigned int)s;
		p->len = m[i]->data_len;
		memcpy(p->data, rte_pktmbuf_mtod(m[i], void *), p->len);
		arrive(p, percent);
	}
	rte_pktmbuf_free_bulk(m, n);
	return n;
}

uint16_t
__wrap_eth_udp_receive(int s, struct rte_mempool *p, struct rte_mbuf **m, uint16_t n)
{
	struct end *e = &end[s];
	unsigned int left = 0;
	uint16_t got = 0;
	uint8_t *data;

	for (unsigned int i = 0; i < e->ins; i++) {
		const struct packet *of = e->in[i].packet;

		if (got == n || e->in[i].due > now_ns) {
			e->in[left++] = e->in[i];
			continue;
		}
		m[got] = rte_pktmbuf_alloc(p);
		data = (uint8_t *)rte_pktmbuf_append(m[got++], of->len);
		memcpy(data, of->data, of->len);
		if (draw(100) < percent) /* behind the head of Ethernet */
			data[RTE_ETHER_HDR_LEN + draw(of->len - RTE_ETHER_HDR_LEN)] ^= 1 << draw(8);
	}
	e->ins = left;
	return got;
}

/* A process starts there. What was there before has been killed. */
static void
start(struct end *e, uint8_t address)
{
	eth_stream_close(&e->port.stream);
	memset(e, 0, sizeof(*e));
	e->device.socket = (int)(e - end);
	e->device.udp = e->device.ports = e->device.started = 1;
	e->device.port[0] = &e->port;
	e->device.pool = pool;
	e->device.mtu = MTU;
	e->device.payload = RTE_ALIGN_FLOOR(MTU - (uint32_t)sizeof(struct eth_head), ETH_ALIGN);
	e->device.way.from.addr_bytes[0] = address;
	memset(&e->device.way.to, 0xff, sizeof(e->device.way.to));
	e->device.turn_ns = eth_now();
	e->port.device = &e->device;
	e->port.owner = getpid();
	e->port.region = (uint8_t *)e->region;
	e->port.region_len = sizeof(e->region);
	CU_ASSERT_EQUAL_FATAL(eth_link_begin(&e->port), 0);
}

static void
turn(uint64_t ns)
{
	now_ns += ns;
	for (unsigned int i = 0; i < ENDS; i++)
		if (!end[i].gone)
			eth_link_turn(&end[i].device);
}

/* So many packets come again in each turn. */
static void
run(unsigned int ms, unsigned int again)
{
	for (; ms > 0; ms -= 10) {
		for (unsigned int i = 0; i < again; i++)
			arrive(&earlier[draw(SENT)], 0);
		turn(10 * MS);
	}
}

static bool
are_joined(const struct eth_port *a, const struct eth_port *b)
{
	return eth_is_up(a) && eth_is_up(b) && a->peer == b->session && b->peer == a->session;
}

static void
join(void)
{
	percent = 0;
	end[2].gone = true;
	start(&end[0], 1);
	start(&end[1], 2);
	run(SOON_MS, 0);
	CU_ASSERT_FATAL(are_joined(near, far));
}

/* Words of 1 and so on, each in its slot. */
static void
put_words(struct end *e)
{
	uint64_t word = e->put + 1;

	for (; word <= WORDS && eth_link_put(&e->port, ETH_WRITE, word % SLOTS * sizeof(word),
					     &word, sizeof(word)) != 0;
	     word++)
		if (draw(16) == 0)
			eth_link_push(&e->port);
	e->put = word - 1;
}

/* The last ones are there, whatever came: each was stored once, and in order. */
static void
get_words(struct end *e)
{
	for (unsigned int i = 0; i < SLOTS; i++)
		e->got = RTE_MAX(e->got, e->region[i]);
	for (uint64_t word = e->got; word > 0 && word + SLOTS > e->got; word--)
		CU_ASSERT_EQUAL_FATAL(e->region[word % SLOTS], word);
}

static bool
is_done(const struct end *e)
{
	return e->got == WORDS && eth_stream_empty(&e->port.stream);
}

/* Words in both directions, with so many faults of each kind in a hundred. */
static void
test_faults(void)
{
	static const unsigned int percents[] = {0, 1, 3, 10, 30};

	for (unsigned int i = 0; i < 40 * RTE_DIM(percents); i++) {
		join();
		percent = percents[i / 40];
		for (unsigned int step = 0; step < STEPS && !(is_done(&end[0]) && is_done(&end[1]));
		     step++) {
			put_words(&end[0]);
			put_words(&end[1]);
			turn(10 * US);
			get_words(&end[0]);
			get_words(&end[1]);
		}
		CU_ASSERT(is_done(&end[0]) && is_done(&end[1]));
		CU_ASSERT_EQUAL(near->stream.lost, 0);
		CU_ASSERT_EQUAL(near->breaks + far->breaks, 0);
		CU_ASSERT_EQUAL(near->stream.again + far->stream.again != 0, percent != 0);
		CU_ASSERT_EQUAL(near->stream.doubled + far->stream.doubled != 0, percent != 0);
	}
}

/* Who has started again is taken once silence has told, also where packets get lost; a port that
 * comes up once stays down. */
static void
test_again(void)
{
	percent = 0;
	end[1].gone = end[2].gone = true;
	start(&end[0], 1);
	run(5 * SOON_MS, 0); /* how late the peer comes at first does not count */
	start(&end[1], 2);
	run(SOON_MS, 0);
	CU_ASSERT_FATAL(are_joined(near, far));
	for (unsigned int i = 1; i <= RESTARTS; i++) {
		percent = draw(20);
		near->once = i == RESTARTS;
		start(&end[1], 2);
		run(SOON_MS, 0);
		CU_ASSERT_EQUAL(near->breaks, i - 1);
		run(3 * SOON_MS, 0);
		CU_ASSERT_EQUAL(are_joined(near, far), !near->once);
		CU_ASSERT_EQUAL(near->breaks, i);
		CU_ASSERT_EQUAL(far->breaks, 0);
	}
	CU_ASSERT(near->dead && !eth_is_up(far));
}

/* Neither end leaves one that was stopped, or out of reach, for one that was there before. */
static void
test_late(void)
{
	memcpy(earlier, sent, sizeof(sent));
	join();
	for (unsigned int i = 0; i < RUNS; i++) {
		end[1].gone = i % 2 == 0;
		percent = i % 2 * 100;
		run(SOON_MS, 10);
		end[1].gone = false;
		percent = 0;
		run(100, 10);
		CU_ASSERT(are_joined(near, far));
		CU_ASSERT_EQUAL(near->breaks + far->breaks, 0);
	}
}

/* A third end has to wait: at the same address while the peer speaks, at another one until silence
 * has told. One with another key is never heard. */
static void
test_third(void)
{
	join();
	start(&end[2], 2);
	run(5 * SOON_MS, 0);
	CU_ASSERT(are_joined(near, far));
	end[1].gone = true;
	start(&end[2], 3);
	run(SOON_MS, 0);
	CU_ASSERT(near->peer == far->session && near->breaks == 0);
	end[2].device.key = 1;
	run(2 * SOON_MS, 0);
	CU_ASSERT(!eth_is_up(near) && near->peer == 0);
	end[2].device.key = 0;
	run(SOON_MS, 0);
	CU_ASSERT(are_joined(near, &end[2].port));
}

/* What no peer sends changes nothing. */
static void
test_forged(void)
{
	struct eth_stream *s = &near->stream;
	const struct eth_taker to = {NULL, NULL}; /* none is taken */
	const struct eth_ack unsent[] = {{1, 0}, {0, 1}, {0, 1ull << 63}, {ETH_WINDOW + 1, 0}};
	const uint8_t data[SIZE + 1] = {0};
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(eth_stream_open(s, SIZE), 0);
	for (i = 0; i < sizeof(unsent) / sizeof(unsent[0]); i++)
		CU_ASSERT_EQUAL(eth_stream_acked(s, &unsent[i], 1), -EINVAL);
	CU_ASSERT_EQUAL(eth_stream_arrive(s, ETH_WINDOW, data, 8, 1, &to), -EINVAL);
	CU_ASSERT_EQUAL(eth_stream_arrive(s, 0, data, SIZE + 1, 1, &to), -EINVAL);
	CU_ASSERT_EQUAL(eth_stream_arrive(s, 0, data, 0, 1, &to), -EINVAL);
	/* an old one is acknowledged again, and not taken */
	CU_ASSERT_EQUAL(eth_stream_arrive(s, UINT32_MAX, data, 8, 1, &to), 0);
	CU_ASSERT_EQUAL(eth_stream_ack(s).next, 0);
	CU_ASSERT_TRUE(eth_stream_empty(s));
	eth_stream_close(s);
}

/* A sender has no more under way than the window, and the time-out grows while nobody answers. */
static void
test_silence(void)
{
	struct eth_stream *s = &near->stream;
	uint64_t now, last = 0, gap = 0;
	uint32_t seq, len, room, n;
	const uint8_t *data;
	unsigned int times;

	CU_ASSERT_EQUAL_FATAL(eth_stream_open(s, SIZE), 0);
	for (n = 0; eth_stream_room(s, SIZE, &room) != NULL; n++) {
		eth_stream_add(s, SIZE);
		eth_stream_seal(s);
	}
	CU_ASSERT_EQUAL(n, ETH_WINDOW);
	CU_ASSERT_EQUAL(eth_stream_window(8952), 64);
	for (; eth_stream_next(s, &seq, &data, &len); n--)
		eth_stream_sent(s, seq, 0);
	CU_ASSERT_EQUAL(n, 0);
	for (now = 1000, times = 0; times < 3; now += 1000000) {
		eth_stream_time(s, now);
		if (!eth_stream_next(s, &seq, &data, &len))
			continue;
		CU_ASSERT_EQUAL(seq, 0);
		eth_stream_sent(s, seq, now);
		CU_ASSERT_TRUE(now - last > gap);
		gap = now - last;
		last = now;
		times++;
	}
	eth_stream_close(s);
}

static int
make_pool(void)
{
	int ret = drv_setup();

	rte_log_set_global_level(RTE_LOG_CRIT); /* there is no ethdev */
	if (ret == 0)
		pool = rte_pktmbuf_pool_create("packets", 1023, 0, 0, 2048, SOCKET_ID_ANY);
	return pool == NULL ? -1 : ret;
}

TEST_PROGRAM_AROUND("ether", make_pool, drv_cleanup, NULL, NULL, {"forged", test_forged},
		    {"silence", test_silence}, {"faults", test_faults}, {"again", test_again},
		    {"late", test_late}, {"third", test_third})
