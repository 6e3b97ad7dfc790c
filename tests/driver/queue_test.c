/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Mbufs between two ports by the contract of DPDK's rte_pmd_ntb.h: contents, shapes, full rings,
 * link losses, and a peer that writes nonsense into the rings.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include <CUnit/Basic.h>

#include <rte_rawdev.h>

#include "drv.h"
#include "drv_queue.h"
#include "plx_dev.h"

static void
test_both_ways(void)
{
	struct rte_mbuf *m[SIDE_BURST];
	uint32_t seed = 0;

	/* more than the rings hold, in both directions and on both queues at once */
	for (unsigned int round = 0; round < 5 * SIDE_DESCS / SIDE_BURST; round++) {
		for (size_t q = 0; q < SIDE_QUEUES; q++) {
			for (unsigned int i = 0; i < SIDE_BURST; i++)
				m[i] = side_packet(&side_a, seed + i, i * 15, 2048);
			CU_ASSERT_EQUAL_FATAL(side_send(&side_a, q, m, SIDE_BURST), SIDE_BURST);
			for (unsigned int i = 0; i < SIDE_BURST; i++)
				m[i] = side_packet(&side_b, seed + i, 1 + i, 2048);
			CU_ASSERT_EQUAL_FATAL(side_send(&side_b, q, m, SIDE_BURST), SIDE_BURST);
		}
		for (size_t q = 0; q < SIDE_QUEUES; q++) {
			for (unsigned int i = 0; i < SIDE_BURST; i++)
				CU_ASSERT_TRUE(side_receive_one(&side_b, q, seed + i, i * 15));
			CU_ASSERT_EQUAL_FATAL(side_receive(&side_a, q, m, SIDE_BURST), SIDE_BURST);
			for (unsigned int i = 0; i < SIDE_BURST; i++)
				CU_ASSERT_TRUE(side_is_packet(m[i], &side_a, seed + i, 1 + i));
			rte_pktmbuf_free_bulk(m, SIDE_BURST);
		}
		seed += SIDE_BURST;
	}
	CU_ASSERT_EQUAL(drv_xstat(&side_a.port, "Tx-packets"), SIDE_QUEUES * 5 * SIDE_DESCS);
	CU_ASSERT_EQUAL(drv_xstat(&side_a.port, "Tx-packets_q1"), 5 * SIDE_DESCS);
	CU_ASSERT_EQUAL(drv_xstat(&side_b.port, "Rx-packets"), SIDE_QUEUES * 5 * SIDE_DESCS);
	CU_ASSERT_EQUAL(drv_xstat(&side_b.port, "Rx-bytes_q0"),
			5 * SIDE_DESCS / SIDE_BURST * 15 * 120);
	CU_ASSERT_EQUAL(drv_xstat(&side_a.port, "Tx-bytes_q0"),
			drv_xstat(&side_b.port, "Rx-bytes_q0"));
	CU_ASSERT_EQUAL(drv_xstat(&side_b.port, "Tx-errors") + drv_xstat(&side_b.port, "Rx-missed"),
			0);
}

static void
test_shapes(void)
{
	static const uint32_t lens[] = {0,   1, SIDE_BUF - 1, SIDE_BUF, SIDE_BUF + 1, 3 * SIDE_BUF,
					5000};

	for (unsigned int round = 0; round < 30; round++) {
		for (unsigned int i = 0; i < RTE_DIM(lens); i++) {
			CU_ASSERT_EQUAL(side_send_one(&side_a, 0, i, lens[i], 2048), 1);
			CU_ASSERT_TRUE(side_receive_one(&side_b, 0, i, lens[i]));
			CU_ASSERT_EQUAL(side_send_one(&side_b, 1, i, lens[i], 301), 1);
			CU_ASSERT_TRUE(side_receive_one(&side_a, 1, i, lens[i]));
		}
	}
	/* all buffers of the ring, and one byte more: that one can never go */
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 7, SIDE_DESCS * SIDE_BUF, 2048), 1);
	CU_ASSERT_TRUE(side_receive_one(&side_b, 0, 7, SIDE_DESCS * SIDE_BUF));
	CU_ASSERT_EQUAL(drv_xstat(&side_a.port, "Tx-errors"), 0);
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 7, SIDE_DESCS * SIDE_BUF + 1, 2048), 1);
	CU_ASSERT_EQUAL(drv_xstat(&side_a.port, "Tx-errors"), 1);
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 8, 10, 2048), 1);
	CU_ASSERT_TRUE(side_receive_one(&side_b, 0, 8, 10));
}

