/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_FILE_H
#define PLXM_FILE_H

/* The cable file. Everything in it may be garbage that another host wrote. */

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "plxm.h"
#include "plxm_hw.h"

#define PLXM_MAGIC 0x424C4241434D5850ull /* changes with any change of the structures below */
#define PLXM_LINE 64

enum {
	PLXM_NTS = 2, /* NT ports of a chip */
};

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

/* The state of an NT port beside its registers. */
struct plxm_nt {
	/* One physical doorbell set per NT port, seen in both of its blocks: [0] signals the
	 * virtual side, [1] the link side. Written by both hosts, hence a line of its own. */
	alignas(PLXM_LINE) struct plxm_db db[2];
	_Atomic uint32_t db_drop; /* fault: sets still to be lost */
	alignas(PLXM_LINE) _Atomic uint32_t spad[8];
	alignas(PLXM_LINE) _Atomic uint32_t irq;
	alignas(PLXM_LINE) _Atomic int32_t owner; /* process, 0 = none */
	uint64_t owner_start;			  /* its start time: process ids are used again */
	struct plxm_counters count;
	struct plxm_dram dram[PLXM_DRAM_RANGES];
};

/* Read by every register access, hardly ever written. */
struct plxm_cable {
	alignas(PLXM_LINE) _Atomic uint32_t gen; /* moves when a window may lead elsewhere */
	_Atomic uint32_t link[PLXM_ENDS];	 /* trained, as each end sees it */
	_Atomic uint32_t out;			 /* it is unplugged */
	_Atomic uint32_t hide;			 /* fault: a register is not there */
	_Atomic uint32_t mute[PLXM_ENDS]; /* fault: posted writes that the end sends are lost */
};

struct plxm_chip {
	_Atomic uint32_t powered;
	_Atomic uint32_t nts; /* bit i: NTi is enabled, and has a cable */
	struct plxm_eeprom eeprom;
	struct plxm_cable cable; /* in a ring: the one at NT1; of a pair, chip 0 has it */
	struct plxm_nt nt[PLXM_NTS];
	alignas(4096) _Atomic uint32_t reg[PLXM_BAR0_SIZE / 4];
};

struct plxm_file {
	_Atomic uint64_t magic; /* written last */
	uint64_t size;
	uint32_t hosts;	      /* of the ring; 0: two chips with a cable between them */
	pthread_mutex_t lock; /* robust: guards all but doorbells, scratchpads, counters */
	uint32_t changing;    /* chip that the holder of the lock changes, + 1 */
	alignas(4096) struct plxm_chip chip[];
};

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

#endif /* PLXM_FILE_H */
