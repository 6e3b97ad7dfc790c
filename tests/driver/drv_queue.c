/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_mbuf_pool_ops.h>
#include <rte_pmd_ntb.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "drv_queue.h"

#define ZONE (2ull << 20)

struct side side_a = {.name = "raw_ntb_plx_emu0"}, side_b = {.name = "raw_ntb_plx_emu1"};
static int cable = -1;

/* A pool in the memory zone, behind the rings, as DPDK's example makes it. */
static void
make_pool(struct side *s, uint32_t header)
{
	struct rte_pktmbuf_pool_private priv = {
		.mbuf_data_room_size = RTE_PKTMBUF_HEADROOM + SIDE_BUF,
	};
	char name[32];
	int ret;

	snprintf(name, sizeof(name), "rx_%s", s->name);
	s->mp = rte_mempool_create_empty(name, SIDE_MBUFS,
					 sizeof(struct rte_mbuf) + RTE_PKTMBUF_HEADROOM + SIDE_BUF,
					 0, sizeof(priv), SOCKET_ID_ANY, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s->mp);
	rte_mempool_set_ops_byname(s->mp, rte_mbuf_best_mempool_ops(), NULL);
	rte_pktmbuf_pool_init(s->mp, &priv);
	ret = rte_mempool_populate_iova(s->mp, (char *)s->mz->addr + header, s->mz->iova + header,
					s->mz->len - header, NULL, NULL);
	CU_ASSERT_FATAL(ret > 0);
	rte_mempool_obj_iter(s->mp, rte_pktmbuf_init, NULL);
	snprintf(name, sizeof(name), "tx_%s", s->name);
	s->tx_mp = rte_pktmbuf_pool_create(name, 511, 0, 0, RTE_PKTMBUF_HEADROOM + 2048,
					   SOCKET_ID_ANY);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s->tx_mp);
}

int
side_configure(struct side *s, uint16_t queues)
{
	struct ntb_dev_config conf = {
		.num_queues = queues, .queue_size = SIDE_DESCS, .mz_num = 1, .mz_list = &s->mz};
	struct rte_rawdev_info raw = {.dev_private = &conf};
	struct ntb_queue_conf q = {.nb_desc = SIDE_DESCS, .rx_mp = s->mp};
	int ret = rte_rawdev_configure(s->port.dev_id, &raw, sizeof(conf));

	for (uint16_t i = 0; i < queues && ret == 0; i++)
		ret = rte_rawdev_queue_setup(s->port.dev_id, i, &q, sizeof(q));
	return ret;
}

/* Zones of small alignment: the driver must place them within the window. */
static void
open_side(struct side *s, unsigned int end, uint16_t queues)
{
	struct ntb_dev_info info;
	struct rte_rawdev_info raw = {.dev_private = &info};

	CU_ASSERT_EQUAL_FATAL(drv_port_probe(&s->port, s->name, cable, end, ",bar2=64M"), 0);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(s->port.dev_id, NTB_QUEUE_SZ_NAME, SIDE_DESCS), 0);
	CU_ASSERT_EQUAL(rte_rawdev_set_attr(s->port.dev_id, NTB_QUEUE_NUM_NAME, queues), 0);
	CU_ASSERT_EQUAL(rte_rawdev_info_get(s->port.dev_id, &raw, sizeof(info)), 0);
	CU_ASSERT_EQUAL(info.mw_size_align, 0);
	s->mz = rte_memzone_reserve_aligned(s->name, ZONE, SOCKET_ID_ANY, RTE_MEMZONE_IOVA_CONTIG,
					    RTE_CACHE_LINE_SIZE);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s->mz);
	make_pool(s, info.ntb_hdr_size);
	CU_ASSERT_EQUAL_FATAL(side_configure(s, queues), 0);
}

static bool
link_is(const struct side *s, uint64_t want)
{
	uint64_t v = 0;

	CU_ASSERT_EQUAL(rte_rawdev_get_attr(s->port.dev_id, NTB_LINK_STATUS_NAME, &v), 0);
	return v == want;
}

bool
side_wait_links(uint64_t want_a, uint64_t want_b)
{
	time_t end = time(NULL) + 10;

	while (time(NULL) < end) {
		if (link_is(&side_a, want_a) && link_is(&side_b, want_b))
			return true;
		sched_yield();
	}
	fprintf(stderr, "gave up waiting for links %u and %u\n", (unsigned int)want_a,
		(unsigned int)want_b);
	return false;
}

void
side_plug(void)
{
	cable = memfd_create("cable", MFD_CLOEXEC);
	CU_ASSERT_TRUE_FATAL(cable >= 0);
	open_side(&side_a, 0, SIDE_QUEUES);
	open_side(&side_b, 1, SIDE_QUEUES);
	CU_ASSERT_TRUE_FATAL(side_wait_links(1, 1)); /* before start, as the example has it */
	CU_ASSERT_EQUAL_FATAL(rte_rawdev_start(side_a.port.dev_id), 0);
	CU_ASSERT_EQUAL_FATAL(rte_rawdev_start(side_b.port.dev_id), 0);
}

