/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Writes to the peer's registers that are under way: by the fault for as long as the rules of PCI
 * Express allow it, which is until a read follows them on the same path, by noise for a while. A
 * link that goes takes them with it. */

#include "plxm_chip.h"
#include "plxm_path.h"

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
	uint64_t due = plxm_noise_due(p, PLXM_DRAW_POSTED);
	bool on = atomic_load_explicit(&p->posted.on, memory_order_relaxed), wake;

	if (!on && due == 0)
		return false;
	pthread_mutex_lock(&p->posted.lock);
	if (p->posted.n == PLXM_POSTED)
		let_arrive(p, 1);
	if (on)
		due = UINT64_MAX;
	else if (p->posted.n != 0 && p->posted.write[p->posted.n - 1].due_ns > due)
		due = p->posted.write[p->posted.n - 1].due_ns;
	if (!on)
		atomic_fetch_add_explicit(&p->noise.late, 1, memory_order_relaxed);
	wake = !on && p->posted.n == 0;
	p->posted.write[p->posted.n++] = (struct plxm_posted){reg, val, link_downs(p), due};
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

void
plxm_posted_push(struct plxm_port *p)
{
	if (atomic_load_explicit(&p->posted.on, memory_order_relaxed) ||
	    atomic_load_explicit(&p->noise.on, memory_order_relaxed))
		plxm_posted_arrive(p, UINT64_MAX);
}

void
plxm_posted_set(struct plxm_port *p, bool on)
{
	plxm_posted_arrive(p, UINT64_MAX);
	atomic_store(&p->posted.on, on);
}
