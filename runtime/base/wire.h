/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_WIRE_H
#define RB_BASE_WIRE_H

/**
 * @file
 * Everything that one host writes into another's memory or scratchpads, and nothing else. Fields
 * are little endian and of fixed width. A reader treats all of it as untrusted.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/deal.h"

enum {
	RB_VERSION = 30,       /**< raise on every change in this file: tests/style/test_wire.py */
	RB_MAGIC = 0x52424c31, /**< "RBL1" */
	RB_MAX_CHANNELS = 12,  /**< doorbells 0..11 */
	RB_MAX_LCORES = 8,     /**< service lcores of a host, at most one for each channel */
	RB_MAX_RINGS = RB_MAX_CHANNELS + 4 * RB_MAX_LCORES,
	RB_INLINE = 16,	     /**< payload bytes that fit into a descriptor */
	RB_GATHER = 32,	     /**< atomics in a frame, at most */
	RB_PART = 32,	     /**< bytes of one: seg | amo << 8 | dst_pe << 16, off, operand, cond */
	RB_ARRIVE_BITS = 16, /**< low bits of a barrier word: the count */
	RB_CUT_WORDS = RB_MAX_HOSTS * RB_MAX_PORTS / 64,
};

#define RB_DB_CHAN(c) (1u << (c))

/** Doorbell bits of a link. */
enum {
	/* 0..11, RB_DB_CHAN(). By default: work in some ring
	 * of service lcore c; rung only where the receiver asked for it. Notify mode doorbell: work
	 * in channel c or, where there is a service lcore c, in its transit or reply ring. */
	RB_DB_CUT = 1u << 14,	/**< rb_ctl.cut was stored */
	RB_DB_ABORT = 1u << 15, /**< the job ends */
	RB_DB_COUNT = 16,
};

enum rb_op {
	RB_OP_NONE = 0,	 /**< never sent */
	RB_OP_PUT,	 /**< request: store payload at (seg, off) of dst_pe */
	RB_OP_GET,	 /**< request: send len bytes at (seg, off) of dst_pe back */
	RB_OP_AMO,	 /**< request: atomic on (seg, off); those with `req` are replied to. With
			      payload: up to RB_GATHER atomics, RB_PART bytes each */
	RB_OP_GET_REPLY, /**< payload, or RB_DESC_STORED */
	RB_OP_AMO_REPLY, /**< of an AMO: old value; of several: as payload, 8 bytes each */
	RB_OP_ACK,  /**< reply: `total` requests of (chan, cls) from dst_pe's host are complete */
	RB_OP_MARK, /**< request: of the lost cable at port `off` of the target (survive/) */
	RB_OP_MAX
};

/** Flags of a descriptor. */
enum {
	RB_DESC_COUNTED = 1, /**< request that its completer acknowledges */
	RB_DESC_MORE = 2,    /**< part of a put, but not its last frame */
	/** GET: the reply may be stored at `reply_off` in the region of the requesting PE's host.
	 *  Its reply: that host's neighbour stores the payload there. */
	RB_DESC_REMOTE_STORE = 4,
	/** The payload is in its final place already, and is not in the slot: reply to a GET. */
	RB_DESC_STORED = 8,
	/** Request that its source waits for, of one word, and the reply to it: go in rings of
	 *  words. */
	RB_DESC_WORD = 16,
};

enum rb_seg {
	RB_SEG_HEAP = 0,
	RB_SEG_DATA = 1, /**< writable static data of the main executable */
	RB_SEG_MAX
};

/** The host that completes a request: its counter acknowledges the request. */
enum rb_class {
	RB_CLS_STORED = 0,   /**< the last relay, by storing through its window */
	RB_CLS_EXECUTED = 1, /**< the target host */
	RB_CLS_MAX
};

/** One ring slot, one cache line. @ref seq is stored last, by itself. link/frame.h builds it. */
struct rb_desc {
	uint8_t op;   /**< enum rb_op */
	uint8_t seg;  /**< enum rb_seg */
	uint8_t chan; /**< channel of the sender: 0..channels-1 */
	union {
		uint8_t amo; /**< AMO: enum rb_amo_op | size << 4 */
		uint8_t cls; /**< ACK: enum rb_class */
	};
	uint16_t src_pe; /**< PE that sent the request, or the reply */
	uint16_t dst_pe; /**< target PE */
	uint32_t len;	 /**< payload bytes; GET: bytes wanted */
	uint32_t req;	 /**< request id, given back by the reply; 0 none */
	uint64_t off;	 /**< request: byte offset in the segment */
	union {
		uint64_t arg[4];
		struct {
			uint64_t operand, cond; /**< AMO */
		};
		uint8_t data[RB_INLINE]; /**< PUT of up to RB_INLINE bytes */
		uint64_t reply_off;	 /**< with RB_DESC_REMOTE_STORE: GET, and its reply */
		uint64_t value;		 /**< AMO_REPLY */
		uint64_t total;		 /**< ACK: requests complete since bring-up */
		struct {		 /* in a job that survives lost cables (survive/) */
			uint64_t others[2];
			uint64_t turn;	/**< request: counted ones until then, itself included */
			uint64_t epoch; /**< of the routes by which it goes */
		};
	};
	uint32_t flags; /**< RB_DESC_* */
	uint32_t seq;	/**< ring position + 1, 32 bits: says that the slot is full */
};
_Static_assert(sizeof(struct rb_desc) == 64, "a descriptor is one cache line");
_Static_assert(offsetof(struct rb_desc, seq) == 60, "seq is the last word of the line");

