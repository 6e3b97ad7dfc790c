/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "eth_packet.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_hash_crc.h>

enum {
	LANES = 4
};

_Static_assert(sizeof(struct eth_head) % ETH_ALIGN == 0, "records lie aligned");

/* Of all behind the checksum. The words of four lanes have a CRC each, as a CPU computes these at
 * once, and their sum is that of the four and of what is left. */
static uint32_t
sum_of(const uint8_t *packet, uint32_t len, uint32_t key)
{
	const uint32_t from = RTE_ETHER_HDR_LEN + offsetof(struct eth_head, from);
	const uint8_t *at = packet + from, *end = packet + ETH_HEADS + len;
	uint32_t a = ~key, b = 0, c = 0, d = 0;
	uint64_t words[LANES];

	for (; end - at >= (ptrdiff_t)sizeof(words); at += sizeof(words)) {
		memcpy(words, at, sizeof(words));
		a = rte_hash_crc_8byte(words[0], a);
		b = rte_hash_crc_8byte(words[1], b);
		c = rte_hash_crc_8byte(words[2], c);
		d = rte_hash_crc_8byte(words[3], d);
	}
	a = rte_hash_crc_8byte((uint64_t)c << 32 | b, a);
	a = rte_hash_crc_4byte(d, a);
	memcpy(words, at, (size_t)(end - at)); /* aligned */
	return rte_hash_crc(words, (uint32_t)(end - at), a);
}

void
eth_packet_finish(uint8_t *packet, const struct eth_way *way, struct eth_head *h, uint32_t key)
{
	const struct rte_ether_hdr ether = {
		.dst_addr = way->to,
		.src_addr = way->from,
		.ether_type = RTE_BE16(ETH_TYPE),
	};

	memcpy(packet, &ether, sizeof(ether));
	h->magic = rte_cpu_to_le_32(ETH_MAGIC);
	memcpy(packet + sizeof(ether), h, sizeof(*h));
	h->checksum = rte_cpu_to_le_32(sum_of(packet, rte_le_to_cpu_16(h->len), key));
	memcpy(packet + sizeof(ether), h, sizeof(*h));
}

const uint8_t *
eth_packet_read(const uint8_t *packet, uint32_t len, uint32_t key, struct eth_way *ret_way,
		struct eth_head *ret_head)
{
	struct rte_ether_hdr ether;
	struct eth_head *h = ret_head;

	if (len < ETH_HEADS)
		return NULL;
	memcpy(&ether, packet, sizeof(ether));
	memcpy(h, packet + sizeof(ether), sizeof(*h));
	*ret_way = (struct eth_way){ether.src_addr, ether.dst_addr};
	return ether.ether_type == RTE_BE16(ETH_TYPE) && h->magic == RTE_LE32(ETH_MAGIC) &&
			       h->kind < ETH_KINDS && rte_le_to_cpu_16(h->len) <= len - ETH_HEADS &&
			       rte_le_to_cpu_32(h->checksum) ==
				       sum_of(packet, rte_le_to_cpu_16(h->len), key)
		       ? packet + ETH_HEADS
		       : NULL;
}

uint32_t
eth_packet_put(struct eth_stream *s, enum eth_record_kind kind, uint64_t off, const void *src,
	       uint32_t len)
{
	struct eth_record r = {.kind = rte_cpu_to_le_32(kind), .off = rte_cpu_to_le_64(off)};
	/* words stay whole */
	uint32_t bytes = src == NULL ? 0 : len, room, n;
	uint32_t least = bytes > RTE_CACHE_LINE_SIZE ? ETH_ALIGN : bytes;
	uint8_t *to =
		eth_stream_room(s, (uint32_t)sizeof(r) + RTE_ALIGN_CEIL(least, ETH_ALIGN), &room);

	if (to == NULL)
		return 0;
	n = RTE_MIN(bytes, room - (uint32_t)sizeof(r));
	r.len = rte_cpu_to_le_32(src == NULL ? len : n);
	memcpy(to, &r, sizeof(r));
	if (n > 0)
		memcpy(to + sizeof(r), src, n);
	memset(to + sizeof(r) + n, 0, RTE_ALIGN_CEIL(n, ETH_ALIGN) - n);
	eth_stream_add(s, (uint32_t)sizeof(r) + RTE_ALIGN_CEIL(n, ETH_ALIGN));
	return src == NULL ? len : n;
}