static void
close_side(struct side *s)
{
	drv_port_close(&s->port, s->name);
	/* no mbuf was lost on the way */
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(s->mp), 0);
	CU_ASSERT_EQUAL(rte_mempool_in_use_count(s->tx_mp), 0);
	rte_mempool_free(s->mp);
	rte_mempool_free(s->tx_mp);
	CU_ASSERT_EQUAL(rte_memzone_free(s->mz), 0);
}

void
side_unplug(void)
{
	close_side(&side_a);
	close_side(&side_b);
	close(cable);
}

static uint8_t
pattern(uint32_t seed, uint32_t i)
{
	return (uint8_t)((seed + 1) * 167 + i * 13 + (i >> 8));
}

struct rte_mbuf *
side_packet(const struct side *s, uint32_t seed, uint32_t len, uint32_t seg)
{
	struct rte_mbuf *first = rte_pktmbuf_alloc(s->tx_mp), *m = first;
	uint32_t n = RTE_MIN(seg, len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	for (uint32_t at = 0;;) {
		uint8_t *p = (uint8_t *)rte_pktmbuf_append(m, n);

		for (uint32_t i = 0; i < n; i++)
			p[i] = pattern(seed, at + i);
		if (m != first)
			rte_pktmbuf_chain(first, m);
		at += n;
		n = RTE_MIN(seg, len - at);
		if (n == 0)
			return first;
		m = rte_pktmbuf_alloc(s->tx_mp);
		CU_ASSERT_PTR_NOT_NULL_FATAL(m);
	}
}

bool
side_is_packet(const struct rte_mbuf *m, const struct side *s, uint32_t seed, uint32_t len)
{
	uint32_t at = 0, segs = 0;
	bool same = m->pkt_len == len && m->port == s->port.dev_id;

	for (const struct rte_mbuf *x = m; x != NULL; x = x->next, segs++) {
		const uint8_t *p = rte_pktmbuf_mtod(x, const uint8_t *);

		for (uint32_t i = 0; i < x->data_len; i++, at++)
			same = same && p[i] == pattern(seed, at);
	}
	return same && at == len && segs == m->nb_segs &&
	       segs == (len == 0 ? 1 : (len + SIDE_BUF - 1) / SIDE_BUF);
}

int
side_send(const struct side *s, size_t q, struct rte_mbuf **m, unsigned int n)
{
	struct rte_rawdev_buf buf[SIDE_BURST], *bufs[SIDE_BURST];
	int ret;

	for (unsigned int i = 0; i < n; i++) {
		buf[i].buf_addr = m[i];
		bufs[i] = &buf[i];
	}
	ret = rte_rawdev_enqueue_buffers(s->port.dev_id, bufs, n, (void *)q);
	for (unsigned int i = ret < 0 ? 0 : (unsigned int)ret; i < n; i++)
		rte_pktmbuf_free(m[i]);
	return ret;
}

int
side_send_one(const struct side *s, size_t q, uint32_t seed, uint32_t len, uint32_t seg)
{
	struct rte_mbuf *m = side_packet(s, seed, len, seg);

	return side_send(s, q, &m, 1);
}

int
side_receive(const struct side *s, size_t q, struct rte_mbuf **m, unsigned int n)
{
	struct rte_rawdev_buf buf[SIDE_BURST], *bufs[SIDE_BURST];
	int ret;

	for (unsigned int i = 0; i < n; i++)
		bufs[i] = &buf[i];
	ret = rte_rawdev_dequeue_buffers(s->port.dev_id, bufs, n, (void *)q);
	for (int i = 0; i < ret; i++)
		m[i] = buf[i].buf_addr;
	return ret;
}

bool
side_receive_one(const struct side *s, size_t q, uint32_t seed, uint32_t len)
{
	struct rte_mbuf *m;
	bool good;

	if (side_receive(s, q, &m, 1) != 1)
		return false;
	good = side_is_packet(m, s, seed, len);
	rte_pktmbuf_free(m);
	return good;
}

/* Traffic flows again after a break. That takes a few polls of the link: packets that are sent
 * before both sides have noticed it are lost. */
bool
side_flows(const struct side *from, const struct side *to, size_t q)
{
	time_t end = time(NULL) + 10;
	bool good = false;

	while (!good && time(NULL) < end) {
		struct rte_mbuf *m;

		(void)side_send_one(from, q, 99, 100, 100);
		while (side_receive(to, q, &m, 1) > 0) {
			good = side_is_packet(m, to, 99, 100);
			CU_ASSERT_TRUE(good); /* nothing of an earlier session */
			rte_pktmbuf_free(m);
		}
	}
	if (!good)
		fprintf(stderr, "gave up waiting for traffic from %s\n", from->name);
	return good;
}
