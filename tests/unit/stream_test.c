/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "eth_packet.h"

/*
 * Two ends and a way between them that drops, doubles, delays and reorders packets by seed, all in
 * one thread and with a clock of its own. Changed packets never come so far: their checksum is
 * wrong, and they are lost.
 */

enum {
	SIZE = 64,
	WAYS = 4096, /* packets under way */
	PACKETS = 20000,
	STEP_NS = 1000,
	STEPS = 20000000, /* bound */
};

struct flight {
	uint64_t due; /* 0: free */
	struct eth_ack ack;
	uint32_t seq, len;
	uint8_t data[SIZE];
};

struct end {
	struct eth_stream stream;
	struct flight in[WAYS];
	uint64_t put, got; /* words */
};

static struct {
	uint64_t state, now;
	unsigned int percent;
	struct end end[2];
} world;

static uint64_t
draw(void)
{
	world.state ^= world.state << 13;
	world.state ^= world.state >> 7;
	world.state ^= world.state << 17;
	return world.state;
}

static bool
happens(void)
{
	return draw() % 100 < world.percent;
}

static void
fly(struct end *to, const struct flight *f, uint64_t delay)
{
	unsigned int i;

	for (i = 0; i < WAYS && to->in[i].due != 0; i++)
		;
	if (i == WAYS) /* a full queue drops, too */
		return;
	to->in[i] = *f;
	to->in[i].due = world.now + delay;
}

static void
transmit(struct end *from, struct end *to, uint32_t seq, const uint8_t *data, uint32_t len)
{
	struct flight f = {.seq = seq, .len = len, .ack = eth_stream_ack(&from->stream)};
	unsigned int copies = happens() ? 2 : 1;

	memcpy(f.data, data, len);
	eth_stream_ack_sent(&from->stream);
	for (; copies > 0; copies--)
		if (!happens())
			fly(to, &f, 20000 + (happens() ? draw() % 400000 : 0));
}

static int
take(void *arg, const uint8_t *data, uint32_t len)
{
	struct end *e = arg;
	uint64_t word;

	for (; len >= sizeof(word); len -= (uint32_t)sizeof(word), data += sizeof(word)) {
		memcpy(&word, data, sizeof(word));
		if (word != e->got)
			return -EPROTO;
		e->got++;
	}
	return len == 0 ? 0 : -EPROTO;
}

static void
land(struct end *e)
{
	const struct eth_taker to = {take, e};
	unsigned int i;

	for (i = 0; i < WAYS; i++) {
		struct flight *f = &e->in[i];

		if (f->due == 0 || f->due > world.now)
			continue;
		CU_ASSERT_EQUAL_FATAL(eth_stream_acked(&e->stream, &f->ack, world.now), 0);
		if (f->len != 0)
			CU_ASSERT_EQUAL_FATAL(eth_stream_arrive(&e->stream, f->seq, f->data, f->len,
								world.now, &to),
					      0);
		f->due = 0;
	}
}

static void
turn(struct end *e, struct end *peer, uint64_t words)
{
	const uint8_t *data;
	uint32_t room, seq, len;
	uint8_t *to;

	land(e);
	while (e->put < words && (to = eth_stream_room(&e->stream, 8, &room)) != NULL) {
		memcpy(to, &e->put, sizeof(e->put));
		eth_stream_add(&e->stream, sizeof(e->put));
		e->put++;
		if (draw() % 16 == 0)
			eth_stream_seal(&e->stream);
	}
	if (e->put == words)
		eth_stream_seal(&e->stream);
	eth_stream_time(&e->stream, world.now);
	while (eth_stream_next(&e->stream, &seq, &data, &len)) {
		eth_stream_sent(&e->stream, seq, world.now);
		transmit(e, peer, seq, data, len);
	}
	if (eth_stream_ack_due(&e->stream, world.now))
		transmit(e, peer, 0, (const uint8_t *)"", 0);
}

/* Words in both directions, all of which come once and in order. */
static void
run(uint64_t seed, unsigned int percent, uint64_t words)
{
	struct end *a = &world.end[0], *b = &world.end[1];
	unsigned int steps;

	memset(&world, 0, sizeof(world));
	world.state = seed * 2654435761u + 1;
	world.percent = percent;
	world.now = 1;
	CU_ASSERT_EQUAL_FATAL(eth_stream_open(&a->stream, SIZE), 0);
	CU_ASSERT_EQUAL_FATAL(eth_stream_open(&b->stream, SIZE), 0);
	for (steps = 0; steps < STEPS; steps++, world.now += STEP_NS) {
		turn(a, b, words);
		turn(b, a, words / 3);
		if (b->got == words && a->got == words / 3 && eth_stream_empty(&a->stream) &&
		    eth_stream_empty(&b->stream))
			break;
	}
	CU_ASSERT_EQUAL(b->got, words);
	CU_ASSERT_EQUAL(a->got, words / 3);
	CU_ASSERT_TRUE(eth_stream_empty(&a->stream) && eth_stream_empty(&b->stream));
	CU_ASSERT_EQUAL(a->stream.lost, 0);
	if (percent == 0)
		CU_ASSERT_EQUAL(a->stream.again + b->stream.again, 0);
	eth_stream_close(&a->stream);
	eth_stream_close(&b->stream);
}

