/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_CHIP_H
#define PLX_CHIP_H

/*
 * Register sequences of an NT port that is cabled back to back with another one. No rawdev types,
 * no locks: the caller sees to it that only one thread programs a chip.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plx_io.h"
#include "plx_regs.h"

/* Why a link is not up; PLX_WHY_STORES: what is doubted of one that is. */
enum plx_why {
	PLX_WHY_NONE,
	PLX_WHY_STOPPED,
	PLX_WHY_GONE,
	PLX_WHY_DISABLED,
	PLX_WHY_UNTRAINED,
	PLX_WHY_ONCE,
	PLX_WHY_REFUSED,
	PLX_WHY_CHANGED,
	PLX_WHY_NOBODY,
	PLX_WHY_STORES,
	PLX_WHYS,
};

struct plx_reason {
	enum plx_why why;
	uint32_t reg, value; /* the register that says so */
};

struct plx_chip {
	struct plx_io *io;
	const char *name;      /* for log lines */
	uint32_t virt;	       /* own Virtual block */
	uint32_t link;	       /* own Link block */
	uint32_t alut_array;   /* look-up table for requests coming in over the cable; 0: none */
	uint16_t alut_entries; /* that are used */
	uint16_t part;	       /* 0x8749, ... */
	/* The peer's Virtual block in the register window. Written while the link is down, by the
	 * one thread that programs the chip. Relaxed: readers have seen the link up. */
	uint32_t peer;
	uint16_t learned; /* requester id with which refused stores came; 0: none */
	struct plx_reason reason;
	uint8_t nt;
	uint8_t port; /* number of the switch port that is this NT */
	void *window; /* BAR2 */
	uint64_t window_size;
	uint64_t iova; /* inbound region; len 0 = none */
	uint64_t len;
};

struct plx_link_state {
	uint8_t speed; /* 1..3, PCIe generation */
	uint8_t width; /* lanes, 0 = down */
	bool changed;  /* it went down or came up since plx_chip_link_ack() */
	bool gone;     /* the chip itself does not answer */
};

/* Identify the chip and the port, and fill @p chip. Logs anything that does not fit. 0, -ENXIO (no
 * answer), -ENODEV. */
int plx_chip_identify(struct plx_chip *chip, struct plx_io *io, const char *name);

/* Alignment that the bus address of an inbound region of @p len bytes needs. */
uint64_t plx_chip_align(const struct plx_chip *chip, uint64_t len);

/* Choose the inbound region, to be programmed next. */
void plx_chip_inbound(struct plx_chip *chip, uint64_t iova, uint64_t len);

/* Program everything that a link loss or a power cycle forgets: addresses on the cable,
 * translations, requester ids, inbound region. Lets the peer in at the very end if @p open.
 * 0, or -EIO where the chip did not take it. */
int plx_chip_program(struct plx_chip *chip, bool open);
/* Only the requester ids, after one was learned. */
void plx_chip_requesters(struct plx_chip *chip);
bool plx_chip_is_open(struct plx_chip *chip); /* false too after the link side was reset */
void plx_chip_shut(struct plx_chip *chip);    /* let no request of the peer in */

void plx_chip_link_enable(struct plx_chip *chip, bool on);
bool plx_chip_is_disabled(struct plx_chip *chip);
void plx_chip_link_state(struct plx_chip *chip, struct plx_link_state *ret);
void plx_chip_link_ack(struct plx_chip *chip);
static inline uint32_t
plx_virt_read(struct plx_chip *chip, uint32_t reg)
{
	return plx_reg_read32(chip->io, chip->virt + reg);
}

static inline void
plx_virt_write(struct plx_chip *chip, uint32_t reg, uint32_t val)
{
	plx_reg_write32(chip->io, chip->virt + reg, val);
}

/* Offset in the register window of register @p reg of the peer's Virtual block. */
static inline uint32_t
plx_peer_virt(const struct plx_chip *chip, uint32_t reg)
{
	return __atomic_load_n(&chip->peer, __ATOMIC_RELAXED) + reg;
}

static inline uint32_t
plx_link_read(struct plx_chip *chip, uint32_t reg)
{
	return plx_reg_read32(chip->io, chip->link + reg);
}

static inline void
plx_link_write(struct plx_chip *chip, uint32_t reg, uint32_t val)
{
	plx_reg_write32(chip->io, chip->link + reg, val);
}

/* ---- plx_peer.c ---- */

/*
 * The chip at the other end of the cable: which of its ports is there, and does it take requests?
 * The peer's driver must have programmed its Link interface.
 */

/* Which NT port is at the other end of the cable? False, with the reason, where no programmed one
 * answers. */
bool plx_chip_peer_find(struct plx_chip *chip);
/* Do stores reach the peer's chip? Answers to reads do not prove that: a CPU's stores may come with
 * another requester id than its loads. An id that this side's chip refused is let in. Where a store
 * is not seen, that is a reason for doubt: memory decides. */
void plx_chip_prove_stores(struct plx_chip *chip);
/* Log a warning where packets of this host are larger than the peer's host takes: a switch does not
 * split them. */
void plx_chip_payload_check(struct plx_chip *chip);
/* Does the NT port that was found still answer register reads over the cable? */
bool plx_chip_peer_answers(struct plx_chip *chip);
/* Does it answer, and may requests reach its host's memory? The kernel of a host switches that off
 * when the adapter's program is killed. */
bool plx_chip_peer_takes(struct plx_chip *chip);

/* ---- plx_why.c: why a link is not up, in words ---- */

/* What @p reg reads says so: an own register, or one in the register window where @p why is about
 * the peer. */
void plx_chip_because(struct plx_chip *chip, enum plx_why why, uint32_t reg);
/* Do the own registers say that the link has no lanes? That is the reason then. */
bool plx_chip_untrained(struct plx_chip *chip);
/* "": the link is up, and nothing is doubted. */
void plx_chip_why_text(const struct plx_chip *chip, char *text, size_t size);
enum {
	PLX_WHY_SIZE = 192, /* of the longest text */
};

/* ---- plx_io_pci.c ---- */

struct rte_pci_device;

/* The BARs of a PCI function, with PLX_SKIP_*. Logs the reason of a failure; 0 or a negative errno.
 */
int plx_io_pci_open(struct rte_pci_device *pci, uint32_t skips, struct plx_io **ret_io);

/* ---- plx_selftest.c ---- */

/* Exercises registers of a shut chip; scratchpads survive, doorbells end clear and masked. */
int plx_chip_selftest(struct plx_chip *chip);

#endif /* PLX_CHIP_H */
