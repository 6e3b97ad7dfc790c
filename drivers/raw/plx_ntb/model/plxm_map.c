/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Windows as memory: the ways through the chips, resolved into runs, each run one mapping. */

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plxm_chip.h"
#include "plxm_path.h"

/* A process may have 65530 mappings. If a hostile peer needs more runs than this, the rest is dead.
 */
#define RUNS_MAX 4096

struct runs {
	struct plxm_run *run;
	unsigned int n, cap;
	bool no_memory;
};

static bool
grow_runs(struct runs *rs)
{
	unsigned int cap = rs->cap == 0 ? 64 : rs->cap * 2;
	struct plxm_run *run;

	if (rs->cap >= RUNS_MAX)
		return false;
	run = realloc(rs->run, cap * sizeof(*run));
	if (run == NULL) {
		rs->no_memory = true;
		return false;
	}
	rs->run = run;
	rs->cap = cap;
	return true;
}

static void
push_run(struct runs *rs, struct plxm_run r)
{
	struct plxm_run *last = rs->n != 0 ? &rs->run[rs->n - 1] : NULL;

	if (last != NULL && last->dram == r.dram && last->seq == r.seq &&
	    (r.dram < 0 || last->fd_off + last->len == r.fd_off)) {
		last->len += r.len;
		return;
	}
	if (rs->n == rs->cap && !grow_runs(rs)) {
		if (last != NULL) {
			last->len += r.len;
			last->dram = -1;
			last->seq = 0;
		}
		return;
	}
	rs->run[rs->n++] = r;
}

static void
resolve_runs(struct plxm_port *p, struct runs *rs)
{
	bool mute = atomic_load(&p->cable->mute[p->end]) != 0;
	uint64_t size = p->win.size;
	struct plxm_route rt;

	for (uint64_t off = 0; off < size; off += rt.run) {
		struct plxm_run r = {.off = off, .dram = -1};

		plxm_route(p, 2, off, HW_PERM_READ | HW_PERM_WRITE, &rt);
		r.len = rt.run;
		if (rt.kind == PLXM_TO_MEMORY) {
			const struct plxm_peer_dram *d = &p->dram[rt.dram];

			r.dram = (int16_t)rt.dram;
			r.seq = d->seq;
			r.fd_off = d->id.fd_off + rt.addr;
			r.huge = d->align > (uint64_t)sysconf(_SC_PAGESIZE);
			/* a huge page of its own may not be there */
			r.lost = mute && !r.huge;
		}
		push_run(rs, r);
	}
}

static bool
same_run(const struct plxm_run *a, const struct plxm_run *b)
{
	return a->off == b->off && a->len == b->len && a->dram == b->dram && a->seq == b->seq &&
	       (a->dram < 0 || (a->fd_off == b->fd_off && a->lost == b->lost));
}

static bool
had_run(const struct plxm_run *old, unsigned int n, unsigned int *at, const struct plxm_run *r)
{
	while (*at < n && old[*at].off < r->off)
		(*at)++;
	return *at < n && same_run(&old[*at], r);
}

/* Map ones where memory was. Where ones were already, drop stores over them. */
static void
map_dead(struct plxm_win *w, const struct plxm_run *r)
{
	uint64_t end = r->off + r->len;

	for (unsigned int i = 0; i < w->runs; i++) {
		const struct plxm_run *o = &w->run[i];
		uint64_t lo = o->off > r->off ? o->off : r->off;
		uint64_t hi = o->off + o->len < end ? o->off + o->len : end;

		if (lo >= hi)
			continue;
		if (o->dram >= 0)
			plxm_map_ones(w, lo, hi - lo);
		else
			madvise(w->va + lo, hi - lo, MADV_DONTNEED);
	}
}

/* What is stored into a private mapping stays here. -ENOMEM: later, perhaps; it is dead until then.
 */
