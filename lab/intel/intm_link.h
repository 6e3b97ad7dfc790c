/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef INTM_LINK_H
#define INTM_LINK_H

#include <pthread.h>

#include "intm.h"

enum {
	CTL_LOCK = 1 << 0, /* NTBCNTL */
	CTL_DISABLE = 1 << 1,
	LINK_CTRL_DISABLE = 1 << 4,
	PPD0_TRAIN = 1 << 3,
	SLOT_CHANGED = 0x100,
	CMD_MEM = 1 << 1,
	CMD_MASTER = 1 << 2,
	MSIX_ENABLE = 1 << 15,
	MSIX_MASK = 1 << 14,
	INTM_MSIX_TABLE = 0x2000, /* in BAR0 */
	INTM_MSIX_PENDING = 0x3000,
};

/* The registers of one end, in the cable's file. */
struct intm_end {
	bool there; /* a process has it */
	uint8_t gen;
	uint16_t reading;
	uint16_t cmd;
	uint16_t link_cmd; /* gen 3: SPCICMD */
	uint32_t ctl;
	uint64_t bar_addr[1 + INTM_WINDOWS], bar_size[1 + INTM_WINDOWS];
	uint64_t base[INTM_WINDOWS], limit[INTM_WINDOWS];	 /* inbound */
	uint64_t out_base[INTM_WINDOWS], em_limit[INTM_WINDOWS]; /* gen 3, the link's side */
	uint64_t em_bar[1 + INTM_WINDOWS];
	uint16_t base_bits[INTM_WINDOWS]; /* gen 4 */
	uint64_t status, disable;
	uint32_t spad[INTM_SPADS];
	uint64_t live; /* bits of the status that were pending and not disabled at the last look */
	uint8_t vector[INTM_DOORBELLS + 1];
	struct {
		uint64_t addr;
		uint32_t data, ctl;
	} msix[INTM_VECTORS];
	uint64_t due; /* messages to be sent, by vector */
	uint16_t msix_ctl;
	uint32_t ppd0, ppd1;
	uint16_t link_ctrl, slot;
	uint32_t irqs, word;
};

struct intm_cable {
	uint64_t magic;
	pthread_mutex_t lock;
	bool pulled, up;
	struct intm_end end[INTM_ENDS];
};

struct intm_port {
	struct intm_cable *cable;
	struct intm_conf conf;
	unsigned int end;
};

static inline struct intm_end *
intm_own(const struct intm_port *port)
{
	return &port->cable->end[port->end];
}

static inline struct intm_end *
intm_peer(const struct intm_port *port)
{
	return &port->cable->end[port->end ^ 1];
}

/* intm_link.c; all with the lock held */
void intm_lock(struct intm_cable *cable);
void intm_unlock(struct intm_cable *cable);
void intm_link_update(struct intm_cable *cable); /* after a change of what the link needs */
void intm_raise(struct intm_end *end, unsigned int bit);
/* after a change of the status or of what is disabled; @p cleared: bits of the status */
void intm_interrupt(struct intm_end *end, uint64_t cleared);
void intm_changed(struct intm_end *end); /* wakes who waits on the word */
/* Accesses of this end reach the other one. */
bool intm_passes(const struct intm_port *port);
uint16_t intm_link_status(const struct intm_cable *cable);

#endif /* INTM_LINK_H */
