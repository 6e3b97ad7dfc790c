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
 * Every call of a port looks what has come, and a call that waits looks at all ports of the
 * process: the peer may wait for one of the others. Where no thread calls, or those that do get no
 * CPU, the EAL's interrupt thread looks twenty times a second.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <rte_common.h>
#include <rte_mempool.h>
#include <rte_spinlock.h>

#include "eth_packet.h"
#include "eth_stream.h"
#include "ntb_log.h"
#include "ntb_rawdev.h"

/* An ethdev, and its ports: that of a cable between two hosts, or on a switch one to each other. */
struct eth_device {
	/* control calls */
	char name[64], iface[32], ethdev[64];
	uint32_t key, mtu;
	unsigned int host, hosts; /* on a switch; hosts: 0: a cable between two */
	unsigned int udp;	  /* its port; 0: there is an ethdev */
	int socket;
	uint16_t id;
	struct rte_mempool *pool;
	struct eth_way way; /* from here to all */
	uint32_t payload;   /* of a packet, at most */
	struct eth_port *port[ETH_PORTS];
	unsigned int ports, started;
	/* holder of the lock, which is that of all its ports */
	rte_spinlock_t lock;
	uint64_t turn_ns;
	uint64_t strangers; /* packets that were for no port */
};

/* A read of this host's, for the thread that has `reading`. */
struct eth_wanted {
	uint8_t *to;
	uint32_t len; /* what has not come yet */
	/* release: with the data, or without where the link broke; acquire: the thread that waits
	 */
	_Atomic int state; /* 1: waits; 0: done; -EIO */
};

struct eth_port {
	struct ntb_rawdev raw;
	struct eth_device *device;
	unsigned int far; /* on a switch: the host at the other end */
	/* control calls */
	pid_t owner; /* 0: not started */
	uint8_t *region;
	uint64_t region_len;
	/* any */
	_Atomic bool up;
	_Atomic uint64_t breaks;
	_Atomic bool waits; /* the next turn sends the open packet */
	_Atomic uint32_t pad[ETH_PADS];
	atomic_flag reading;
	struct eth_wanted wanted;
	/* holder of the lock */
	struct eth_way way;	/* to the peer */
	uint64_t session, peer; /* peer: 0: none is known */
	bool once, dead;	/* once: after a break it stays down */
	struct eth_stream stream;
	struct {
		const uint8_t *at;
		uint32_t len; /* 0: no read of the peer waits */
	} asked;
	uint64_t open_ns, heard_ns, said_ns, hello_ns;
	uint64_t gap_ns;   /* the longest silence of this peer since link_once */
	uint32_t peer_mtu; /* 0: it was never heard */
};

static inline struct eth_port *
eth_port_of(struct ntb_port *port)
{
	return container_of(port, struct eth_port, raw.port);
}

/* Acquire: with the peer that the port is up with. */
static inline bool
eth_is_up(const struct eth_port *p)
{
	return atomic_load_explicit(&p->up, memory_order_acquire);
}

/* ---- the lock, and what its holder may do ---- */

void eth_lock(struct eth_device *d);

uint64_t eth_now(void);
/* Is the cable out, as far as this end can tell? */
bool eth_link_cut(const struct eth_device *d);
/* Begin a session without a peer. 0 or -ENOMEM. */
int eth_link_begin(struct eth_port *p);
/* Receive, and send what is due, for all ports of the device. */
void eth_link_turn(struct eth_device *d);
/* Put a record into the packet that is open; @p src: NULL for a read. Returns how many of its bytes
 * went in; 0: there is no room now. */
uint32_t eth_link_put(struct eth_port *p, enum eth_record_kind kind, uint64_t off, const void *src,
		      uint32_t len);
/* Send what is there, also a packet that is not full. */
void eth_link_push(struct eth_port *p);
/* Tell the peer that this end stops. */
void eth_link_bye(struct eth_port *p);

/* ---- eth_port.c: the calls of a port ---- */

extern const struct ntb_port_ops eth_port_ops;

/* All devices of this process with a port that is started. */
void eth_turn_all(void);
/* From now on a device has turns. 0 or -errno. */
int eth_turns_begin(struct eth_device *d);
/* @own: it was this process that began. */
void eth_turns_end(struct eth_device *d, bool own);

#endif /* ETH_LINK_H */
