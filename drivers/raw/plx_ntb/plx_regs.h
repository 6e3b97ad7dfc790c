/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_REGS_H
#define PLX_REGS_H

/*
 * Registers of a PEX 87xx as one 256 KiB BAR0 shows them from every function: chip-wide ones by
 * their BAR0 offset, those of an NT interface by their offset in its 4 KiB block. No code here.
 */

#define PLX_VENDOR_ID 0x10b5
#define PLX_DEV_NT_LINK 0x87a0 /* + NT index */
#define PLX_DEV_NT_VIRT 0x87b0 /* + NT index */

#define PLX_CHIP_SIZE 0x40000u

/* Blocks of the NT interfaces. */
#define PLX_NT_VIRT(nt) ((nt) == 0 ? 0x3e000u : 0x3c000u)
#define PLX_NT_LINK(nt) ((nt) == 0 ? 0x3f000u : 0x3d000u)

/* Chip-wide registers. */
#define PLX_PORT_CTL(port) ((((port) & ~7u) << 12) + 0x208u) /* one per station */
#define PLX_PORT_CTL_DISABLE(port) (1u << (7u & (port)))
#define PLX_NT_CONFIG 0x360u
#define PLX_NT_CONFIG_PORT(v, nt) (((v) >> ((nt) == 0 ? 8 : 16)) & 0x1fu)
#define PLX_NT_CONFIG_ALUT(nt) (1u << (30 + (nt)))
#define PLX_MAX_PORT 21

/* Type 0 header and capabilities of an NT block. */
#define PLX_ID 0x00u
#define PLX_CMD 0x04u
#define PLX_CMD_MEM (1u << 1)
#define PLX_CMD_MASTER (1u << 2)
#define PLX_BAR(n) (0x10u + 4u * (n))
#define PLX_BAR_64BIT (1u << 2)
#define PLX_BAR_PREF (1u << 3)
#define PLX_BAR_TYPE 0x7u   /* I/O, and whether the next register is the upper half */
#define PLX_SUBSYS_ID 0x2cu /* device in the upper half: the chip's part number */
#define PLX_DEVCTL 0x70u
#define PLX_DEVCTL_CONTROL 0xffffu /* the upper half is status, cleared by ones */
#define PLX_DEVCTL_PAYLOAD 0xe0u
#define PLX_PAYLOAD(devctl) (128u << ((devctl) >> 5 & 7u))
#define PLX_LNKSTA 0x78u
#define PLX_LNKSTA_SPEED(v) (((v) >> 16) & 0xfu)
#define PLX_LNKSTA_WIDTH(v) (((v) >> 20) & 0x3fu)

/* BAR setup: a size mask with the BAR's type bits; 64-bit pairs take two registers. */
#define PLX_BAR0_SETUP 0xe4u
#define PLX_BAR0_SETUP_64BIT 3u
#define PLX_BAR_SETUP(n) (0xe0u + 4u * (n)) /* from BAR 2 on, at 0xe8 */
#define PLX_BAR_SETUP_64BIT_PREF 0xcu
#define PLX_WIN_MIN_SIZE (1ull << 20) /* the low 20 bits of the mask do not exist */

/* Translation of window BAR n, in the block where the request comes in. */
#define PLX_XLAT(n) (0xc34u + 4u * (n)) /* from BAR 2 on, at 0xc3c */

/* Doorbells that signal the Virtual side; both blocks of an NT show them. */
#define PLX_DB_SET 0xc4cu /* write 1 raises; read gives the pending bits */
#define PLX_DB_CLEAR 0xc50u
#define PLX_DB_MASK_SET 0xc54u
#define PLX_DB_MASK_CLEAR 0xc58u
#define PLX_DB_COUNT 16
#define PLX_DB_BITS 0xffffu

/* Those that signal the Link side. They interrupt no host, so their mask is free for use. No driver
 * known to us uses it in a Virtual block: what it shows there is a hint, never a condition. */
#define PLX_LINK_DB_MASK_SET 0xc64u
#define PLX_LINK_DB_MASK_CLEAR 0xc68u

#define PLX_SPAD(i) (0xc6cu + 4u * (i))
#define PLX_SPAD_COUNT 8

