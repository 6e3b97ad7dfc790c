/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_PRIV_H
#define PLXM_PRIV_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdalign.h>
#include <sys/types.h>

#include "plxm.h"
#include "plxm_hw.h"

#define PLXM_MAGIC 0x334C4241434D5850ull /* changes with any change of the structures below */
#define PLXM_LINE 64

/* ---- the cable file: everything in it may be garbage written by a peer ---- */

struct plxm_dram {
	uint64_t bus, len, fd_off;
	uint64_t dev, ino; /* what fd must still be when the peer reopens it */
	int32_t fd;	   /* in the owner's process */
	uint32_t used;
};

struct plxm_db {
	_Atomic uint32_t pending, mask;
};

/* Why a request was refused. */
enum plxm_cause {
	PLXM_UR_RID,
	PLXM_UR_BAR,
	PLXM_UR_ALUT,
	PLXM_UR_DRAM,
	PLXM_UR_LINK,
	PLXM_MALFORMED, /* more payload than the interface takes */
	PLXM_CAUSES
};
struct plxm_counters {
	_Atomic uint64_t ur[PLXM_CAUSES];
	_Atomic uint64_t link_downs;
};

struct plxm_chip {
	/* One physical doorbell set per NT port, seen in both of its blocks: [0] signals the
	 * virtual side, [1] the link side. Written by both hosts, hence a line of its own. */
	alignas(PLXM_LINE) struct plxm_db db[2];
	_Atomic uint32_t db_drop; /* fault: sets still to be lost */
	_Atomic uint64_t db_set, db_dropped;
	alignas(PLXM_LINE) _Atomic uint32_t spad[8];
	alignas(PLXM_LINE) _Atomic uint32_t irq;
	alignas(PLXM_LINE) _Atomic uint32_t powered;
	_Atomic int32_t owner; /* process, 0 = none */
	uint64_t owner_start;  /* its start time: process ids are used again */
	struct plxm_eeprom eeprom;
	_Atomic uint64_t down_ns; /* CLOCK_MONOTONIC of the last link loss */
	struct plxm_counters count;
	_Atomic uint32_t dram_seq; /* odd while dram[] is being changed */
	struct plxm_dram dram[PLXM_DRAM_RANGES];
	alignas(4096) _Atomic uint32_t reg[PLXM_BAR0_SIZE / 4];
};

struct plxm_cable {
	_Atomic uint64_t magic; /* written last */
	uint64_t size;
	pthread_mutex_t lock; /* robust: guards all but doorbells, scratchpads, counters */
	/* read by every register access, hardly ever written */
	alignas(PLXM_LINE) _Atomic uint32_t gen; /* moves when a window may lead elsewhere */
	_Atomic uint32_t link, pulled;
	_Atomic uint64_t delay_ns[PLXM_ENDS];
	struct plxm_chip chip[PLXM_ENDS];
};

/* ---- this process ---- */

/* A range of the peer's memory, reopened and mapped here. */
struct plxm_peer_dram {
	struct plxm_dram id; /* as announced, id.used = 0 for none */
	int32_t pid;
	int fd;
	uint8_t *va;	/* NULL where it could not be mapped */
	uint64_t align; /* page size of the file behind it */
	uint32_t seq;	/* differs for every mapping ever made, to tell old runs from new */
};

/* A stretch of a window that leads to one stretch of memory (dram >= 0) or nowhere. */
struct plxm_run {
	uint64_t off, len, fd_off;
	uint32_t seq;
	int16_t dram;
	bool huge;
};

struct plxm_win {
	uint8_t *va; /* NULL until plxm_win_map() */
	uint64_t size;
	struct plxm_run *run;
	unsigned int runs;
	bool dead; /* no run leads to memory */
};

/* Writes to the peer's registers that are under way. */
enum {
	PLXM_POSTED = 64,
};

struct plxm_posted {
	uint32_t reg, val;
	uint64_t downs; /* link losses before it */
};

struct plxm_posted_queue {
	_Atomic bool on;
	pthread_mutex_t lock; /* guards what follows; the cable's lock is taken under it */
	unsigned int n;
	struct plxm_posted write[PLXM_POSTED];
};

struct plxm_ones;
struct plxm_dma;
struct plxm_serial;

struct plxm_port {
	struct plxm_cable *cable;
	struct plxm_chip *chip, *peer;
	unsigned int end;
	_Atomic uint32_t seen_gen;
	_Atomic uint32_t dead_window; /* some window is mapped and wholly dead */
	_Atomic uint64_t reg_at[2];   /* where a window shows the peer's registers, or 0 */
	_Atomic uint64_t remaps;
	struct plxm_dma *_Atomic dma[HW_DMA_CHANNELS]; /* that BAR0 shows; NULL = closed */
	struct plxm_serial *_Atomic serial;	       /* its EEPROM, or NULL */
	struct plxm_posted_queue posted;
	int dram_fd[PLXM_DRAM_RANGES]; /* duplicates kept open for the peer */
	pthread_mutex_t mu;	       /* guards what follows; taken before cable->lock */
	struct plxm_peer_dram dram[PLXM_DRAM_RANGES];
	uint32_t seq;
	uint64_t reap_ns;	/* when the peer's owner was looked at last */
	struct plxm_win win[2]; /* BAR2, BAR4 */
	struct plxm_ones *ones; /* file of ones behind dead runs */
};

/* ---- registers ---- */

static inline uint32_t
plxm_get(const struct plxm_chip *c, uint32_t off)
{
	return atomic_load_explicit(&c->reg[off / 4], memory_order_relaxed);
}

static inline void
plxm_put(struct plxm_chip *c, uint32_t off, uint32_t val)
{
	atomic_store_explicit(&c->reg[off / 4], val, memory_order_relaxed);
}

/* The chip keeps its EEPROM in the cable file, hence the mask. */
static inline uint32_t
plxm_nt_base(const struct plxm_chip *c)
{
	return c->eeprom.nt_index & 1 ? HW_NT1_VIRTUAL : HW_NT0_VIRTUAL;
}

#endif /* PLXM_PRIV_H */