/**
 * Control block: the words of this host that the neighbour on one link writes. Each word counts up
 * and has one writer, so a plain posted 8-byte store is enough and a lost race is impossible.
 */
struct rb_ctl {
	_Alignas(64) uint64_t credit[RB_MAX_RINGS]; /**< slots freed of the rings I produce into */
	_Alignas(64) uint64_t barrier;		    /**< epoch << 16 | contiguous arrived hosts */
	_Alignas(64) uint64_t abort;		    /**< once: host << 40 | 1 << 32 | exit status */
	uint64_t token;	   /**< bring-up: the token that the neighbour's scratchpads carry too */
	uint64_t farewell; /**< once: 1, the neighbour stops its port */
	uint64_t proof;	   /**< a count that the neighbour stores, and reads back */
	uint64_t tried;	   /**< bring-up: what dmadevs of this host copy on trial */
	uint64_t copied;   /**< bring-up: where those of the neighbour copy it to */
	/** what is known of lost cables (survive/), and who has arrived in which barrier where it
	 * spreads */
	_Alignas(64) uint64_t cut[RB_CUT_WORDS], arrived[RB_MAX_HOSTS];
	/** odd: that service lcore of the neighbour sleeps and needs its RB_DB_CHAN() */
	_Alignas(64) uint64_t need_bell[RB_MAX_LCORES];
	/** completed requests of mine, by the host they were for, channel and class */
	_Alignas(64) uint64_t ack[RB_MAX_HOSTS][RB_MAX_CHANNELS][RB_CLS_MAX];
};

/** Bits of the abort word above the status. */
enum {
	RB_ABORT_SET = 32,
	RB_ABORT_HOST = 40, /**< host where the end began */
};

/** Settings that must be the same on all PEs of a job. Words of 64 bits leave no padding. */
struct rb_settings {
	uint64_t pes;
	uint64_t places;    /**< fingerprint of which PE is on which host */
	uint64_t statics;   /**< enum rb_statics */
	uint64_t program;   /**< fingerprint of the executable, 0: static data is not symmetric */
	uint64_t data_size; /**< bytes of the static data segment */
	uint64_t heap_size;
	uint64_t huge; /**< 1: the region is laid out for huge pages */
	uint64_t lcores, channels, slots, chunk;
	uint64_t notify;  /**< enum rb_notify */
	uint64_t survive; /**< enum rb_survive */
	uint64_t
		layout[4 + 3 * RB_MAX_PORTS]; /**< struct rb_layout, without what hosts differ in */
};

/** Hello of each port, for the peer: in scratchpads, or in the region where ports have none. */
enum {
	RB_SPAD_MAGIC,	  /**< RB_MAGIC */
	RB_SPAD_ID,	  /**< version << 24 | hosts << 16 | host << 8 | port << 4 | state */
	RB_SPAD_SETTINGS, /**< rb_settings_hash() */
	RB_SPAD_JOB_LO,	  /**< 0 with JOB_HI: not known yet; else neither is 0 or ones */
	RB_SPAD_JOB_HI,
	RB_SPAD_TOKEN, /**< own token << 16 | the peer's token as read; 0: not read */
	RB_SPAD_COUNT
};

/** First page of the inbound region. Written by its owner, read by the neighbours. */
struct rb_region_hdr {
	uint32_t magic;
	uint32_t version;
	uint64_t job;
	uint32_t host;
	uint32_t hosts;
	uint32_t settings_hash; /**< rb_settings_hash() */
	uint32_t unused;
	uint32_t hello[2][8]; /**< RB_SPAD_*, by the number of the owner's port, on a ring */
	struct rb_settings settings;
	uint64_t there; /**< hosts that are known to have started, as bits */
	uint64_t rows;	/**< hosts whose row of cables is here, as bits */
	/** of each host and its ports: host and port at the other end, ones where there is none */
	uint8_t row[RB_MAX_HOSTS][RB_MAX_PORTS][2];
};

#endif /* RB_BASE_WIRE_H */
