/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/context.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"
#include "base/wire.h"
#include "host/hostseg.h"
#include "link/cut.h"
#include "link/frame.h"
#include "mem/layout.h"
#include "mem/target.h"
#include "relay/mirror.h"
#include "relay/send.h"
#include "rig.h"

/*
 * Host 1 of 3 loses its right cable, to host 2, gets it back and loses it again: one story. Its
 * rings have 8 slots, and host 2 is two hops to the left while the cable is lost.
 */

enum {
	CABLE = 1,
};

static const struct rb_desc amo = {.op = RB_OP_AMO,
				   .flags = RB_DESC_COUNTED,
				   .src_pe = 0,
				   .dst_pe = 2,
				   .amo = RB_AMO_ADD | 8 << 4,
				   .arg = {1}};

/* A word about that cable: @p mine is the stage of this host, which has it on its right side. */
static uint64_t
word_of(uint64_t number, enum rb_cut_stage mine, enum rb_cut_stage other)
{
	return number << RB_CUT_NUMBER | (uint64_t)other << RB_CUT_STAGE |
	       (uint64_t)mine << (RB_CUT_STAGE + RB_CUT_STAGE_BITS) | CABLE;
}

static uint64_t *
told_at(unsigned int side)
{
	return &rb.link[side].theirs->cut;
}

static const struct rb_tx *
ring_to(unsigned int side, unsigned int ring)
{
	return &rb.link[side].tx[ring];
}

static uint32_t
moved_to(int host)
{
	return (uint16_t)(rb_route_word(host) >> RB_ROUTE_MOVED);
}

/* From host 2, by host 0. */
static void
hear(uint64_t word)
{
	rb.link[RB_LEFT].mine->cut = word;
	CU_ASSERT_EQUAL(rb_cut_look(), 0);
}

/* Words that no host stores change nothing. */
static void
ignores_garbage(void)
{
	static const uint64_t words[] = {CABLE,			    /* no number */
					 1ull << RB_CUT_NUMBER | 3, /* three cables are 0 to 2 */
					 1ull << RB_CUT_NUMBER | 0xff,
					 2ull << RB_CUT_NUMBER,
					 1ull << 63,
					 1ull << RB_CUT_NUMBER | 8 << RB_CUT_STAGE,
					 1ull << RB_CUT_NUMBER | 0x55 << RB_CUT_STAGE};
	unsigned int i;

	set_up();
	rb.survives = true;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		rb.link[RB_LEFT].mine->cut = words[i];
		CU_ASSERT_EQUAL(rb_cut_look(), 0);
		CU_ASSERT_FALSE(rb_cut_is(&rb.link[RB_LEFT]) || rb_cut_is(&rb.link[RB_RIGHT]));
	}
	CU_ASSERT_EQUAL(*told_at(RB_RIGHT), 0);
	rb.link[RB_LEFT].mine->cut = 0;
}

static void
tells_and_moves(void)
{
	CU_ASSERT_EQUAL(rb_route_ring().lost, -1);
	rung[RB_LEFT] = rung[RB_RIGHT] = 0;
	CU_ASSERT_EQUAL(rb_cut_own(RB_RIGHT), 0);
	CU_ASSERT_TRUE(rb_cut_is(&rb.link[RB_RIGHT]) && !rb_cut_is(&rb.link[RB_LEFT]));
	CU_ASSERT_EQUAL(rb_route_ring().lost, CABLE);
	CU_ASSERT_EQUAL(rb_route_ring().changes, 1);
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(1, RB_CUT_LEFT, RB_CUT_LEFT));
	CU_ASSERT_EQUAL(*told_at(RB_RIGHT), 0);
	CU_ASSERT_EQUAL(rung[RB_LEFT], RB_DB_CUT);
	CU_ASSERT_EQUAL(rung[RB_RIGHT], 0);
	CU_ASSERT_EQUAL(rb_route_side(2), RB_LEFT);
	CU_ASSERT_EQUAL(rb_route_hops(2), 2);
	CU_ASSERT_EQUAL(rb_route_side(0), RB_LEFT);
	/* both channels to host 2 wait for what is under way, and none to host 0 */
	CU_ASSERT_EQUAL(moved_to(2), 3);
	CU_ASSERT_EQUAL(moved_to(0), 0);
	/* again: nothing new */
	CU_ASSERT_EQUAL(rb_cut_own(RB_RIGHT), 0);
}

