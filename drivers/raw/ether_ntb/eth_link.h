/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ETH_LINK_H
#define ETH_LINK_H

/*
 * A rawdev: a port whose cable is an Ethernet, by any ethdev of DPDK. There is no memory behind its
 * window, which is a range of addresses only; writes and reads of the peer's region go in packets
 * (ntb_port_ops.write, .flush).
 *
 * Nobody but the program's own threads receives, so every call of a port looks what has come, and a
 * call that waits looks at all ports of the process: the peer may wait for one of the others.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <rte_common.h>
#include <rte_ether.h>
#include <rte_log.h>
#include <rte_mempool.h>

#include "eth_packet.h"
#include "eth_stream.h"
#include "ntb_rawdev.h"

extern int eth_logtype;
#define ETH_LOG(level, name, fmt, ...) \
	rte_log(RTE_LOG_##level, eth_logtype, "ETHER_NTB: %s: " fmt "\n", name, ##__VA_ARGS__)

/* A read of this host's, for the thread that has `reading`. */
struct eth_wanted {
	void *to;
	uint32_t len;
	/* release: with the data, or without where the link broke; acquire: the thread that waits
	 */
	_Atomic int state; /* 1: waits; 0: done; -EIO */
};

struct eth_port {
	struct ntb_rawdev raw;
	/* control calls */
	char iface[32], device[64];
	uint32_t key, mtu;
	uint16_t dev;
	struct rte_mempool *pool;
	struct rte_ether_addr mac, peer_mac;
	pid_t owner; /* a forked process has no say on the wire */
	uint8_t *region;
	uint64_t region_len;
	/* any */
	_Atomic bool up;
	_Atomic uint64_t breaks;
	atomic_flag reading;
	struct eth_wanted wanted;
	/* holder of the lock */
	atomic_flag lock;
	uint64_t session, peer; /* peer: 0: none is known */
	bool once, dead;	/* once: after a break it stays down */
	struct eth_stream stream;
	struct {
		uint64_t off;
		uint32_t len; /* 0: no read of the peer waits */
	} asked;
	uint64_t open_ns, heard_ns, said_ns, hello_ns, small_ns;
	uint32_t peer_mtu;
	uint64_t strangers; /* packets that were not for this port */
};

/* ---- the lock, and what its holder may do ---- */

static inline bool
eth_try(struct eth_port *p)
{
	return !atomic_flag_test_and_set_explicit(&p->lock, memory_order_acquire);
}

void eth_lock(struct eth_port *p);

static inline void
eth_unlock(struct eth_port *p)
{
	atomic_flag_clear_explicit(&p->lock, memory_order_release);
}

uint64_t eth_now(void);
/* Begin a session without a peer. 0 or -ENOMEM. */
int eth_link_begin(struct eth_port *p);
/* Receive, and send what is due. */
void eth_link_turn(struct eth_port *p);
/* Put a record into the packet that is open; @p src: NULL for a read. Returns how many of its bytes
 * went in; 0: there is no room now. */
uint32_t eth_link_put(struct eth_port *p, enum eth_record_kind kind, uint64_t off, const void *src,
		      uint32_t len);
/* Send what is there, also a packet that is not full. */
void eth_link_push(struct eth_port *p);
/* Tell the peer that this end stops. */
void eth_link_bye(struct eth_port *p);

/* ---- without the lock ---- */

/* All ports of this process that are started. */
void eth_turn_all(void);
/* From now on a port has turns; NULL: none. */
void eth_turns_of(uint16_t dev_id, struct eth_port *p);

#endif /* ETH_LINK_H */
