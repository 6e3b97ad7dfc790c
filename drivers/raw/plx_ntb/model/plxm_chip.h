/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_CHIP_H
#define PLXM_CHIP_H

/* Cables, chips and their registers: what the files of the model offer each other. */

#include <time.h>

#include "plxm_priv.h"

/* ---- time ---- */

static inline uint64_t
plxm_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- plxm_db.c: lock-free ---- */

uint32_t plxm_hot_read(struct plxm_nt *nt, uint32_t r);
void plxm_hot_write(const struct plxm_side *s, uint32_t r, uint32_t val);

/* ---- plxm_dram.c ---- */

uint64_t plxm_file_align(int fd);
bool plxm_dram_open(int fd, const struct plxm_dram *d);	 /* is it still that file? */
void plxm_dram_close(int fd, const struct plxm_dram *d); /* where it is */

/* ---- plxm_rig.c ---- */

/* How the chips of a file are cabled. End 0 of cable k of a ring is NT1 of chip k, end 1 is NT0 of
 * the next chip. The cable of a pair has chip 0 at end 0 and chip 1 at end 1. */

/* Map the file of a ring of @p hosts, or of a pair (0). An empty file is made into one. */
int plxm_rig_map(int fd, unsigned int hosts, struct plxm_rig *r);

/* The same for a file that others have made, without waiting for any of them: -ENODATA where none
 * has made it so far. */
int plxm_rig_find(int fd, unsigned int hosts, struct plxm_rig *r);
void plxm_rig_unmap(struct plxm_rig *r);

static inline struct plxm_cable *
plxm_rig_cable(const struct plxm_rig *r, unsigned int no)
{
	return &r->file->chip[no].cable;
}

/* Number of the cable at NT port @p index of @p chip. */
static inline unsigned int
plxm_rig_cable_at(const struct plxm_rig *r, const struct plxm_chip *chip, unsigned int index)
{
	unsigned int k = (unsigned int)(chip - r->file->chip);

	if (!r->ring)
		return 0;
	return index != 0 ? k : (k + r->chips - 1) % r->chips;
}

static inline struct plxm_side
plxm_rig_end(const struct plxm_rig *r, unsigned int no, unsigned int end)
{
	struct plxm_chip *chip;

	if (r->ring)
		return plxm_side(&r->file->chip[(no + end) % r->chips], !end);
	chip = &r->file->chip[end];
	return plxm_side(chip, chip->eeprom.nt_index);
}

/* The port that the requests of @p p come to. */
static inline struct plxm_side
plxm_far(const struct plxm_port *p)
{
	return plxm_rig_end(&p->rig, p->cable_no, !p->end);
}

/* ---- the generation of a cable: it moves when a window may lead elsewhere ---- */

/* Release: a thread that sees the new value in plxm_refresh() sees the registers that led to it. */
static inline void
plxm_gen_bump(struct plxm_cable *c)
{
	atomic_fetch_add_explicit(&c->gen, 1, memory_order_release);
}

/* That of each cable at @p chip. */
static inline void
plxm_gen_bump_chip(const struct plxm_rig *r, const struct plxm_chip *chip)
{
	for (unsigned int index = 0; index < PLXM_NTS; index++)
		plxm_gen_bump(plxm_rig_cable(r, plxm_rig_cable_at(r, chip, index)));
}

/* ---- plxm_lock.c ---- */

/* The lock of a cable file. A process that finds that the last holder died repairs what that
 * one was changing first. */

/* The holder may change @p chip, and the links of its cables at both ends. */
void plxm_lock(const struct plxm_rig *r, const struct plxm_chip *chip);
int plxm_trylock(const struct plxm_rig *r, const struct plxm_chip *chip); /* -EAGAIN: it is taken */
void plxm_unlock(const struct plxm_rig *r);

/* ---- plxm_owner.c: the process that an NT port belongs to ---- */

uint64_t plxm_proc_start(int32_t pid); /* 0 = no such process, or a dead one */
bool plxm_owner_alive(const struct plxm_nt *nt);
void plxm_owner_gone(const struct plxm_rig *r, const struct plxm_side *s); /* locked */

/* ---- plxm_link.c: all with the lock held ---- */

void plxm_link_update(const struct plxm_rig *r, unsigned int cable);
void plxm_link_update_chip(const struct plxm_rig *r, const struct plxm_chip *chip);
/* @p force: lose the link even if the file has it down already; the loss may be half done. */
void plxm_link_bounce(const struct plxm_rig *r, unsigned int cable, bool force);
void plxm_link_error(const struct plxm_side *s, uint32_t bits);

/* ---- plxm_reset.c ---- */

int plxm_eeprom_check(const struct plxm_eeprom *e, bool both);
bool plxm_eeprom_same(const struct plxm_eeprom *a, const struct plxm_eeprom *b);
uint32_t plxm_port_mask(uint16_t chip);
bool plxm_has_alut(const struct plxm_chip *chip);
uint32_t plxm_nt_port(const struct plxm_chip *chip, unsigned int index);
void plxm_power_on(struct plxm_chip *chip);
void plxm_reset_nt(const struct plxm_side *s);
void plxm_reset_link(const struct plxm_side *s);

/* ---- plxm_fault.c ---- */

bool plxm_is_hidden(const struct plxm_port *p, uint32_t off);

/* ---- plxm_nt.c ---- */

/* The bits of an NT block that software may change; @p base is that of the block. */

struct plxm_bar {
	uint64_t mask, addr; /* mask 0 = off */
	bool is64;
};

struct plxm_access {
	uint32_t rw, w1c;
	bool remap; /* a change may lead windows elsewhere */
};

bool plxm_bar_get(const struct plxm_chip *chip, uint32_t base, unsigned int n,
		  struct plxm_bar *bar);
uint32_t plxm_nt_read(struct plxm_chip *chip, uint32_t base, uint32_t r);
struct plxm_access plxm_nt_access(const struct plxm_chip *chip, uint32_t base, uint32_t r);

/* ---- plxm_regs.c ---- */

/* BAR0 of any chip, from any side; @p be selects the bits that are written. */
uint32_t plxm_chip_read(struct plxm_chip *chip, uint32_t off);
void plxm_chip_write(const struct plxm_rig *rig, struct plxm_chip *chip, uint32_t off, uint32_t val,
		     uint32_t be);

#endif /* PLXM_CHIP_H */
