/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Doorbells, scratchpads and the interrupt, for data paths. No lock, and no system call unless an
 * unmasked doorbell raises the interrupt. */

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plxm_chip.h"

static void
raise_irq(struct plxm_nt *nt)
{
	atomic_fetch_add(&nt->irq, 1);
	syscall(SYS_futex, &nt->irq, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static bool
db_lost(struct plxm_nt *nt)
{
	uint32_t left = atomic_load_explicit(&nt->db_drop, memory_order_relaxed);

	while (left != 0)
		if (atomic_compare_exchange_weak(&nt->db_drop, &left, left - 1))
			return true;
	return false;
}

static void
db_set(const struct plxm_side *s, unsigned int side, uint32_t bits)
{
	struct plxm_db *db = &s->nt->db[side];
	uint32_t fresh;

	if (bits == 0 || (side == 0 && db_lost(s->nt)))
		return;
	/* Posted writes stay in order: a thread that sees the bit sees the window stores before
	 * it. Pairs with the acquire in plxm_hot_read(). Sequentially consistent because
	 * of the mask below: see db_unmask(). */
	fresh = bits & ~atomic_fetch_or(&db->pending, bits);
	if (side != 0)
		return;
	if (fresh & ~atomic_load(&db->mask))
		raise_irq(s->nt);
}

static void
db_unmask(const struct plxm_side *s, unsigned int side, uint32_t bits)
{
	struct plxm_db *db = &s->nt->db[side];
	uint32_t old = atomic_fetch_and(&db->mask, ~bits);
	/* Either this load sees the bit of a db_set() at the same time, or that one's load of
	 * the mask sees it cleared (both sides: read-modify-write, then load, seq_cst). */
	uint32_t pending = atomic_load(&db->pending);

	if (side == 0 && (pending & old & bits))
		raise_irq(s->nt);
}

/* @p r is HW_DB .. the last scratchpad */
uint32_t
plxm_hot_read(struct plxm_nt *nt, uint32_t r)
{
	struct plxm_db *db = &nt->db[r >= HW_DB + 16];

	if (r >= HW_SPAD)
		return atomic_load_explicit(&nt->spad[(r - HW_SPAD) / 4], memory_order_acquire);
	/* set and clear registers read as the pending bits, both mask registers as the mask */
	if ((r - HW_DB) & 8)
		return atomic_load_explicit(&db->mask, memory_order_relaxed) & HW_DB_BITS;
	/* pairs with db_set(): data stored before the bit was set can be read now */
	return atomic_load_explicit(&db->pending, memory_order_acquire) & HW_DB_BITS;
}

void
plxm_hot_write(const struct plxm_side *s, uint32_t r, uint32_t val)
{
	unsigned int side = r >= HW_DB + 16;
	uint32_t bits = val & HW_DB_BITS;

	if (r >= HW_SPAD) {
		atomic_store_explicit(&s->nt->spad[(r - HW_SPAD) / 4], val, memory_order_release);
		return;
	}
	switch ((r - HW_DB) % 16) {
	case 0:
		db_set(s, side, bits);
		break;
	case 4:
		atomic_fetch_and(&s->nt->db[side].pending, ~bits);
		break;
	case 8:
		atomic_fetch_or(&s->nt->db[side].mask, bits);
		break;
	default:
		db_unmask(s, side, bits);
		break;
	}
}
