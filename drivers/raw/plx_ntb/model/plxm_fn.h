/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_FN_H
#define PLXM_FN_H

/* Functions between the files of the model; included by plxm_priv.h only. */

/* plxm_cable.c */
int plxm_cable_map(int fd, struct plxm_cable **ret_cable);
void plxm_lock(struct plxm_cable *c);
void plxm_unlock(struct plxm_cable *c);
void plxm_gen_bump(struct plxm_cable *c);

/* plxm_owner.c: which process a chip belongs to */
uint64_t plxm_proc_start(int32_t pid); /* 0 = no such process, or a dead one */
bool plxm_owner_alive(const struct plxm_chip *chip);
void plxm_owner_gone(struct plxm_cable *c, struct plxm_chip *chip); /* locked */
void plxm_reap(struct plxm_cable *c, struct plxm_chip *chip);	    /* not locked */

/* plxm_reset.c */
int plxm_eeprom_check(const struct plxm_eeprom *e);
uint32_t plxm_port_mask(uint16_t chip);
bool plxm_has_alut(const struct plxm_chip *chip);
void plxm_power_on(struct plxm_chip *chip);
void plxm_reset_link(struct plxm_chip *chip);

/* plxm_link.c: all with the lock held */
void plxm_link_update(struct plxm_cable *c);
void plxm_link_bounce(struct plxm_cable *c, bool force);
void plxm_link_error(struct plxm_chip *chip, uint32_t bits);
uint64_t plxm_now_ns(void);

/* plxm_db.c: lock-free */
uint32_t plxm_hot_read(struct plxm_chip *chip, uint32_t r);
void plxm_hot_write(struct plxm_chip *chip, uint32_t r, uint32_t val);
void plxm_irq_raise(struct plxm_chip *chip, bool was_high);
bool plxm_irq_level(struct plxm_chip *chip);

/* plxm_nt.c: what software may change in an NT block; @p base is that of the block */
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

/* plxm_dma.c: the channel that BAR0 shows at @p off, or NULL. Only to its own host: the registers
 * are no part of the cable. */
struct plxm_dma *plxm_dma_shown(struct plxm_port *p, uint32_t off);

/* plxm_regs.c: BAR0 of any chip, from any side; @p be selects the bits that are written */
uint32_t plxm_chip_read(struct plxm_chip *chip, uint32_t off);
void plxm_chip_write(struct plxm_cable *c, struct plxm_chip *chip, uint32_t off, uint32_t val,
		     uint32_t be);
void plxm_delay(struct plxm_port *p);

/* plxm_xlat.c: the way of one TLP */
enum plxm_cause {
	PLXM_UR_RID,
	PLXM_UR_BAR,
	PLXM_UR_ALUT,
	PLXM_UR_DRAM,
	PLXM_UR_LINK,
	PLXM_MALFORMED, /* more payload than the interface takes */
	PLXM_CAUSES
};
enum plxm_kind {
	PLXM_TO_NOTHING,
	PLXM_TO_MEMORY,
	PLXM_TO_REGS
};

struct plxm_route {
	enum plxm_kind kind;
	enum plxm_cause cause; /* of PLXM_TO_NOTHING */
	bool at_peer;	       /* the refusing interface: peer's link side, else own virtual */
	uint16_t rid;	       /* requester id and address as that interface saw them */
	uint64_t tlp;
	uint64_t addr;	   /* register offset, or offset into the range */
	unsigned int dram; /* range of the port's dram[] */
	uint64_t run;	   /* bytes for which the answer holds */
};

/* @p perm: HW_PERM_* needed. Reads p->dram: call with p->mu held. */
void plxm_route(struct plxm_port *p, unsigned int bar, uint64_t off, uint32_t perm,
		struct plxm_route *rt);
void plxm_route_as(struct plxm_port *p, unsigned int bar, uint64_t off, uint32_t perm, uint16_t rid,
		   struct plxm_route *rt); /* for another requester than the host's CPU */
void plxm_refuse(struct plxm_port *p, const struct plxm_route *rt, bool write, size_t len);

/* plxm_win.c: an access to a window by any requester; 0 or -EIO */
struct plxm_request {
	uint8_t *buf; /* only read where the request is a write */
	size_t len;
	uint16_t rid;
	bool write;
	bool dma; /* packets as large as this host allows, where a CPU's are small enough for all */
};

int plxm_win_access(struct plxm_port *p, unsigned int bar, uint64_t off, struct plxm_request rq);

/* plxm_posted.c */
bool plxm_posted_hold(struct plxm_port *p, uint32_t reg, uint32_t val);
void plxm_posted_push(struct plxm_port *p);
void plxm_posted_set(struct plxm_port *p, bool on);

/* plxm_dram.c: the table of a host's memory; plxm_dram_put() with the lock held */
void plxm_dram_put(struct plxm_chip *chip, unsigned int i, const struct plxm_dram *d);
void plxm_dram_get(struct plxm_cable *c, struct plxm_chip *chip, struct plxm_dram *d);

/* plxm_peer.c, plxm_map.c */
void plxm_peer_sync(struct plxm_port *p);
void plxm_peer_drop(struct plxm_port *p);
void plxm_refresh(struct plxm_port *p);
void plxm_map_drop(struct plxm_port *p);

int plxm_map_ones(struct plxm_port *p, struct plxm_win *w, uint64_t off, uint64_t len);

static inline void
plxm_check(struct plxm_port *p)
{
	/* pairs with the increment in plxm_gen_bump(): a new value is re-read with acquire */
	if (atomic_load_explicit(&p->cable->gen, memory_order_relaxed) !=
	    atomic_load_explicit(&p->seen_gen, memory_order_relaxed))
		plxm_refresh(p);
}

#endif /* PLXM_FN_H */