static void
test_full(void)
{
	struct rte_mbuf *m[SIDE_MBUFS], *hold[SIDE_BURST];
	unsigned int n = 0, got = 0;

	for (; n < 2 * SIDE_DESCS; n++)
		if (side_send_one(&side_a, 0, n, 20, 20) != 1)
			break;
	CU_ASSERT_EQUAL(n, SIDE_DESCS);
	CU_ASSERT_EQUAL(side_send_one(&side_a, 1, 0, 20, 20), 1); /* a ring of its own */
	CU_ASSERT_TRUE(side_receive_one(&side_b, 1, 0, 20));
	for (unsigned int i = 0; i < n; i++)
		CU_ASSERT_TRUE(side_receive_one(&side_b, 0, i, 20));
	CU_ASSERT_EQUAL(side_receive(&side_b, 0, hold, SIDE_BURST), 0);

	/* a packet of two buffers with one left waits, whole */
	for (n = 0; n < SIDE_DESCS - 1; n++)
		CU_ASSERT_EQUAL(side_send_one(&side_a, 0, n, 20, 20), 1);
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, n, SIDE_BUF + 1, 2048), 0);
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, n, 20, 20), 1);
	for (unsigned int i = 0; i <= n; i++)
		CU_ASSERT_TRUE(side_receive_one(&side_b, 0, i, 20));

	/* the receiver's mempool runs dry: packets that have buffers get through, none is lost */
	while (got < SIDE_MBUFS && (m[got] = rte_pktmbuf_alloc(side_b.mp)) != NULL)
		got++;
	for (n = 0; n < SIDE_DESCS; n++)
		CU_ASSERT_EQUAL(side_send_one(&side_a, 0, n, 20, 20), 1);
	CU_ASSERT_EQUAL(side_receive(&side_b, 0, hold, SIDE_BURST), SIDE_BURST);
	CU_ASSERT(drv_xstat(&side_b.port, "Rx-missed") > 0);
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 0, 20, 20), 0);
	rte_pktmbuf_free_bulk(m, got);
	rte_pktmbuf_free_bulk(hold, SIDE_BURST);
	for (unsigned int i = SIDE_BURST; i < SIDE_DESCS; i++)
		CU_ASSERT_TRUE(side_receive_one(&side_b, 0, i, 20));
	for (n = 0; n < SIDE_DESCS; n++)
		CU_ASSERT_EQUAL(side_send_one(&side_a, 0, n, 20, 20), 1);
}

