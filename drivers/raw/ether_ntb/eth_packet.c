/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "eth_packet.h"

#include <stddef.h>
#include <string.h>

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
	return rte_hash_crc(at, (uint32_t)(end - at), a);
}

void
eth_packet_finish(uint8_t *packet, struct eth_head *h, uint32_t key)
{
	h->magic = rte_cpu_to_le_32(ETH_MAGIC);
	memcpy(packet + RTE_ETHER_HDR_LEN, h, sizeof(*h));
	h->checksum = rte_cpu_to_le_32(sum_of(packet, rte_le_to_cpu_16(h->len), key));
	memcpy(packet + RTE_ETHER_HDR_LEN, h, sizeof(*h));
}

bool
eth_packet_right(const uint8_t *packet, uint32_t len, uint32_t key)
{
	struct rte_ether_hdr ether;
	struct eth_head h;

	if (len < ETH_HEADS)
		return false;
	memcpy(&ether, packet, sizeof(ether));
	memcpy(&h, packet + sizeof(ether), sizeof(h));
	return ether.ether_type == rte_cpu_to_be_16(ETH_TYPE) &&
	       h.magic == rte_cpu_to_le_32(ETH_MAGIC) && h.kind < ETH_KINDS &&
	       rte_le_to_cpu_16(h.len) <= len - ETH_HEADS &&
	       rte_le_to_cpu_32(h.checksum) == sum_of(packet, rte_le_to_cpu_16(h.len), key);
}
