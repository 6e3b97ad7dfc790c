/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_XLAT_H
#define PLXM_XLAT_H

/* The way of one TLP. */

#include "plxm_priv.h"

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

#endif /* PLXM_XLAT_H */
