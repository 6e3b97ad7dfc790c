/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef FAKE_PLX_H
#define FAKE_PLX_H

/* An NT port whose registers are a file. */

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "fake_pci.h"
#include "plx_regs.h"

/* As an EEPROM leaves it; the port's link is off. */
static inline void
fake_plx_power_on(const struct fake_pci *f, unsigned int nt, uint32_t nt_config)
{
	*fake_reg(f, 0, PLX_NT_VIRT(nt) + PLX_ID) = 0x87b010b5 + (nt << 16);
	*fake_reg(f, 0, PLX_NT_LINK(nt) + PLX_ID) = 0x87a010b5 + (nt << 16);
	*fake_reg(f, 0, PLX_NT_VIRT(nt) + PLX_SUBSYS_ID) = 0x874910b5;
	*fake_reg(f, 0, PLX_NT_VIRT(nt) + PLX_BAR(2)) = 0xc; /* 64 bits, prefetchable */
	*fake_reg(f, 0, PLX_NT_VIRT(nt) + PLX_BAR(4)) = 0xc;
	*fake_reg(f, 0, PLX_NT_VIRT(nt) + PLX_NT_ID) = nt;
	*fake_reg(f, 0, PLX_NT_LINK(nt) + PLX_NT_ID) = nt | PLX_NT_ID_LINK;
	*fake_reg(f, 0, PLX_NT_VIRT(nt) + PLX_RID_CAPTURED) = 0x3a07; /* 3a:00.7 */
	*fake_reg(f, 0, PLX_NT_CONFIG) = nt_config;
	f->config[PLX_CMD] = PLX_CMD_MEM; /* the kernel, when its driver took the function */
	*fake_reg(f, 0, PLX_PORT_CTL(8)) = PLX_PORT_CTL_DISABLE(9) | PLX_PORT_CTL_DISABLE(10);
}

/* Is that address mapped from this file of the adapter? */
static inline void
fake_plx_check_map(const void *at, const char *want)
{
	char file[64];

	fake_pci_file_at(at, file, sizeof(file));
	CU_ASSERT_STRING_EQUAL(file, want);
	if (strcmp(file, want) != 0)
		fprintf(stderr, "%p is mapped from \"%s\", not from %s\n", at, file, want);
}

#endif /* FAKE_PLX_H */