static void *
send_one(void *arg)
{
	struct rb_ctx *ctx = arg;
	const struct rb_target to = {.pe = 2, .host = 2, .side = RB_RIGHT, .hops = 1};
	const struct rb_amo op = {.op = RB_AMO_ADD, .size = 8, .operand = 1};
	struct rb_desc d = rb_frame_amo(0, &op, 0, RB_DESC_COUNTED);

	rb_send(ctx, &to, &d, NULL, 0);
	return NULL;
}

/* A sender that had chosen the old way goes the new one, behind the request that took the old. */
static void
waits_for_the_old_way(void)
{
	static struct rb_ctx ctx;
	const struct rb_tx *left = ring_to(RB_LEFT, 0);
	pthread_t thread;

	atomic_store(&rb_flows[2][0].issued[RB_CLS_EXECUTED], 1);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, send_one, &ctx), 0);
	usleep(20000);
	CU_ASSERT_EQUAL(left->pos, 0);
	CU_ASSERT_EQUAL(atomic_load(&rb_flows[2][0].issued[RB_CLS_EXECUTED]), 1);
	__atomic_store_n(&rb.link[RB_RIGHT].mine->ack[2][0][RB_CLS_EXECUTED], 1, __ATOMIC_RELEASE);
	CU_ASSERT_EQUAL(pthread_join(thread, NULL), 0);
	CU_ASSERT_EQUAL(left->pos, 1);
	CU_ASSERT_EQUAL(ring_to(RB_RIGHT, 0)->pos, 0);
	/* the other channel has still to wait, for this request */
	CU_ASSERT_EQUAL(moved_to(2), 2);
	atomic_store(&rb_flows[2][1].issued[RB_CLS_EXECUTED], 1);
}

/* A request for beyond the cable stays where it is, until every host has been told. */
static void
stalls_then_holds(void)
{
	const struct rb_rx *rx = &rb.link[RB_LEFT].rx[RB_RING_TRANSIT(0)];

	/* the mirrors come into place */
	serve_all();
	feed(RB_LEFT, RB_RING_TRANSIT(0), amo, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rx->pos, 0);
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(1, RB_CUT_STOPPED, RB_CUT_LEFT));
	CU_ASSERT_FALSE(rb_cut_all_told(RB_RIGHT));
	/* host 2 has stopped as well, and host 0 passes its word on */
	hear(word_of(1, RB_CUT_LEFT, RB_CUT_STOPPED));
	CU_ASSERT_TRUE(rb_cut_all_told(RB_RIGHT));
	serve_all();
	CU_ASSERT_EQUAL(rx->pos, 1);
	CU_ASSERT_EQUAL(ring_to(RB_RIGHT, RB_RING_TRANSIT(0))->pos, 0);
}

/* The mark goes behind what came over the cable before. */
static void
sends_mark_last(void)
{
	const struct rb_desc *d = out_desc(RB_LEFT, RB_RING_TRANSIT(0), 0);

	CU_ASSERT_EQUAL(ring_to(RB_LEFT, RB_RING_TRANSIT(0))->pos, 1);
	CU_ASSERT_EQUAL(d->op, RB_OP_MARK);
	CU_ASSERT_EQUAL(d->dst_pe, 2);
}

static void
turns_after_mark(void)
{
	const struct rb_desc mark = {.op = RB_OP_MARK, .src_pe = 2, .dst_pe = 1};
	const struct rb_desc forged = {.op = RB_OP_MARK, .src_pe = 0, .dst_pe = 1};
	const struct rb_desc *d = out_desc(RB_LEFT, RB_RING_TRANSIT(0), 1);

	feed(RB_LEFT, RB_RING_TRANSIT(0), forged, NULL);
	serve_all();
	CU_ASSERT_EQUAL(ring_to(RB_LEFT, RB_RING_TRANSIT(0))->pos, 1);
	feed(RB_LEFT, RB_RING_TRANSIT(0), mark, NULL);
	serve_all();
	CU_ASSERT_EQUAL(ring_to(RB_LEFT, RB_RING_TRANSIT(0))->pos, 2);
	CU_ASSERT_EQUAL(d->op, RB_OP_AMO);
	CU_ASSERT_EQUAL(d->dst_pe, 2);
}