void
eth_packet_store(uint8_t *to, const uint8_t *from, uint32_t len)
{
	uint64_t v64;
	uint32_t v32;

	if (len == sizeof(v64) && (uintptr_t)to % sizeof(v64) == 0) {
		memcpy(&v64, from, sizeof(v64));
		__atomic_store_n((uint64_t *)(void *)to, v64, __ATOMIC_RELEASE);
	} else if (len == sizeof(v32) && (uintptr_t)to % sizeof(v32) == 0) {
		memcpy(&v32, from, sizeof(v32));
		__atomic_store_n((uint32_t *)(void *)to, v32, __ATOMIC_RELEASE);
	} else {
		atomic_thread_fence(memory_order_release);
		memcpy(to, from, len);
	}
}

/* ---- the kernel's interfaces, and UDP ---- */

int
eth_iface_ask(const char *iface, unsigned long what, struct ifreq *ret)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), err;

	if (s < 0)
		return -errno;
	*ret = (struct ifreq){0};
	snprintf(ret->ifr_name, sizeof(ret->ifr_name), "%s", iface);
	err = ioctl(s, what, ret) < 0 ? -errno : 0;
	close(s);
	return err;
}

int
eth_udp_open(const char *iface, uint16_t port)
{
	const struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = rte_cpu_to_be_16(port)};
	const int on = 1;
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), ret = s;

	if (s < 0 ||
	    setsockopt(s, SOL_SOCKET, SO_BINDTODEVICE, iface, (socklen_t)strlen(iface)) < 0 ||
	    setsockopt(s, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) < 0 ||
	    bind(s, (const struct sockaddr *)&any, sizeof(any)) < 0)
		ret = -errno;
	if (ret < 0)
		close(s);
	return ret;
}

void
eth_udp_address(rte_be32_t ip, rte_be16_t port, struct rte_ether_addr *ret)
{
	memcpy(ret->addr_bytes, &ip, sizeof(ip));
	memcpy(ret->addr_bytes + sizeof(ip), &port, sizeof(port));
}

uint16_t
eth_udp_send(int s, struct rte_mbuf **m, uint16_t n)
{
	struct sockaddr_in to = {.sin_family = AF_INET};

	for (uint16_t i = 0; i < n; i++) {
		const uint8_t *packet = rte_pktmbuf_mtod(m[i], const uint8_t *);

		memcpy(&to.sin_addr, packet, sizeof(to.sin_addr));
		memcpy(&to.sin_port, packet + sizeof(to.sin_addr), sizeof(to.sin_port));
		(void)sendto(s, packet + RTE_ETHER_HDR_LEN, m[i]->data_len - RTE_ETHER_HDR_LEN, 0,
			     (const struct sockaddr *)&to, sizeof(to));
	}
	rte_pktmbuf_free_bulk(m, n);
	return n;
}

uint16_t
eth_udp_receive(int s, struct rte_mempool *pool, struct rte_mbuf **m, uint16_t n)
{
	struct sockaddr_in from;
	struct rte_ether_hdr *ether;
	socklen_t size = sizeof(from);
	ssize_t len;
	uint16_t i;

	for (i = 0; i < n && (m[i] = rte_pktmbuf_alloc(pool)) != NULL; i++) {
		ether = (struct rte_ether_hdr *)rte_pktmbuf_append(m[i], sizeof(*ether));
		*ether = (struct rte_ether_hdr){.ether_type = RTE_BE16(ETH_TYPE)};
		len = recvfrom(s, ether + 1, rte_pktmbuf_tailroom(m[i]), 0,
			       (struct sockaddr *)&from, &size);
		if (len < 0) {
			rte_pktmbuf_free(m[i]);
			break;
		}
		rte_pktmbuf_append(m[i], (uint16_t)len);
		eth_udp_address(from.sin_addr.s_addr, from.sin_port, &ether->src_addr);
	}
	return i;
}
