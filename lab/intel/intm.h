/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef INTM_H
#define INTM_H

/**
 * @file
 * Model of the NTB in a root port of Intel's Xeons, back to back with another one: generation 3
 * (Skylake, 8086:201c) and 4 (Ice Lake, 8086:347e). Registers as the drivers of Linux and DPDK use
 * them. Both ends of a cable, in one process or two, share a file. libc only.
 *
 * A port is seen from its own host: configuration space, BAR0 with the registers, and two windows,
 * BAR2 and BAR4. Interrupts are messages of MSI-X. What the model has not: the transparent and the
 * root-port mode, split BARs, the registers of the other side at 0x4000 beside those of the
 * windows. Where the table of MSI-X lies in BAR0, no public driver says: it is a place without
 * registers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	INTM_BAR0_SIZE = 0x10000, /**< generation 3 needs 0x8000 of it */
	INTM_WINDOWS = 2,
	INTM_SPADS = 16,
	INTM_DOORBELLS = 32,
	INTM_DB_LINK = 32,		   /**< bit of the interrupt status: the link has changed */
	INTM_VECTORS = INTM_DOORBELLS + 1, /**< of MSI-X: one a doorbell, one for the link */
	INTM_ENDS = 2,
};

/**
 * What no public document says, and the drivers that run on silicon do not agree on. Each bit is
 * another reading than the one of Linux's and DPDK's drivers, as far as these have one.
 */
enum intm_reading {
	INTM_LIMIT_XBASE = 1 << 0, /**< limits count from the translated address (FreeBSD), not
				      from that of the BAR (Linux, DPDK) */
	INTM_LIMIT_ZERO = 1 << 1,  /**< a limit of 0 shuts the window; else it is none */
	INTM_LIMIT_EQUAL = 1 << 2, /**< a limit that is its base is none; else it shuts */
	INTM_LIMIT_BELOW = 1 << 3, /**< one below its base shuts; else it is none */
	INTM_SPCICMD_OFF = 1 << 4, /**< generation 3: the link's side comes without memory space
				      and bus mastering out of reset */
	INTM_INDEX_ADDS = 1 << 5,  /**< generation 4: BASEIDX says how the base is aligned, to
				      which the offset is added (Linux rounds the length down);
				      else it says which bits come from the offset (DPDK: up) */
	INTM_INDEX_ZERO = 1 << 6,  /**< generation 4: BASEIDX is 0 out of reset, else as the BAR */
	INTM_RESET_OPEN = 1 << 7,  /**< the link is enabled out of reset, and so are interrupts */
	INTM_SAPPHIRE = 1 << 8,	   /**< generation 4 is Sapphire Rapids: revision and PPD */
	INTM_READINGS = (1 << 9) - 1,
};

/** Words joined by +: xbase, zero, equal, below, spcicmd, adds, index, open, sapphire; all; none.
 *  0 or -EINVAL. */
int intm_reading(const char *words, unsigned int *ret_reading);

struct intm_conf {
	int fd;				     /**< of the cable's file, empty at first */
	unsigned int end;		     /**< 0: upstream device, 1: downstream device */
	unsigned int gen;		     /**< 3 or 4 */
	unsigned int reading;		     /**< INTM_*, of this end */
	uint64_t bar_addr[1 + INTM_WINDOWS]; /**< of BAR0, BAR2, BAR4, as the firmware set them */
	uint64_t bar_size[1 + INTM_WINDOWS]; /**< of the windows powers of two */
};

struct intm_port;

/** One end of the cable, out of reset. 0 or -errno. */
int intm_open(const struct intm_conf *conf, struct intm_port **ret_port);
/** As if the host were switched on, which resets all registers, or off. */
void intm_power(struct intm_port *port, bool on);

/** Accesses of 1, 2, 4 or 8 bytes. What is no register reads as 0 and ignores writes; ones: of the
 *  peer's registers while the link is down. */
uint64_t intm_cfg_read(struct intm_port *port, uint32_t off, unsigned int len);
void intm_cfg_write(struct intm_port *port, uint32_t off, uint64_t v, unsigned int len);
uint64_t intm_reg_read(struct intm_port *port, uint32_t off, unsigned int len);
void intm_reg_write(struct intm_port *port, uint32_t off, uint64_t v, unsigned int len);

/** The BAR of an access to @p addr in the host's memory: 0, or 1 + window; *ret_off is the offset
 * in it. -1: none. */
int intm_decode(struct intm_port *port, uint64_t addr, unsigned int len, uint64_t *ret_off);

/** Where at the peer does byte @p off of a window lead? 0 with a bus address and the number of
 * bytes that follow it there; -EIO: writes are lost, and reads give ones. */
int intm_window(struct intm_port *port, unsigned int window, uint64_t off, uint64_t *ret_bus,
		uint64_t *ret_len);

/** An interrupt is pending: a bit of the status that is not disabled. */
bool intm_irq(struct intm_port *port);
/** Counts interrupts: bits that came while they were enabled, and those that are left after others
 *  were cleared or that were pending when they were enabled. */
uint32_t intm_irqs(struct intm_port *port);
/** A write to memory that is an interrupt. */
struct intm_message {
	uint64_t addr;
	uint32_t data;
};

/** Takes the next message that is due by MSI-X; false: none. */
bool intm_message(struct intm_port *port, struct intm_message *ret_message);
/** Changes with each interrupt and with all that intm_message() and intm_window() may answer: for
 * FUTEX_WAIT. */
uint32_t *intm_word(struct intm_port *port);
/** Pull the cable, or plug it in. */
void intm_cable(struct intm_port *port, bool plugged);

#endif /* INTM_H */
