/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Doorbells, masks, scratchpads and the interrupt. */

#include <pthread.h>

#include "model_test.h"

enum {
	DB_SET = 0xC4C,
	DB_CLR = 0xC50,
	MASK_SET = 0xC54,
	MASK_CLR = 0xC58,
	SPAD = 0xC6C,
};

static struct rig r;

static const struct script scripts[] = {
	/* either register reads what is pending; sixteen bits only */
	SCRIPT("set and clear", MIB, MIB, false, {RD, V0 + DB_SET, 0}, {WR, V0 + DB_SET, 0x8001},
	       {WR, V0 + DB_SET, 0}, {WR, V0 + DB_SET, 0x0010}, {RD, V0 + DB_SET, 0x8011},
	       {RD, V0 + DB_CLR, 0x8011}, {WR, V0 + DB_CLR, 0}, {RD, V0 + DB_CLR, 0x8011},
	       {WR, V0 + DB_CLR, 0x0011}, {RD, V0 + DB_SET, 0x8000}, {WR, V0 + DB_SET, 0xFFFF0000},
	       {RD, V0 + DB_SET, 0x8000}),
	/* all are masked after reset; a masked doorbell is pending all the same */
	SCRIPT("masks", MIB, MIB, false, {RD, V0 + MASK_SET, 0xFFFF}, {WR, V0 + MASK_CLR, 0x00FF},
	       {RD, V0 + MASK_SET, 0xFF00}, {RD, V0 + MASK_CLR, 0xFF00}, {WR, V0 + MASK_SET, 1},
	       {RD, V0 + MASK_CLR, 0xFF01}, {WR, V0 + DB_SET, 1}, {RD, V0 + DB_SET, 1}),
	/* one physical set per side, seen in both blocks of the port; the sides do not mix */
	SCRIPT("aliases in both blocks", MIB, MIB, false, {WR, L0 + DB_SET, 2},
	       {RD, V0 + DB_SET, 2}, {WR, V0 + DB_SET + 16, 4}, {RD, L0 + DB_SET + 16, 4},
	       {RD, V0 + DB_SET, 2}, {WR, V0 + DB_CLR + 16, 4}, {RD, L0 + DB_CLR + 16, 0},
	       {WR, V0 + MASK_CLR + 16, 0xF}, {RD, L0 + MASK_SET + 16, 0xFFF0},
	       {RD, V0 + MASK_SET, 0xFFFF}, {WR, V0 + SPAD, 0xFEED0000},
	       {WR, V0 + SPAD + 28, 0xFEED0007}, {RD, L0 + SPAD, 0xFEED0000},
	       {RD, L0 + SPAD + 28, 0xFEED0007}),
	/* masked; unmasking a pending bit; pending already; another bit; the link's doorbell is not
	 * for this host */
	SCRIPT("interrupt", MIB, MIB, false, {WR, V0 + DB_SET, 1}, {RAISED, 0, 0},
	       {WR, V0 + MASK_CLR, 3}, {RAISED, 0, 1}, {WR, V0 + DB_SET, 1}, {RAISED, 0, 1},
	       {WR, V0 + DB_SET, 2}, {RAISED, 0, 2}, {WR, V0 + DB_SET + 16, 1}, {RAISED, 0, 2}),
	SCRIPT("ring the peer, and lose it", MIB, MIB, true, {WRP, V0 + DB_SET, 0x8001},
	       {RD1, V0 + DB_SET, 0x8001}, {RD, V0 + DB_SET, 0}, {WR1, V0 + DB_CLR, 0xFFFF},
	       {FAULT1, PLXM_FAULT_DB_DROP, 2}, {WRP, V0 + DB_SET, 1}, {WRP, V0 + DB_SET, 2},
	       {RD1, V0 + DB_SET, 0}, {WRP, V0 + DB_SET, 4}, {RD1, V0 + DB_SET, 4}),
};

RUN_SCRIPTS(scripts)

#define RINGS 20000

static void *
ring_bits(void *arg)
{
	uint32_t bit = *(uint32_t *)arg;

	for (unsigned int i = 0; i < RINGS; i++)
		peer_write(r.p[0], V0 + DB_SET, bit);
	return NULL;
}

/* Threads ring different bits while the owner clears: no bit may be lost to another's. */
static void
test_concurrent(void)
{
	static uint32_t bit[3] = {1, 2, 0x8000};
	pthread_t t[3];
	uint32_t seen = 0;

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	for (unsigned int i = 0; i < 3; i++)
		CU_ASSERT_FATAL(pthread_create(&t[i], NULL, ring_bits, &bit[i]) == 0);
	for (unsigned int i = 0; i < RINGS; i++) {
		uint32_t pending = plxm_reg_read(r.p[1], V0 + DB_SET);

		seen |= pending;
		plxm_reg_write(r.p[1], V0 + DB_CLR, pending & 3);
	}
	for (unsigned int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	seen |= plxm_reg_read(r.p[1], V0 + DB_SET);
	CU_ASSERT_EQUAL(seen, 0x8003);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], V0 + DB_SET) & 0x8000, 0x8000);
	rig_close(&r);
}

TEST_PROGRAM("doorbells", NULL, NULL, {"scripts", test_scripts},
	     {"concurrent rings", test_concurrent})