static void
test_link_loss(void)
{
	for (unsigned int round = 0; round < 5; round++) {
		/* packets under way are lost with the link, or arrive before it; none arrives later
		 */
		for (unsigned int i = 0; i < round * 7; i++)
			CU_ASSERT_EQUAL(side_send_one(&side_a, 0, i, 20, 20), 1);
		CU_ASSERT_EQUAL(drv_fault(&side_a.port, NTB_ATTR_FAULT_RETRAIN, 1), 0);
		CU_ASSERT_TRUE(side_wait_links(1, 1));
		CU_ASSERT_TRUE(side_flows(&side_a, &side_b, 0));
		CU_ASSERT_TRUE(side_flows(&side_b, &side_a, 1));
	}
	CU_ASSERT_EQUAL(drv_fault(&side_b.port, NTB_ATTR_FAULT_CABLE, 1), 0);
	CU_ASSERT_TRUE(side_wait_links(0, 0));
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 0, 20, 20), 0);
	CU_ASSERT_EQUAL(drv_fault(&side_b.port, NTB_ATTR_FAULT_CABLE, 0), 0);
	CU_ASSERT_TRUE(side_flows(&side_a, &side_b, 0));
	CU_ASSERT_TRUE(side_flows(&side_b, &side_a, 0));
	/* a hello that was lost in the scratchpads is sent again */
	for (unsigned int i = 0; i < 8; i++)
		side_a.port.port->ops->spad_write(side_a.port.port, i, 4711 * i);
	CU_ASSERT_TRUE(side_wait_links(1, 1));
	CU_ASSERT_TRUE(side_flows(&side_a, &side_b, 1));
}

/* The link comes up again before the receiver receives, as in a program that is still starting. The
 * sender finds its buffers posted. */
static void
test_session_before_receive(void)
{
	time_t end = time(NULL) + 10;
	int sent = 0;

	CU_ASSERT_EQUAL(drv_fault(&side_a.port, NTB_ATTR_FAULT_RETRAIN, 1), 0);
	CU_ASSERT_TRUE(side_wait_links(1, 1));
	while (sent == 0 && time(NULL) < end) {
		sent = side_send_one(&side_a, 0, 0, 20, 20);
	}
	CU_ASSERT_EQUAL(sent, 1);
	for (unsigned int i = 1; i < SIDE_DESCS; i++)
		CU_ASSERT_EQUAL(side_send_one(&side_a, 0, i, 20, 20), 1);
	for (unsigned int i = 0; i < SIDE_DESCS; i++)
		CU_ASSERT_TRUE(side_receive_one(&side_b, 0, i, 20));
}

/* A's register accesses, with a cable that is plugged between two of them. Counts the sessions that
 * A names to the peer from then on. */
static struct {
	const struct plx_io_ops *real;
	struct plx_io_ops ops;
	_Atomic bool armed;
	uint32_t session;
	_Atomic unsigned int sessions;
} amid;

static uint32_t
plug_behind_event(struct plx_io *io, uint32_t off)
{
	uint32_t v = amid.real->rd32(io, off);

	if (off == plx_dev_of(&rte_rawdevs[side_a.port.dev_id])->chip.virt + PLX_LINK_EVENT &&
	    atomic_exchange(&amid.armed, false))
		CU_ASSERT_EQUAL(drv_fault(&side_a.port, NTB_ATTR_FAULT_CABLE, 0), 0);
	return v;
}

static void
count_sessions(struct plx_io *io, uint32_t off, uint32_t val)
{
	struct plx_chip *chip = &plx_dev_of(&rte_rawdevs[side_a.port.dev_id])->chip;

	if (!amid.armed && off == plx_peer_virt(chip, PLX_SPAD(1)) && val != amid.session) {
		amid.session = val; /* the device's lock is held */
		amid.sessions++;
	}
	amid.real->win_wr32(io, off, val);
}

static void
set_ops(struct plx_dev *dev, const struct plx_io_ops *ops)
{
	pthread_mutex_lock(&dev->lock); /* the EAL's interrupt thread looks at the link */
	dev->io->ops = ops;
	pthread_mutex_unlock(&dev->lock);
}

/* The link comes up after the driver has read that there is no event, and before it reads the
 * width. The driver must not take the event for a loss of the link that it then sees: it would end
 * a session that it has named to the peer already. */