static void
test_whole(void)
{
	run(1, 0, PACKETS);
}

/* Of each fault so many in a hundred. */
static void
test_faults(void)
{
	static const unsigned int percents[] = {1, 3, 10, 30};
	uint64_t seed, again = 0;
	unsigned int i;

	for (i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
		for (seed = 1; seed <= 40; seed++) {
			run(seed, percents[i], PACKETS / 4);
			again += world.end[0].stream.again;
			CU_ASSERT_TRUE(world.end[1].stream.doubled > 0);
		}
	CU_ASSERT_TRUE(again > 0);
}

/* What no peer sends changes nothing. */
static void
test_forged(void)
{
	struct eth_stream *s = &world.end[0].stream;
	const struct eth_taker to = {take, &world.end[0]};
	const struct eth_ack unsent[] = {{1, 0}, {0, 1}, {0, 1ull << 63}, {ETH_WINDOW + 1, 0}};
	const uint8_t data[SIZE + 1] = {0};
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(eth_stream_open(s, SIZE), 0);
	for (i = 0; i < sizeof(unsent) / sizeof(unsent[0]); i++)
		CU_ASSERT_EQUAL(eth_stream_acked(s, &unsent[i], 1), -EINVAL);
	world.end[0].got = 0;
	CU_ASSERT_EQUAL(eth_stream_arrive(s, ETH_WINDOW, data, 8, 1, &to), -EINVAL);
	CU_ASSERT_EQUAL(eth_stream_arrive(s, 0, data, SIZE + 1, 1, &to), -EINVAL);
	CU_ASSERT_EQUAL(eth_stream_arrive(s, 0, data, 0, 1, &to), -EINVAL);
	/* an old one is acknowledged again, and not taken */
	CU_ASSERT_EQUAL(eth_stream_arrive(s, UINT32_MAX, data, 8, 1, &to), 0);
	CU_ASSERT_EQUAL(world.end[0].got, 0);
	CU_ASSERT_EQUAL(eth_stream_ack(s).next, 0);
	CU_ASSERT_TRUE(eth_stream_empty(s));
	eth_stream_close(s);
}

/* A sender has no more under way than the window, and the time-out grows while nobody answers. */
static void
test_silence(void)
{
	struct eth_stream *s = &world.end[0].stream;
	uint64_t now, last = 0, gap = 0;
	uint32_t seq, len, room, n;
	const uint8_t *data;
	unsigned int sent;

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
	for (now = 1000, sent = 0; sent < 3; now += 1000000) {
		eth_stream_time(s, now);
		if (!eth_stream_next(s, &seq, &data, &len))
			continue;
		CU_ASSERT_EQUAL(seq, 0);
		eth_stream_sent(s, seq, now);
		CU_ASSERT_TRUE(now - last > gap);
		gap = now - last;
		last = now;
		sent++;
	}
	eth_stream_close(s);
}

/* What is written is read, and a packet that differs in a bit, behind the head of Ethernet, is not.
 */
static void
test_changed(void)
{
	const struct eth_way way = {.from = {{2, 0, 0, 0, 0, 1}}, .to = {{2, 0, 0, 0, 0, 2}}};
	uint8_t packet[ETH_HEADS + SIZE];
	struct eth_way got;
	struct eth_head head;
	uint32_t len, bit;

	for (len = 0; len <= SIZE; len += ETH_ALIGN) {
		struct eth_head h = {.kind = ETH_DATA,
				     .len = rte_cpu_to_le_16((uint16_t)len),
				     .host = 3,
				     .peer = 63,
				     .hosts = 64};
		const uint32_t whole = ETH_HEADS + len;

		memset(packet, 0xa5, sizeof(packet));
		eth_packet_finish(packet, &way, &h, 1);
		CU_ASSERT_PTR_EQUAL(eth_packet_read(packet, whole, 1, &got, &head),
				    packet + ETH_HEADS);
		CU_ASSERT_EQUAL(memcmp(&got, &way, sizeof(way)), 0);
		CU_ASSERT_EQUAL(memcmp(&head, &h, sizeof(h)), 0);
		CU_ASSERT_PTR_NULL(eth_packet_read(packet, whole, 2, &got, &head));
		CU_ASSERT_PTR_NULL(eth_packet_read(packet, whole - 1, 1, &got, &head));
		for (bit = 8 * RTE_ETHER_HDR_LEN; bit < 8 * whole; bit++) {
			packet[bit / 8] ^= 1 << bit % 8;
			CU_ASSERT_PTR_NULL(eth_packet_read(packet, whole, 1, &got, &head));
			packet[bit / 8] ^= 1 << bit % 8;
		}
	}
}

TEST_PROGRAM("stream", NULL, NULL, {"whole", test_whole}, {"faults", test_faults},
	     {"forged", test_forged}, {"silence", test_silence}, {"changed", test_changed})