static int
map_run(struct plxm_port *p, struct plxm_win *w, struct plxm_run *r)
{
	int flags = MAP_FIXED | (r->lost ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED);
	const struct plxm_peer_dram *d = r->dram >= 0 ? &p->dram[r->dram] : NULL;
	bool there = d != NULL && plxm_dram_open(d->fd, &d->id);

	if (there && mmap(w->va + r->off, r->len, PROT_READ | PROT_WRITE, flags, d->fd,
			  (off_t)r->fd_off) != MAP_FAILED)
		return 0;
	if (d == NULL) {
		map_dead(w, r);
		return 0;
	}
	r->dram = -1;
	r->seq = 0;
	plxm_map_ones(w, r->off, r->len);
	return there ? -ENOMEM : 0;
}

/* Replace the mappings that changed. Other threads may be storing: every page goes from the old to
 * the new mapping at once. A mapping of huge pages can only be replaced as a whole, so those that
 * end are covered first. */
static int
apply_runs(struct plxm_port *p, struct plxm_win *w, struct runs *rs)
{
	unsigned int at = 0;
	int rc = 0;

	for (unsigned int i = 0; i < w->runs; i++) {
		const struct plxm_run *r = &w->run[i];

		if (!r->huge || had_run(rs->run, rs->n, &at, r))
			continue;
		/* the pieces that ones come in are smaller than a huge page */
		mmap(w->va + r->off, r->len, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
		plxm_map_ones(w, r->off, r->len);
	}
	at = 0;
	w->dead = true;
	for (unsigned int i = 0; i < rs->n; i++) {
		struct plxm_run *r = &rs->run[i];

		if ((r->dram < 0 || !had_run(w->run, w->runs, &at, r)) && map_run(p, w, r) < 0)
			rc = -ENOMEM;
		if (r->dram >= 0 && !r->lost)
			w->dead = false;
	}
	free(w->run);
	w->run = rs->run;
	w->runs = rs->n;
	return rc;
}

/* Files of huge pages are mapped by whole ones, and the memory of a port has no others. Where a
 * translation says otherwise, all of the run is dead. */
static void
drop_parts(const struct plxm_port *p, struct runs *rs)
{
	for (unsigned int i = 0; i < rs->n; i++) {
		struct plxm_run *r = &rs->run[i];
		uint64_t align = r->dram < 0 ? 1 : p->dram[r->dram].align;

		if (((r->off | r->fd_off | r->len) & (align - 1)) != 0)
			*r = (struct plxm_run){.off = r->off, .len = r->len, .dram = -1};
	}
}

static int
update_window(struct plxm_port *p)
{
	struct runs rs = {0};
	int rc;

	if (p->win.va == NULL)
		return 0;
	resolve_runs(p, &rs);
	if (rs.no_memory) {
		free(rs.run);
		return -ENOMEM;
	}
	drop_parts(p, &rs);
	rc = apply_runs(p, &p->win, &rs);
	atomic_store_explicit(&p->dead_window, p->win.dead, memory_order_relaxed);
	return rc;
}

void
plxm_refresh(struct plxm_port *p)
{
	uint32_t gen;
	int rc;

	pthread_mutex_lock(&p->mu);
	/* pairs with plxm_gen_bump(): the registers read below are at least that new; a change
	 * from here on moves the generation again */
	gen = atomic_load_explicit(&p->cable->gen, memory_order_acquire);
	if (gen != atomic_load_explicit(&p->seen_gen, memory_order_relaxed)) {
		rc = plxm_peer_sync(p);
		atomic_fetch_add_explicit(&p->remaps, 1, memory_order_relaxed);
		/* short of memory: the next access tries again */
		if (update_window(p) == 0 && rc == 0)
			atomic_store_explicit(&p->seen_gen, gen, memory_order_release);
	}
	pthread_mutex_unlock(&p->mu);
}

void *
plxm_win_map(struct plxm_port *p, unsigned int bar, uint64_t *len)
{
	struct plxm_win *w = &p->win;
	void *va;

	if (bar != 2)
		return NULL;
	pthread_mutex_lock(&p->mu);
	if (w->va == NULL && plxm_reserve(w) == 0)
		/* any other value makes the refresh below look at the new window */
		atomic_fetch_sub(&p->seen_gen, 1);
	va = w->va;
	pthread_mutex_unlock(&p->mu);
	plxm_refresh(p);
	if (va != NULL && len != NULL)
		*len = w->size;
	return va;
}