static void
test_up_amid_look(void)
{
	struct plx_dev *dev;

	dev = plx_dev_of(&rte_rawdevs[side_a.port.dev_id]);
	amid.real = dev->io->ops;
	amid.ops = *amid.real;
	amid.ops.rd32 = plug_behind_event;
	amid.ops.win_wr32 = count_sessions;
	CU_ASSERT_EQUAL(drv_fault(&side_a.port, NTB_ATTR_FAULT_CABLE, 1), 0);
	CU_ASSERT_TRUE(side_wait_links(0, 0));
	amid.sessions = 0;
	amid.armed = true;
	set_ops(dev, &amid.ops);
	CU_ASSERT_TRUE(side_wait_links(1, 1));
	CU_ASSERT_FALSE(amid.armed);
	CU_ASSERT_TRUE(side_flows(&side_a, &side_b, 0));
	CU_ASSERT_EQUAL(amid.sessions, 1);
	set_ops(dev, amid.real);
}

static void
test_restart(void)
{
	for (unsigned int round = 0; round < 3; round++) {
		rte_rawdev_stop(side_b.port.dev_id);
		CU_ASSERT_EQUAL(side_send_one(&side_b, 0, 0, 20, 20), 0);
		CU_ASSERT_TRUE(side_wait_links(0, 0));
		CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 0, 20, 20), 0);
		if (round == 1) /* may be configured anew as well */
			CU_ASSERT_EQUAL(side_configure(&side_b, SIDE_QUEUES), 0);
		CU_ASSERT_EQUAL(rte_rawdev_start(side_b.port.dev_id), 0);
		CU_ASSERT_TRUE(side_flows(&side_a, &side_b, 0));
		CU_ASSERT_TRUE(side_flows(&side_b, &side_a, 1));
	}
	/* another number of queues: no link for traffic, no start */
	rte_rawdev_stop(side_b.port.dev_id);
	CU_ASSERT_EQUAL(side_configure(&side_b, 1), 0);
	CU_ASSERT_TRUE(side_wait_links(1, 1));
	CU_ASSERT_EQUAL(rte_rawdev_start(side_b.port.dev_id), -EINVAL);
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 0, 20, 20), 0);
}

static void
test_arguments(void)
{
	struct ntb_queue_conf q = {.nb_desc = SIDE_DESCS + 1};

	q.rx_mp = side_a.mp;
	CU_ASSERT_EQUAL(side_send_one(&side_a, SIDE_QUEUES, 0, 20, 20), -EINVAL);
	CU_ASSERT_EQUAL(side_receive(&side_a, 100000, NULL, 0), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_queue_release(side_a.port.dev_id, 0), -EBUSY);
	CU_ASSERT_EQUAL(rte_rawdev_queue_conf_get(side_a.port.dev_id, 1, &q, sizeof(q)), 0);
	CU_ASSERT_EQUAL(q.nb_desc, SIDE_DESCS);
	CU_ASSERT_PTR_EQUAL(q.rx_mp, side_a.mp);
	rte_rawdev_stop(side_a.port.dev_id);
	q.nb_desc = SIDE_DESCS + 1;
	CU_ASSERT_EQUAL(rte_rawdev_queue_setup(side_a.port.dev_id, 0, &q, sizeof(q)), -EINVAL);
	q.nb_desc = SIDE_DESCS;
	q.rx_mp = side_a.tx_mp; /* the peer cannot reach it */
	CU_ASSERT_EQUAL(rte_rawdev_queue_setup(side_a.port.dev_id, 0, &q, sizeof(q)), -EINVAL);
	CU_ASSERT_EQUAL(rte_rawdev_queue_release(side_a.port.dev_id, 0), 0);
	CU_ASSERT_EQUAL(rte_rawdev_start(side_a.port.dev_id), -EINVAL);
}

