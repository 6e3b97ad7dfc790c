/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_PRIV_H
#define PLXM_PRIV_H

/* The state of chips and cables in this process. */

#include "plxm_file.h"

/* A cable file as mapped here. */
struct plxm_rig {
	struct plxm_file *file;
	unsigned int chips;
	bool ring; /* of chips with two NT ports each, NT1 of each cabled to NT0 of the next */
};

/* An NT port of a chip. */
struct plxm_side {
	struct plxm_chip *chip;
	struct plxm_nt *nt;
	unsigned int index;
	uint32_t base; /* of its virtual block */
};

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
	bool lost; /* stores do not arrive there, loads do */
};

struct plxm_win {
	uint8_t *va; /* NULL until plxm_win_map() */
	uint64_t size;
	struct plxm_run *run;
	unsigned int runs;
	bool dead; /* no store arrives in memory */
};

/* A posted write that is under way. */
struct plxm_late {
	struct plxm_late *next;
	uint64_t downs; /* link losses before it */
	uint64_t off;
	unsigned int bar;
	uint16_t rid;
	bool dma;
	size_t len;
	uint8_t data[];
};

struct plxm_late_queue {
	_Atomic bool on;
	_Atomic uint64_t count; /* of all that ever were late */
	pthread_mutex_t lock;	/* guards what follows, and is held while they arrive; before mu */
	struct plxm_late *first, *last;
	size_t bytes;
};

struct plxm_port {
	struct plxm_rig rig;
	struct plxm_side me;
	struct plxm_cable *cable;
	unsigned int cable_no, end;
	_Atomic unsigned int users;
	_Atomic uint32_t seen_gen;
	_Atomic uint32_t dead_window; /* the window is mapped, and no store arrives */
	_Atomic uint64_t remaps;
	struct plxm_late_queue late;
	struct plxm_dram own[PLXM_DRAM_RANGES]; /* duplicates kept open for the peer */
	pthread_mutex_t mu;			/* guards what follows; taken before cable->lock */
	struct plxm_peer_dram dram[PLXM_DRAM_RANGES];
	uint32_t seq;
	uint64_t reap_ns;    /* when the peer's owner was looked at last */
	struct plxm_win win; /* BAR2 */
	uint64_t bar4_size;
};

static inline uint64_t
plxm_win_size(const struct plxm_port *p, unsigned int bar)
{
	return bar == 2 ? p->win.size : bar == 4 ? p->bar4_size : 0;
}

static inline struct plxm_side
plxm_side(struct plxm_chip *chip, unsigned int index)
{
	return (struct plxm_side){
		.chip = chip,
		.nt = &chip->nt[index & 1],
		.index = index & 1,
		.base = index & 1 ? HW_NT1_VIRTUAL : HW_NT0_VIRTUAL,
	};
}

/* That of a register block. */
static inline struct plxm_side
plxm_side_at(struct plxm_chip *chip, uint32_t off)
{
	return plxm_side(chip, off < HW_NT0_VIRTUAL);
}

#endif /* PLXM_PRIV_H */
