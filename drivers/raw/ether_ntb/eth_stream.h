/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ETH_STREAM_H
#define ETH_STREAM_H

/*
 * Reliable delivery in order, over a way that loses, doubles, reorders and delays packets: the two
 * halves that one end has, as a state machine without I/O and without a clock. What arrives was
 * checked for changes before.
 *
 * Sender: eth_stream_room() -> fill -> eth_stream_add() puts bytes into the open packet,
 * eth_stream_seal() closes it. Each packet stays here until the peer has it. eth_stream_next()
 * gives the packet that is to be sent now: a lost one, or the next one. A packet is lost when one
 * that was sent ETH_REORDER transmissions later has arrived, or when the oldest one has waited too
 * long; only what is lost is sent again. Receiver: eth_stream_arrive() gives packets to `take` in
 * order and keeps early ones, ETH_WINDOW at most. The sender's window, its credit, is no larger.
 *
 * One thread at a time.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	ETH_WINDOW = 256,
	ETH_SACK = 64,	 /* early packets that one acknowledgement can name */
	ETH_REORDER = 3, /* how far a packet may be overtaken before it counts as lost */
};

struct eth_taker {
	int (*take)(void *arg, const uint8_t *data, uint32_t len);
	void *arg;
};

/* What each packet says of those that its sender has got. */
struct eth_ack {
	uint32_t next; /* the first that is missing */
	uint64_t sack; /* bit i: next + 1 + i is here */
};

/* A packet that was sealed and not acknowledged up to now. */
struct eth_kept {
	uint64_t sent_ns;
	uint64_t number; /* of its last transmission */
	uint32_t len, times;
	bool arrived, lost;
};

struct eth_stream {
	uint32_t size, window; /* payload of a packet; packets under way at most */
	/* sender: una <= next <= sealed, una + window at most; the packet at `sealed` is open */
	uint32_t una, next, sealed, fill;
	uint32_t lost;			/* of those before `next` */
	uint64_t transmissions, newest; /* newest: the latest one that has arrived */
	uint64_t srtt, rttvar, rto, due_ns;
	unsigned int backoff;
	struct eth_kept kept[ETH_WINDOW];
	uint8_t *kept_data;
	/* receiver */
	uint32_t want;
	uint32_t early_len[ETH_WINDOW]; /* 0: not here */
	uint8_t *early_data;
	uint32_t held; /* of those */
	uint32_t owed; /* packets since the last acknowledgement */
	uint64_t owed_ns;
	bool ack_now;
	/* counters */
	uint64_t again, doubled, early;
};

/* How many packets of @p size bytes may be under way: a power of two, ETH_WINDOW at most. */
uint32_t eth_stream_window(uint32_t size);
/* Packets of @p size bytes at most. 0 or -ENOMEM. */
int eth_stream_open(struct eth_stream *s, uint32_t size);
void eth_stream_close(struct eth_stream *s);

/* Where to put bytes, @p least at least. NULL: the window is full. */
uint8_t *eth_stream_room(struct eth_stream *s, uint32_t least, uint32_t *ret_room);
void eth_stream_add(struct eth_stream *s, uint32_t len);
void eth_stream_seal(struct eth_stream *s);

/* The packet to send now; false: none. It is sent once eth_stream_sent() says so. */
bool eth_stream_next(const struct eth_stream *s, uint32_t *ret_seq, const uint8_t **ret_data,
		     uint32_t *ret_len);
void eth_stream_sent(struct eth_stream *s, uint32_t seq, uint64_t now);
/* Everything that was sealed has arrived. */
bool eth_stream_empty(const struct eth_stream *s);
/* From time to time. */
void eth_stream_time(struct eth_stream *s, uint64_t now);

/* 0; -EINVAL: it acknowledges what was not sent. */
int eth_stream_acked(struct eth_stream *s, const struct eth_ack *ack, uint64_t now);

/* @p to gets each packet once, in order. 0; -EINVAL: the packet is out of the window, or longer
 * than packets are; or what @p to returned for one that it refused. */
int eth_stream_arrive(struct eth_stream *s, uint32_t seq, const uint8_t *data, uint32_t len,
		      uint64_t now, const struct eth_taker *to);
/* What to tell the peer, and whether to tell it without anything else to send. */
struct eth_ack eth_stream_ack(const struct eth_stream *s);
bool eth_stream_ack_due(const struct eth_stream *s, uint64_t now);
void eth_stream_ack_sent(struct eth_stream *s);

#endif /* ETH_STREAM_H */
