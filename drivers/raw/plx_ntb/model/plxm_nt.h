/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_NT_H
#define PLXM_NT_H

/* The bits of an NT block that software may change; @p base is that of the block. */

#include "plxm_priv.h"

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

#endif /* PLXM_NT_H */
