/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Accesses to a window BAR, as requests, and what a map of it needs. */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "plxm_chip.h"
#include "plxm_path.h"

int
plxm_win_access(struct plxm_port *p, unsigned int bar, uint64_t off, struct plxm_request rq)
{
	struct plxm_route none = {.cause = PLXM_UR_BAR, .tlp = off};
	uint64_t size = plxm_win_size(p, bar);

	if (!rq.write)
		plxm_late_arrive(p);
	if (off > size || rq.len > size - off) {
		none.rid = rq.rid;
		plxm_refuse(p, &none, rq.write, rq.len);
		if (!rq.write)
			memset(rq.buf, 0xFF, rq.len);
		return -EIO;
	}
	if (rq.write && atomic_load_explicit(&p->cable->mute[p->end], memory_order_relaxed) != 0)
		return 0; /* posted: nobody hears of it */
	if (rq.write && plxm_late_hold(p, bar, off, &rq))
		return 0;
	return plxm_walk(p, bar, off, rq);
}

int
plxm_win_read(struct plxm_port *p, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	return plxm_win_access(
		p, bar, off,
		(struct plxm_request){.buf = buf, .len = len, .rid = p->me.chip->eeprom.host_rid});
}

int
plxm_win_write(struct plxm_port *p, unsigned int bar, uint64_t off, const void *buf, size_t len)
{
	/* buf is only read where the request is a write */
	return plxm_win_access(p, bar, off,
			       (struct plxm_request){.buf = (uint8_t *)(uintptr_t)buf,
						     .len = len,
						     .rid = p->me.chip->eeprom.store_rid,
						     .write = true});
}

void
plxm_sync(struct plxm_port *p)
{
	plxm_late_arrive(p);
	plxm_check(p);
	if (!atomic_load_explicit(&p->dead_window, memory_order_relaxed))
		return;
	pthread_mutex_lock(&p->mu);
	if (p->win.va != NULL && p->win.dead)
		madvise(p->win.va, p->win.size, MADV_DONTNEED);
	pthread_mutex_unlock(&p->mu);
}

int
plxm_win_file(struct plxm_port *p, unsigned int bar, uint64_t off, uint64_t len, int *ret_fd,
	      uint64_t *ret_off)
{
	const struct plxm_win *w = &p->win;
	int ret = -ENOTCONN;

	if (bar != 2 || w->va == NULL)
		return -EINVAL;
	plxm_sync(p);
	pthread_mutex_lock(&p->mu);
	for (unsigned int i = 0; i < w->runs; i++) {
		const struct plxm_run *r = &w->run[i];

		if (r->dram < 0 || off < r->off || off - r->off >= r->len ||
		    len > r->len - (off - r->off))
			continue;
		*ret_fd = p->dram[r->dram].fd;
		*ret_off = r->fd_off + (off - r->off);
		ret = 0;
		break;
	}
	pthread_mutex_unlock(&p->mu);
	return ret;
}