/* The last relay on the old way stores no put over the cable. */
static void
stores_nothing_over_it(void)
{
	static const uint8_t payload[64] = {1, 2, 3};
	const struct rb_desc put = {.op = RB_OP_PUT, .dst_pe = 2, .len = sizeof(payload)};
	const struct rb_tx *left = ring_to(RB_LEFT, RB_RING_TRANSIT(0));
	uint32_t before = left->pos;

	feed(RB_LEFT, RB_RING_TRANSIT(0), put, payload);
	serve_all();
	CU_ASSERT_EQUAL(beyond[RB_RIGHT][rb_seg_shown(RB_SEG_HEAP, 0)], 0);
	CU_ASSERT_EQUAL(left->pos, before + 1);
	CU_ASSERT_EQUAL(
		memcmp(left->slot + (before & (rb.slots - 1)) * rb.chunk, payload, sizeof(payload)),
		0);
}

/* Acknowledgements turn at once, and say so. */
static void
turns_acks(void)
{
	const struct rb_desc ack = {
		.op = RB_OP_ACK, .cls = RB_CLS_EXECUTED, .src_pe = 0, .dst_pe = 2, .total = 7};
	const struct rb_desc *d = out_desc(RB_LEFT, RB_RING_REPLY(0), 0);

	feed(RB_LEFT, RB_RING_REPLY(0), ack, NULL);
	serve_all();
	CU_ASSERT_EQUAL(ring_to(RB_LEFT, RB_RING_REPLY(0))->pos, 1);
	CU_ASSERT_EQUAL(d->op, RB_OP_ACK);
	CU_ASSERT_EQUAL(d->total, 7);
	CU_ASSERT_EQUAL(d->flags, RB_DESC_TURNED);
}

/* Requests of both ways count together. */
static void
adds_both_words(void)
{
	struct rb_desc ack = {.op = RB_OP_ACK, .cls = RB_CLS_EXECUTED, .src_pe = 2, .dst_pe = 1};

	ack.total = 5;
	ack.flags = RB_DESC_TURNED;
	feed(RB_LEFT, RB_RING_REPLY(0), ack, NULL);
	ack.total = 2;
	ack.flags = 0;
	feed(RB_LEFT, RB_RING_REPLY(0), ack, NULL);
	serve_all();
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].mine->ack[2][0][RB_CLS_EXECUTED], 5);
	CU_ASSERT_EQUAL(rb.link[RB_LEFT].mine->ack[2][0][RB_CLS_EXECUTED], 2);
	CU_ASSERT_TRUE(rb_acked(2, 0, RB_CLS_EXECUTED, 7));
	CU_ASSERT_FALSE(rb_acked(2, 0, RB_CLS_EXECUTED, 8));
}

static void
second_cable_is_one_too_many(void)
{
	CU_ASSERT_EQUAL(rb_cut_own(RB_LEFT), -EBUSY);
	rb.link[RB_LEFT].mine->cut = 1ull << RB_CUT_NUMBER | (CABLE + 1);
	CU_ASSERT_EQUAL(rb_cut_look(), -EBUSY);
	rb.link[RB_LEFT].mine->cut = word_of(1, RB_CUT_LEFT, RB_CUT_STOPPED);
}

/* An end host says PARTED once its own requests of the old ways are complete; and every host passes
 * the PARTED of an end host on only then. */
static void
says_parted(void)
{
	serve_all();
	hear(word_of(1, RB_CUT_STOPPED, RB_CUT_PARTED));
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(1, RB_CUT_STOPPED, RB_CUT_STOPPED));
	rb.link[RB_RIGHT].mine->ack[2][1][RB_CLS_EXECUTED] = 1;
	serve_all();
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(1, RB_CUT_PARTED, RB_CUT_PARTED));
	CU_ASSERT_EQUAL(moved_to(2), 0);
}

/* The cable is used where it is up, and both ends have parted. */
static void
waits_for_the_link(void)
{
	rb.link[RB_RIGHT].up = true;
	rb.link[RB_RIGHT].breaks = 1;
	rb.env.heal_ms = 0;
	look_at_link(NTB_LINK_DOWN, 1);
	CU_ASSERT_EQUAL(rb_mirror_stage(0), RB_CUT_PARTED);
	look_at_link(NTB_LINK_DOWN, 2);
	CU_ASSERT_EQUAL(rb_mirror_stage(0), RB_CUT_PARTED);
	rb.env.heal_ms = 3600000;
	look_at_link(NTB_LINK_UP, 2);
	CU_ASSERT_EQUAL(rb_mirror_stage(0), RB_CUT_PARTED);
	rb.env.heal_ms = 0;
}

