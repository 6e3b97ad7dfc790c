/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_HW_H
#define PLXM_HW_H

/*
 * Offsets and bits of a PEX87xx, as the chip has them. Private to the model: a driver keeps a list
 * of its own, so that a slip in one of the two shows as a failing test.
 */

/* BAR0: blocks */
enum {
	HW_PORTS = 22,		  /* port p at p << 12, stations begin at ports 0, 8, 16 */
	HW_ALUT_BASE = 0x38000,	  /* four RAM arrays of 128 entries */
	HW_NT1_VIRTUAL = 0x3C000, /* the link block follows 0x1000 above */
	HW_NT0_VIRTUAL = 0x3E000,
	HW_NT_LINK = 0x1000,
};

/* chip-wide registers, in the block of port 0 (or of the station's first port) */
enum {
	HW_PORT_CTL = 0x208, /* one per station: bit (port & 7) disables that port's link */
	HW_VS_ENABLE = 0x358,
	HW_NT_CONFIG = 0x360, /* upstream port, NT ports and enables, A-LUT mode */
};

/* PCI configuration header and capabilities, in every NT block. Of the extended ones, which no
 * guest and no driver looks for, the registers of errors alone. */
enum {
	HW_CMD = 0x04,
	HW_CLASS = 0x08,
	HW_HEADER = 0x0C,
	HW_BAR0 = 0x10,
	HW_BAR5 = 0x24,
	HW_SUBSYS = 0x2C,
	HW_CAP_PTR = 0x34,
	HW_INT = 0x3C,
	HW_PM = 0x40,
	HW_PMCSR = 0x44,
	HW_PCIE = 0x68,
	HW_DEVCAP = 0x6C,
	HW_DEVCTL = 0x70,
	HW_LNKCAP = 0x74,
	HW_LNKCTL = 0x78,
	HW_DEVCTL2 = 0x90,
	HW_LNKCTL2 = 0x98,
	HW_AER_UNCORR = 0xFB8,
	HW_AER_UNCORR_MASK = 0xFBC,
	HW_AER_CTL = 0xFCC, /* bits 4:0: which error the header log is about */
	HW_AER_HDR = 0xFD0,
};

#define HW_SPEED 3u /* all ports have the lanes and speed of an x8 adapter */
#define HW_WIDTH 8u
#define HW_CMD_MEM (1u << 1)
#define HW_CMD_MASTER (1u << 2)
#define HW_DEVSTA_UR (1u << 19)
#define HW_AER_SURPRISE (1u << 5)
#define HW_AER_UR (1u << 20)
#define HW_AER_MALFORMED (1u << 18)
#define HW_PAYLOAD(devctl) (128u << ((devctl) >> 5 & 7))

/* NT registers proper */
enum {
	HW_BAR0_SETUP = 0xE4, /* 2 = 32-bit, 3 = 64-bit */
	HW_BAR2_SETUP = 0xE8,
	HW_BAR5_SETUP = 0xF4,
	HW_XLAT = 0xC3C,  /* BAR2 low, high or BAR3, BAR4 low, high or BAR5 */
	HW_DB = 0xC4C,	  /* virtual: set, clear, mask set, mask clear; then the link's */
	HW_SPAD = 0xC6C,  /* eight, up to C88 */
	HW_NT_ID = 0xC8C, /* bit 0 NT index, bit 31 link side */
	HW_RID = 0xC90,	  /* captured requester id of the host's CPU */
	HW_ALUT_CTL = 0xC94,
	HW_VLUT = 0xD94, /* requester-id LUT, virtual block */
	HW_LLUT = 0xDB4, /* requester-id LUT, link block */
	HW_BAD_TLP = 0xFAC,
	HW_BAD_DLLP = 0xFB0,
	HW_LINK_ERR = 0xFE0, /* virtual block only */
	HW_LINK_ERR_MASK = 0xFE4,
};

#define HW_ALUT_ON (1u << 28)
#define HW_ALUT_HIGH 0x400u
#define HW_ALUT_PERM 0x800u
#define HW_PERM_WRITE 1u
#define HW_PERM_READ 2u
#define HW_LUT_ENTRIES 32u
#define HW_LUT_RESERVED 0x00040004u
#define HW_LINK_ERR_UNCORR 2u
#define HW_LINK_ERR_CHANGE 4u
#define HW_DB_BITS 0xFFFFu

/* DMA function: one a channel, functions 1..4 of the upstream port */
enum {
	HW_DMA_ID = 0x87D0,
	HW_DMA_BUS = 1,	     /* of the upstream port, behind the root port */
	HW_DMA_RING = 0x214, /* base, low and high */
	HW_DMA_NEXT = 0x21C,
	HW_DMA_COUNT = 0x220,
	HW_DMA_PREFETCH = 0x234,
	HW_DMA_CTL = 0x238,
};

#define HW_DMA_PAUSE (1u << 0)
#define HW_DMA_ABORT (1u << 1)
#define HW_DMA_WRITE_BACK (1u << 2)
#define HW_DMA_START (1u << 3)
#define HW_DMA_MODE(ctl) ((ctl) >> 5 & 3) /* 2: ring in host memory */
#define HW_DMA_INVALID (1u << 8)
#define HW_DMA_PAUSE_DONE (1u << 9)
#define HW_DMA_ABORT_DONE (1u << 10)
#define HW_DMA_CTL_W1C 0x80001700u
#define HW_DMA_CTL_RW 0x3FFFE074u
#define HW_DMA_BUSY (1u << 30)

/* first word of a descriptor: request, and what comes back */
#define HW_DESC_COUNT 0x07FFFFFFu
#define HW_DESC_EXTENDED (1u << 27)
#define HW_DESC_HOLD (3u << 28)
#define HW_DESC_VALID (1u << 31)
#define HW_DESC_WRITE_FAILED (1u << 28)
#define HW_DESC_READ_FAILED (1u << 29)
#define HW_DESC_SUCCESS (1u << 30)

#define HW_ABSENT 0xFFFFFFFFu /* what a read of nothing returns */

#endif /* PLXM_HW_H */
