/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Fault: writes to the peer's registers are under way for as long as rules of PCI Express allow
 * it, which is until a read follows them on the same path. A link that goes takes them with it. */

#include "plxm_posted.h"
#include "plxm_regs.h"
#include "plxm_rig.h"

static uint64_t
link_downs(const struct plxm_port *p)
{
	return atomic_load(&p->me.nt->count.link_downs);
}

static void
let_arrive(struct plxm_port *p, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		const struct plxm_posted *w = &p->posted.write[i];

		if (w->downs == link_downs(p))
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
	if (!atomic_load_explicit(&p->posted.on, memory_order_relaxed))
		return false;
	pthread_mutex_lock(&p->posted.lock);
	if (p->posted.n == PLXM_POSTED)
		let_arrive(p, 1);
	p->posted.write[p->posted.n++] = (struct plxm_posted){reg, val, link_downs(p)};
	pthread_mutex_unlock(&p->posted.lock);
	return true;
}

void
plxm_posted_push(struct plxm_port *p)
{
	if (!atomic_load_explicit(&p->posted.on, memory_order_relaxed))
		return;
	pthread_mutex_lock(&p->posted.lock);
	let_arrive(p, p->posted.n);
	pthread_mutex_unlock(&p->posted.lock);
}

void
plxm_posted_set(struct plxm_port *p, bool on)
{
	plxm_posted_push(p);
	atomic_store(&p->posted.on, on);
}