/* The other end finds all slots of the rings over the cable free. */
static void
takes_slots_into_use(void)
{
	unsigned int ring = RB_RING_TRANSIT(0);
	uint32_t pos = rb.link[RB_RIGHT].rx[ring].pos;

	rb.link[RB_RIGHT].theirs->credit[ring] = 77;
	serve_all();
	CU_ASSERT_EQUAL(rb_mirror_stage(0), RB_CUT_READY);
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].theirs->credit[ring], pos);
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(1, RB_CUT_READY, RB_CUT_PARTED));
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].breaks, 2);
}

static void
pass_ack(uint64_t total)
{
	const struct rb_desc ack = {
		.op = RB_OP_ACK, .cls = RB_CLS_EXECUTED, .src_pe = 0, .dst_pe = 2, .total = total};

	feed(RB_LEFT, RB_RING_REPLY(0), ack, NULL);
	serve_all();
}

/* Only once the other end has prepared for it does anything go over the cable. */
static void
opens_after_the_other_end(void)
{
	const struct rb_tx *replies = ring_to(RB_RIGHT, RB_RING_REPLY(0));
	uint32_t left = ring_to(RB_LEFT, RB_RING_REPLY(0))->pos;

	rb.link[RB_RIGHT].word = 3 << RB_ARRIVE_BITS | 1;
	hear(word_of(1, RB_CUT_STOPPED, RB_CUT_READY));
	serve_all();
	CU_ASSERT_EQUAL(rb_mirror_stage(0), RB_CUT_ENTER);
	pass_ack(8);
	CU_ASSERT_EQUAL(ring_to(RB_LEFT, RB_RING_REPLY(0))->pos, left + 1);
	CU_ASSERT_TRUE(rb_cut_is(&rb.link[RB_RIGHT]));
	hear(word_of(1, RB_CUT_STOPPED, RB_CUT_ENTER));
	serve_all();
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(1, RB_CUT_OPEN, RB_CUT_ENTER));
	CU_ASSERT_FALSE(rb_cut_is(&rb.link[RB_RIGHT]));
	CU_ASSERT_EQUAL(replies->pos, 0);
	pass_ack(9);
	CU_ASSERT_EQUAL(replies->pos, 1);
	CU_ASSERT_EQUAL(out_desc(RB_RIGHT, RB_RING_REPLY(0), 0)->total, 9);
	CU_ASSERT_EQUAL(out_desc(RB_RIGHT, RB_RING_REPLY(0), 0)->flags, 0);
	/* the barrier word that was sent meanwhile */
	CU_ASSERT_EQUAL(rb.link[RB_RIGHT].theirs->barrier, 3 << RB_ARRIVE_BITS | 1);
	/* no word about the cable goes over it */
	CU_ASSERT_EQUAL(*told_at(RB_RIGHT), 0);
}

/* New requests go back after those of the long way. */
static void
goes_back(void)
{
	static struct rb_ctx ctx;
	const struct rb_tx *right = ring_to(RB_RIGHT, 0);
	pthread_t thread;
	uint64_t acks = rb.link[RB_LEFT].mine->ack[2][0][RB_CLS_EXECUTED];

	CU_ASSERT_EQUAL(rb_route_side(2), RB_LEFT);
	atomic_store(&rb_flows[2][0].issued[RB_CLS_EXECUTED], 5 + acks + 1);
	hear(word_of(1, RB_CUT_STOPPED, RB_CUT_OPEN));
	CU_ASSERT_EQUAL(rb_route_side(2), RB_RIGHT);
	CU_ASSERT_EQUAL(rb_route_hops(2), 1);
	CU_ASSERT_EQUAL(rb_route_ring().lost, -1);
	CU_ASSERT_EQUAL(rb_route_ring().changes, 2);
	serve_all();
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(1, RB_CUT_BACK, RB_CUT_OPEN));
	CU_ASSERT_EQUAL(moved_to(2), 1);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, send_one, &ctx), 0);
	usleep(20000);
	CU_ASSERT_EQUAL(right->pos, 0);
	__atomic_store_n(&rb.link[RB_LEFT].mine->ack[2][0][RB_CLS_EXECUTED], acks + 1,
			 __ATOMIC_RELEASE);
	CU_ASSERT_EQUAL(pthread_join(thread, NULL), 0);
	CU_ASSERT_EQUAL(right->pos, 1);
	/* another cable would be one too many, and the same one has to wait */
	CU_ASSERT_EQUAL(rb_cut_own(RB_LEFT), -EBUSY);
	CU_ASSERT_EQUAL(rb_cut_own(RB_RIGHT), 0);
	CU_ASSERT_EQUAL(rb_cut_number(), 1);
}

