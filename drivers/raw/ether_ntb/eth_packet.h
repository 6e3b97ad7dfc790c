/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ETH_PACKET_H
#define ETH_PACKET_H

/*
 * Packets on an Ethernet cable, little endian: Ethernet's header, then struct eth_head, then its
 * payload. Everything that arrives is untrusted.
 *
 * Each end draws a session when its port starts. A packet names the session that sends it and the
 * one that it is for, so packets of an earlier run, and those of strangers, who do not know it,
 * fall away. Another end takes the place of a peer once silence has ended the link. The checksum
 * covers all behind it and begins with the job's key. Nothing is encrypted.
 *
 * With udp= what is behind Ethernet's header travels by a UDP socket, for which the kernel checks
 * heads and finds ways. In place of Ethernet's addresses are then those of IPv4, each with a port.
 */

#include <stdint.h>
#include <net/if.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_ether.h>
#include <rte_mbuf.h>

#include "eth_stream.h"

/* IEEE 802 keeps it for local experiments. */
#define ETH_TYPE 0x88b5
#define ETH_MAGIC 0x33454252u /* "RBE3": another layout gets another digit */

enum eth_kind {
	ETH_HELLO, /* payload: zeros up to the MTU, or nothing */
	ETH_DATA,  /* payload: records; without one it acknowledges only */
	ETH_BYE,   /* the sender stops, and `seq` is the number of packets that it has sent */
	ETH_KINDS
};

/* Who sends to whom. */
struct eth_way {
	struct rte_ether_addr from, to;
};

struct eth_head {
	rte_le32_t magic;
	rte_le32_t checksum;
	rte_le64_t from, to; /* sessions; to: 0 where it is not known yet */
	rte_le64_t sack;
	rte_le32_t next;
	rte_le32_t seq;
	rte_le16_t len; /* of the payload */
	rte_le16_t mtu; /* of the sender's interface; ringbell-doctor reads it, and the magic */
	uint8_t kind;
	/* on a switch: which host sends it, to which one of how many; else 0 */
	uint8_t host, peer, hosts;
};

/* In a payload, each followed by `len` bytes, and zeros up to the next multiple of ETH_ALIGN. */
struct eth_record {
	rte_le32_t kind;
	rte_le32_t len;
	rte_le64_t off; /* in the receiver's region, or from ETH_PADS_OFF on in its scratchpads */
};

enum eth_record_kind {
	ETH_WRITE,
	ETH_READ,  /* no bytes follow; `len` are wanted */
	ETH_REPLY, /* to the read that was sent last, or the next part of one */
};

#define ETH_PADS_OFF (1ull << 62)

enum {
	ETH_ALIGN = 8,
	ETH_HEADS = RTE_ETHER_HDR_LEN + sizeof(struct eth_head),
	ETH_READ_MOST = 1 << 20,
	ETH_PADS = 8,
	ETH_PORTS = 8, /* that a host may have */
};

/* Puts a record into the open packet; @p src: NULL for a read. Returns how many of its bytes went
 * in; 0: there is no room now. */
uint32_t eth_packet_put(struct eth_stream *s, enum eth_record_kind kind, uint64_t off,
			const void *src, uint32_t len);
/* Writes the heads of a packet whose payload is in place. */
void eth_packet_finish(uint8_t *packet, const struct eth_way *way, struct eth_head *h,
		       uint32_t key);
/* The payload of @p packet, of @p len bytes, if it is one of this job, whole and unchanged, else
 * NULL. */
const uint8_t *eth_packet_read(const uint8_t *packet, uint32_t len, uint32_t key,
			       struct eth_way *ret_way, struct eth_head *ret_head);

/* Words whole: the runtime polls them. */
void eth_packet_store(uint8_t *to, const uint8_t *from, uint32_t len);

/** What the kernel knows of a network interface: SIOCGIF... 0 or -errno. */
int eth_iface_ask(const char *iface, unsigned long what, struct ifreq *ret);
/* A socket that sees this interface alone, or -errno. */
int eth_udp_open(const char *iface, uint16_t port);
void eth_udp_address(rte_be32_t ip, rte_be16_t port, struct rte_ether_addr *ret);
/* As rte_eth_tx_burst() and rte_eth_rx_burst(). */
uint16_t eth_udp_send(int s, struct rte_mbuf **m, uint16_t n);
uint16_t eth_udp_receive(int s, struct rte_mempool *pool, struct rte_mbuf **m, uint16_t n);

#endif /* ETH_PACKET_H */
