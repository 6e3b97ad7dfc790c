/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Noise: writes to the peer's registers that are under way, for a while or until a read follows
 * them on the same path, as the rules of PCI Express allow. A link that goes takes them with it. */

#include "plxm_chip.h"
#include "plxm_path.h"

static void
let_arrive(struct plxm_port *p, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		const struct plxm_posted *w = &p->posted.write[i];

		if (w->downs == plxm_link_downs(p))
			plxm_chip_write(&p->rig, plxm_far(p).chip, w->reg, w->val, 0xFFFFFFFF);
	}
	p->posted.n -= n;
	for (unsigned int i = 0; i < p->posted.n; i++)
		p->posted.write[i] = p->posted.write[i + n];
}

/* @return whether the write is under way now; else it is the caller's. */
bool
plxm_posted_hold(struct plxm_port *p, uint32_t reg, uint32_t val)
{
	uint64_t due = plxm_noise_due(p, PLXM_DRAW_POSTED);
	bool wake;

	if (due == 0)
		return false;
	pthread_mutex_lock(&p->posted.lock);
	if (p->posted.n == PLXM_POSTED)
		let_arrive(p, 1);
	if (p->posted.n != 0 && p->posted.write[p->posted.n - 1].due_ns > due)
		due = p->posted.write[p->posted.n - 1].due_ns;
	atomic_fetch_add_explicit(&p->noise.late, 1, memory_order_relaxed);
	wake = p->posted.n == 0;
	p->posted.write[p->posted.n++] = (struct plxm_posted){reg, val, plxm_link_downs(p), due};
	pthread_mutex_unlock(&p->posted.lock);
	if (wake)
		plxm_noise_wake(p);
	return true;
}

/* Let what is due by then arrive. @return when the next one is due, UINT64_MAX: none by itself */
uint64_t
plxm_posted_arrive(struct plxm_port *p, uint64_t now_ns)
{
	uint64_t next = UINT64_MAX;
	unsigned int n = 0;

	pthread_mutex_lock(&p->posted.lock);
	while (n < p->posted.n && p->posted.write[n].due_ns <= now_ns)
		n++;
	let_arrive(p, n);
	if (p->posted.n != 0)
		next = p->posted.write[0].due_ns;
	pthread_mutex_unlock(&p->posted.lock);
	return next;
}