static void
is_whole_again(void)
{
	hear(word_of(1, RB_CUT_STOPPED, RB_CUT_BACK));
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(1, RB_CUT_DONE, RB_CUT_BACK));
	CU_ASSERT_EQUAL(rb_link_use(&rb.link[RB_RIGHT]), RB_LINK_WHOLE);
}

/* The same cable breaks again: what broke since it was taken into use counts. This host has not
 * heard the end of the first loss, and tells the user of it nevertheless, in order. */
static void
is_lost_again(void)
{
	static const char both[] =
		"the cable between host 1 and host 2 is back; the job uses it again\n"
		"the cable between host 1 and host 2 is lost; the job goes on the other way "
		"round\n";
	char said[sizeof(both)] = "";
	int log = memfd_create("notes", MFD_CLOEXEC), own = dup(STDERR_FILENO);

	CU_ASSERT_FATAL(log >= 0 && own >= 0 && dup2(log, STDERR_FILENO) >= 0);
	look_at_link(NTB_LINK_UP, 3);
	dup2(own, STDERR_FILENO);
	close(own);
	CU_ASSERT_EQUAL(pread(log, said, sizeof(said) - 1, 0), sizeof(said) - 1);
	CU_ASSERT_STRING_EQUAL(said, both);
	close(log);
	CU_ASSERT_EQUAL(rb_cut_number(), 2);
	CU_ASSERT_TRUE(rb_cut_is(&rb.link[RB_RIGHT]));
	CU_ASSERT_EQUAL(rb_route_side(2), RB_LEFT);
	CU_ASSERT_EQUAL(*told_at(RB_LEFT), word_of(2, RB_CUT_STOPPED, RB_CUT_LEFT));
	pass_ack(10);
	CU_ASSERT_EQUAL(ring_to(RB_RIGHT, RB_RING_TRANSIT(0))->pos, 0);
	/* words of the first loss say nothing any more */
	rb.link[RB_LEFT].mine->cut = word_of(1, RB_CUT_DONE, RB_CUT_DONE);
	CU_ASSERT_EQUAL(rb_cut_look(), 0);
	CU_ASSERT_EQUAL(rb_route_side(2), RB_LEFT);
	rb_mirror_close();
	ring_tear_down();
}

/* Each way avoids the cable, and there is one for each pair. */
static void
routes_on_a_line(void)
{
	unsigned int hosts, cable, from, to, at, hops;

	for (hosts = 2; hosts <= 9; hosts++)
		for (cable = 0; cable < hosts; cable++)
			for (from = 0; from < hosts; from++)
				for (to = 0; to < hosts; to++) {
					struct rb_route r =
						rb_rule_route_without(cable, from, to, hosts);

					at = from;
					for (hops = 0; hops < r.hops; hops++) {
						CU_ASSERT_NOT_EQUAL(
							rb_rule_cable(at, r.side, hosts), cable);
						at = (at + (r.side == RB_RIGHT ? 1 : hosts - 1)) %
						     hosts;
					}
					CU_ASSERT_EQUAL(at, to);
				}
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"the ways on a line", routes_on_a_line},
		{"garbage in the word", ignores_garbage},
		{"the loss is told, and routes move", tells_and_moves},
		{"a sender waits for the old way", waits_for_the_old_way},
		{"requests stall, then are held", stalls_then_holds},
		{"the mark is behind what came", sends_mark_last},
		{"requests turn after the mark", turns_after_mark},
		{"no put goes over the cable", stores_nothing_over_it},
		{"acks turn at once", turns_acks},
		{"acks of both ways", adds_both_words},
		{"a second cable", second_cable_is_one_too_many},
		{"parted when all is complete", says_parted},
		{"the cable has to be up", waits_for_the_link},
		{"its slots are free", takes_slots_into_use},
		{"open after the other end", opens_after_the_other_end},
		{"requests go back", goes_back},
		{"whole again", is_whole_again},
		{"lost again", is_lost_again},
	};

	return run_suite("lost", cases, sizeof(cases) / sizeof(cases[0]));
}