#define PLX_NT_ID 0xc8cu
#define PLX_NT_ID_INDEX (1u << 0)
#define PLX_NT_ID_LINK (1u << 31)
#define PLX_RID_CAPTURED 0xc90u

/* Address look-up table of BAR2. The gate is in the block where the request leaves the chip. */
#define PLX_ALUT_CTL 0xc94u
#define PLX_ALUT_CTL_ENABLE (1u << 28)
#define PLX_ALUT_ARRAY_ENTRIES 128u
#define PLX_ALUT_LO(array, i) (PLX_ALUT_PAGE(array, i) + 0x000u + 4u * PLX_ALUT_INDEX(i))
#define PLX_ALUT_HI(array, i) (PLX_ALUT_PAGE(array, i) + 0x400u + 4u * PLX_ALUT_INDEX(i))
#define PLX_ALUT_PERM(array, i) (PLX_ALUT_PAGE(array, i) + 0x800u + 4u * PLX_ALUT_INDEX(i))
#define PLX_ALUT_PAGE(array, i) ((array) + 0x1000u * ((i) / PLX_ALUT_ARRAY_ENTRIES))
#define PLX_ALUT_INDEX(i) ((i) % PLX_ALUT_ARRAY_ENTRIES)
#define PLX_ALUT_RAM 0x38000u
#define PLX_ALUT_WRITE (1u << 0)
#define PLX_ALUT_READ (1u << 1)

/* Requester id look-up tables: 16-bit entries, two a register. */
#define PLX_RID_LUT_VIRT 0xd94u
#define PLX_RID_LUT_LINK 0xdb4u
#define PLX_RID_LUT_ENTRIES 32
#define PLX_RID_ENTRY(bus, dev) (((bus) << 8) | ((dev) << 3) | PLX_RID_ENABLE)
#define PLX_RID_ENABLE 1u
#define PLX_RID_BUS_DEV 0xfff8u /* bits 2..0 of an entry are flags, not the function number */

/* Error and event status of the link, kept in the Virtual block. */
#define PLX_BAD_TLP 0xfacu
#define PLX_BAD_DLLP 0xfb0u
#define PLX_AER_UNCORR 0xfb8u
#define PLX_AER_MASK 0xfbcu
#define PLX_AER_UR_BIT 20
#define PLX_AER_UR (1u << PLX_AER_UR_BIT)
#define PLX_AER_FIRST(ctl) ((ctl)&0x1fu) /* number of the bit that the header log is about */
#define PLX_AER_CTL 0xfccu
#define PLX_AER_HEADER 0xfd0u /* of the first refused request: type, requester, address */
#define PLX_TLP_IS_MEM_WRITE(dw0) (((dw0) >> 24 & 0xdfu) == 0x40u)
#define PLX_LINK_EVENT 0xfe0u
#define PLX_LINK_EVENT_CHANGE (1u << 2)
#define PLX_LINK_EVENT_ALL 0xfu
#define PLX_LINK_EVENT_MASK 0xfe4u

/*
 * Addresses on the cable between two chips wired back to back. Nobody enumerates that segment, so
 * both ends must pick the same ones: BAR n sits at n << 61, far apart for any window size, as
 * FreeBSD's ntb_hw_plx does.
 */
#define PLX_SEGMENT_ADDR(bar) ((uint64_t)(bar) << 61)
#define PLX_WIN_DATA 2				  /* BAR2/3: the peer's memory */
#define PLX_WIN_REGS 4				  /* BAR4/5: the peer's registers */
#define PLX_WIN_SHARED_MIN (2 * PLX_WIN_MIN_SIZE) /* of BAR2 without BAR4: two halves */

/*
 * The two NT ports of a chip are cabled to different hosts, and either port shows the registers of
 * the whole chip. So the other end learns from the address at which a Link interface offers them
 * to which of the two it is cabled: NTn offers them at slot n. With safe=1 or find=0 a port is as
 * those of FreeBSD's driver, which offers both at slot 0, and like joins like.
 */
#define PLX_PEER_SLOT(nt) (PLX_CHIP_SIZE * (uint32_t)(nt))

#define PLX_GONE 0xffffffffu /* result of a read that is not answered */

#endif /* PLX_REGS_H */