/* What a peer can write into the rings of A, each time into a fresh session. */
static void
lie_posted(struct ntb_ring *r, uint64_t tag, unsigned int kind)
{
	struct ntb_ring_desc *d = &r->desc[kind < 4 ? (uint32_t)r->posted & (SIDE_DESCS - 1) : 0];

	for (unsigned int i = 0; i < SIDE_DESCS; i++, d = &r->desc[i % SIDE_DESCS]) {
		switch (kind) {
		case 0:
			d->off = (uint64_t)SIDE_WINDOW;
			break;
		case 1:
			d->off = (uint64_t)SIDE_WINDOW - SIDE_BUF + 1;
			break;
		case 2:
			d->off = UINT64_MAX - 10;
			break;
		case 3:
			d->len = 0;
			break;
		case 4:
			d->len = UINT32_MAX;
			break;
		case 5:
			r->posted = tag | (uint32_t)(r->posted + SIDE_DESCS + 1);
			return;
		default:
			r->posted = tag | (uint32_t)(r->posted - SIDE_DESCS - 1);
			return;
		}
	}
}

static void
lie_filled(struct ntb_ring *r, uint64_t tag, unsigned int kind)
{
	struct ntb_ring_used *u = (struct ntb_ring_used *)&r->desc[SIDE_DESCS];
	uint32_t at = (uint32_t)r->filled;

	switch (kind) {
	case 0: /* more than was posted */
		r->filled = tag | (uint32_t)(at + SIDE_DESCS + 1);
		break;
	case 1:
		r->filled = tag | (uint32_t)(at - 1);
		break;
	case 2: /* longer than the buffer */
		u[at & (SIDE_DESCS - 1)] = (struct ntb_ring_used){SIDE_BUF + 1, NTB_RING_EOP};
		r->filled = tag | (uint32_t)(at + 1);
		break;
	default: /* a packet that does not end */
		for (unsigned int i = 0; i < SIDE_DESCS; i++)
			u[i] = (struct ntb_ring_used){SIDE_BUF, 0};
		r->filled = tag | (uint32_t)(at + SIDE_DESCS);
		break;
	}
}

static void
again(void)
{
	CU_ASSERT_EQUAL(drv_fault(&side_b.port, NTB_ATTR_FAULT_RETRAIN, 1), 0);
	CU_ASSERT_TRUE(side_wait_links(1, 1));
	CU_ASSERT_TRUE(side_flows(&side_a, &side_b, 0));
	CU_ASSERT_TRUE(side_flows(&side_b, &side_a, 0));
}

static void
test_hostile(void)
{
	struct ntb_ring *r;
	struct rte_mbuf *m;

	r = side_ring(&side_a, 0);
	again();
	for (unsigned int kind = 0; kind < 7; kind++) {
		lie_posted(r, r->posted >> 32 << 32, kind);
		CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 0, 20, 20), -EIO);
		CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 0, 20, 20), -EIO);
		CU_ASSERT_TRUE(side_flows(&side_a, &side_b, 1)); /* only that ring */
		again();
	}
	for (unsigned int kind = 0; kind < 4; kind++) {
		lie_filled(r, r->filled >> 32 << 32, kind);
		CU_ASSERT_EQUAL(side_receive(&side_a, 0, &m, 1), -EIO);
		CU_ASSERT_EQUAL(side_receive(&side_a, 0, &m, 1), -EIO);
		again();
	}
	/* counters of another session count nothing */
	r->posted = UINT64_MAX;
	r->filled = UINT64_MAX;
	CU_ASSERT_EQUAL(side_send_one(&side_a, 0, 0, 20, 20), 0);
	CU_ASSERT_EQUAL(side_receive(&side_a, 0, &m, 1), 0);
	again();
}

DRV_PROGRAM("two ports, queues of mbufs", side_plug, side_unplug,
	    {"both ways", test_both_ways, false}, {"shapes of packets", test_shapes, false},
	    {"full rings and an empty pool", test_full, false}, {"link loss", test_link_loss, true},
	    {"a session before the first receive", test_session_before_receive, true},
	    {"a link that comes up amid a look", test_up_amid_look, true},
	    {"stop and start", test_restart, false}, {"arguments", test_arguments, false},
	    {"a hostile peer", test_hostile, true})
