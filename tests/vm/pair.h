/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PAIR_H
#define PAIR_H

/* A program that runs in two guests at once, joined by a cable: each side does the same and
 * judges what the other one did. One line for each check, "ok NAME" or "not ok NAME -- why". */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_memzone.h>

#include "rte_pmd_ntb_port.h"

#define PAIR_REGION (5ull << 20)

struct pair {
	struct ntb_port *port;
	struct ntb_port_info info;
	const struct rte_memzone *mz; /* inbound region */
	unsigned int role;	      /* 0 or 1 */
	uint32_t epoch;		      /* of this run, so that nothing of an earlier one counts */
	uint32_t step;
	unsigned int failed;
	bool uncached;	   /* the window is, by what the kernel driver can do */
	const char *check; /* what is being judged */
};

/* Say once for each check what went wrong with it. */
__attribute__((format(printf, 3, 4))) void pair_expect(struct pair *p, bool good, const char *fmt,
						       ...);
/* Wait until the other side is here too; the run ends where it does not come. */
void pair_meet(struct pair *p);
bool pair_wait_link(struct pair *p, enum ntb_link want, int seconds);

/* pair_move.c */
void pair_window(struct pair *p);
void pair_bounds(struct pair *p);
void pair_dma(struct pair *p);
void pair_dma_errors(struct pair *p);

/* pair_stay.c: @p names are the ways in which one peer after the other ends. */
void pair_stay(struct pair *p, int n, char *const names[]);
void pair_visit(struct pair *p);

static inline volatile uint64_t *
pair_at(void *base, uint64_t off)
{
	return (volatile uint64_t *)((uint8_t *)base + off);
}

#endif /* PAIR_H */
