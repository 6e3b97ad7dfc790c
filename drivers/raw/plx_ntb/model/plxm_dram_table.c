/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The table of a host's memory in the cable file, which readers copy without the lock. */

#include "plxm_chip.h"

/* An entry as words that may be read while they are written. */
struct __attribute__((may_alias)) word {
	uint64_t w;
};

void
plxm_dram_copy(struct plxm_dram *to, const struct plxm_dram *from)
{
	struct word *d = (struct word *)to;
	const struct word *s = (const struct word *)from;

	for (unsigned int i = 0; i < sizeof(*to) / sizeof(*d); i++)
		__atomic_store_n(&d[i].w, __atomic_load_n(&s[i].w, __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
}

void
plxm_dram_put(struct plxm_nt *nt, unsigned int i, const struct plxm_dram *d)
{
	/* a predecessor may have died between its two steps, hence | 1 */
	uint32_t odd = atomic_load_explicit(&nt->dram_seq, memory_order_relaxed) | 1;

	atomic_store_explicit(&nt->dram_seq, odd, memory_order_relaxed);
	/* pairs with the acquire fence in plxm_dram_get(): a reader of a new word sees odd */
	atomic_thread_fence(memory_order_release);
	plxm_dram_copy(&nt->dram[i], d);
	atomic_store_explicit(&nt->dram_seq, odd + 1, memory_order_release);
}
