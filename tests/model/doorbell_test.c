/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Doorbells, masks, scratchpads and the interrupt. */

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "model_test.h"

enum {
	DB_SET = 0xC4C,
	DB_CLR = 0xC50,
	MASK_SET = 0xC54,
	MASK_CLR = 0xC58,
	SPAD = 0xC6C
};

static struct rig r;

static uint32_t
irqs(void)
{
	return __atomic_load_n(plxm_irq_word(r.p[0]), __ATOMIC_ACQUIRE);
}

static void
test_set_clear(void)
{
	rig_open(&r, MIB, MIB);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_SET), 0);
	rig_write(&r, V0 + DB_SET, 0x8001);
	rig_write(&r, V0 + DB_SET, 0);
	rig_write(&r, V0 + DB_SET, 0x0010);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_SET), 0x8011);
	/* either register reads what is pending */
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_CLR), 0x8011);
	rig_write(&r, V0 + DB_CLR, 0);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_CLR), 0x8011);
	rig_write(&r, V0 + DB_CLR, 0x0011);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_SET), 0x8000);
	rig_write(&r, V0 + DB_SET, 0xFFFF0000); /* sixteen bits only */
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_SET), 0x8000);
	rig_close(&r);
}

static void
test_masks(void)
{
	rig_open(&r, MIB, MIB);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + MASK_SET), 0xFFFF); /* all masked after reset */
	rig_write(&r, V0 + MASK_CLR, 0x00FF);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + MASK_SET), 0xFF00);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + MASK_CLR), 0xFF00);
	rig_write(&r, V0 + MASK_SET, 0x0001);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + MASK_CLR), 0xFF01);
	/* a masked doorbell is pending all the same */
	rig_write(&r, V0 + DB_SET, 1);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_SET), 1);
	rig_close(&r);
}

static void
test_aliases(void)
{
	rig_open(&r, MIB, MIB);
	/* one physical set per side, seen in both blocks of the port */
	rig_write(&r, L0 + DB_SET, 2);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_SET), 2);
	rig_write(&r, V0 + DB_SET + 16, 4);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + DB_SET + 16), 4);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + DB_SET), 2); /* the sides do not mix */
	rig_write(&r, V0 + DB_CLR + 16, 4);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + DB_CLR + 16), 0);
	rig_write(&r, V0 + MASK_CLR + 16, 0xF);
	CU_ASSERT_EQUAL(rig_read(&r, L0 + MASK_SET + 16), 0xFFF0);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + MASK_SET), 0xFFFF);
	for (uint32_t i = 0; i < 8; i++) {
		rig_write(&r, V0 + SPAD + i * 4, 0xFEED0000 + i);
		CU_ASSERT_EQUAL(rig_read(&r, L0 + SPAD + i * 4), 0xFEED0000 + i);
	}
	rig_close(&r);
}

static void
test_level(void)
{
	uint32_t n;

	rig_open(&r, MIB, MIB);
	n = irqs();
	rig_write(&r, V0 + DB_SET, 1);
	CU_ASSERT_EQUAL(irqs(), n); /* masked */
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 4) & (1u << 19), 0);
	rig_write(&r, V0 + MASK_CLR, 3);
	CU_ASSERT_EQUAL(irqs(), n + 1); /* unmasking a pending bit raises the level */
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 4) & (1u << 19), 1u << 19);
	rig_write(&r, V0 + DB_SET, 1);
	CU_ASSERT_EQUAL(irqs(), n + 1); /* pending already */
	rig_write(&r, V0 + DB_SET, 2);
	CU_ASSERT_EQUAL(irqs(), n + 2); /* another bit under INTx */
	rig_write(&r, V0 + DB_CLR, 3);
	CU_ASSERT_EQUAL(rig_read(&r, V0 + 4) & (1u << 19), 0);
	plxm_cfg_write(r.p[0], 4, 0x400, 2); /* INTx disabled */
	rig_write(&r, V0 + DB_SET, 1);
	CU_ASSERT_EQUAL(irqs(), n + 2);
	rig_write(&r, V0 + DB_SET + 16, 1); /* the link's doorbell is not for this host */
	CU_ASSERT_EQUAL(irqs(), n + 2);
	rig_close(&r);
}

static void
test_msi_edge(void)
{
	uint32_t n;

	rig_open(&r, MIB, MIB);
	plxm_cfg_write(r.p[0], 0x4A, 1, 2);
	rig_write(&r, V0 + MASK_CLR, 0xFFFF);
	n = irqs();
	rig_write(&r, V0 + DB_SET, 1);
	CU_ASSERT_EQUAL(irqs(), n); /* an MSI is a memory write: no bus master, no MSI */
	rig_write(&r, V0 + DB_CLR, 1);
	plxm_cfg_write(r.p[0], 4, 4, 2);
	rig_write(&r, V0 + DB_SET, 1);
	CU_ASSERT_EQUAL(irqs(), n + 1);
	rig_write(&r, V0 + DB_SET, 2); /* from non-zero to non-zero: silent */
	CU_ASSERT_EQUAL(irqs(), n + 1);
	rig_write(&r, V0 + DB_CLR, 1); /* partial clear: silent */
	rig_write(&r, V0 + DB_SET, 1);
	CU_ASSERT_EQUAL(irqs(), n + 1);
	rig_write(&r, V0 + DB_CLR, 3);
	rig_write(&r, V0 + DB_SET, 4);
	CU_ASSERT_EQUAL(irqs(), n + 2);
	rig_close(&r);
}

struct sleeper {
	uint32_t *word;
	uint32_t woken, ready;
};

static void *
sleep_on_word(void *arg)
{
	struct sleeper *s = arg;
	uint32_t seen = __atomic_load_n(s->word, __ATOMIC_ACQUIRE);
	struct timespec most = {.tv_sec = 20};

	__atomic_store_n(&s->ready, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(s->word, __ATOMIC_ACQUIRE) == seen) {
		if (syscall(SYS_futex, s->word, FUTEX_WAIT, seen, &most, NULL, 0) != 0 &&
		    errno == ETIMEDOUT) {
			fprintf(stderr, "waited in vain for the interrupt word\n");
			return NULL;
		}
	}
	s->woken = 1;
	return NULL;
}

static void
test_wake(void)
{
	struct sleeper s = {0};
	pthread_t t;

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	s.word = plxm_irq_word(r.p[1]);
	plxm_reg_write(r.p[1], V0 + MASK_CLR, 1u << 14);
	CU_ASSERT_FATAL(pthread_create(&t, NULL, sleep_on_word, &s) == 0);
	CU_ASSERT(wait_word(&s.ready, 1, "the sleeper"));
	peer_write(r.p[0], V0 + DB_SET, 1u << 14);
	pthread_join(t, NULL);
	CU_ASSERT_EQUAL(s.woken, 1);
	rig_close(&r);
}

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

int
main(void)
{
	static const struct test_case cases[] = {
		{"set and clear", test_set_clear},	  {"masks", test_masks},
		{"aliases in both blocks", test_aliases}, {"interrupt is a level", test_level},
		{"MSI is an edge", test_msi_edge},	  {"wake a sleeper", test_wake},
		{"concurrent rings", test_concurrent},
	};

	return run_suite("doorbells", cases, sizeof(cases) / sizeof(cases[0]));
}
