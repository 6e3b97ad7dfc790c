/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "shn_port.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "shn_path.h"

/* ---- the link ---- */

/* The peer's session where both have started their ports to each other and the peer is alive, else
 * 0. Acquire: pairs with the release in dev_start(); the peer's region is configured. */
static uint64_t
link_session(const struct shn_port *p)
{
	const struct shn_medium *m = p->medium;
	const struct shn_host *peer;
	uint64_t theirs;

	if (atomic_load_explicit(&m->gone, memory_order_relaxed) != NULL)
		return 0;
	shn_beat(p->medium);
	if (atomic_load_explicit(shn_mine(p), memory_order_relaxed) != m->session)
		return 0;
	peer = &m->control->host[p->peer];
	theirs = atomic_load_explicit(&peer->open[m->host], memory_order_acquire);
	if (theirs == 0 || theirs != atomic_load_explicit(&peer->session, memory_order_relaxed))
		return 0;
	return shn_host_alive(p->medium, p->peer) ? theirs : 0;
}

static void
port_why_down(struct ntb_port *port, char *text, size_t size)
{
	const struct shn_port *p = shn_port_of(port);
	struct shn_medium *m = p->medium;
	const char *gone = atomic_load_explicit(&m->gone, memory_order_relaxed);
	const struct shn_host *host;
	uint64_t session;

	text[0] = '\0';
	if (gone != NULL) {
		snprintf(text, size, "%s", gone);
		return;
	}
	host = &m->control->host[p->peer];
	session = atomic_load_explicit(&host->session, memory_order_relaxed);
	if (atomic_load_explicit(shn_mine(p), memory_order_relaxed) != m->session)
		snprintf(text, size, "not started");
	else if (session == 0)
		snprintf(text, size, "nobody holds the place of host %u in %s", p->peer, m->path);
	else if (!shn_host_alive(m, p->peer))
		snprintf(text, size, "host %u is dead: its word stands at %" PRIu64, p->peer,
			 atomic_load_explicit(&host->beat, memory_order_relaxed));
	else if (atomic_load_explicit(&host->open[m->host], memory_order_relaxed) != session)
		snprintf(text, size, "host %u is alive and has not started its port to this host",
			 p->peer);
}

/* One thread of those that see a change counts it. Acquire and release: what was seen of the link
 * when `up` was stored is seen here, too, so a look from before the link came up is no break. */
static bool
look_at_link(struct shn_port *p)
{
	uint64_t was = atomic_load_explicit(&p->up, memory_order_acquire);
	uint64_t now = link_session(p);
	char why[192];

	if (was == now || !atomic_compare_exchange_strong_explicit(
				  &p->up, &was, now, memory_order_release, memory_order_relaxed))
		return now != 0;
	if (was != 0)
		atomic_fetch_add_explicit(&p->breaks, 1, memory_order_relaxed);
	/* so that the peer sees the break too, and neither side opens the link again */
	if (was != 0 && atomic_load_explicit(&p->once, memory_order_relaxed) &&
	    atomic_load_explicit(&p->medium->gone, memory_order_relaxed) == NULL)
		atomic_store_explicit(shn_mine(p), 0, memory_order_relaxed);
	port_why_down(&p->raw.port, why, sizeof(why));
	NTB_LOG(INFO, p->raw.name, "link %s%s", now != 0 ? "up" : "down: ", now != 0 ? "" : why);
	return now != 0;
}

static enum ntb_link
port_link_poll(struct ntb_port *port)
{
	return look_at_link(shn_port_of(port)) ? NTB_LINK_UP : NTB_LINK_DOWN;
}

static uint64_t
port_link_breaks(struct ntb_port *port)
{
	struct shn_port *p = shn_port_of(port);

	(void)look_at_link(p);
	return atomic_load_explicit(&p->breaks, memory_order_relaxed);
}

static void
port_link_once(struct ntb_port *port)
{
	atomic_store_explicit(&shn_port_of(port)->once, true, memory_order_relaxed);
}

/* ---- scratchpads ---- */

static _Atomic uint32_t *
pad_of(const struct shn_port *p, bool mine, unsigned int i)
{
	const struct shn_medium *m = p->medium;

	return mine ? &m->control->host[m->host].pad[p->peer][i]
		    : &m->control->host[p->peer].pad[m->host][i];
}

static uint32_t
port_spad_read(struct ntb_port *port, unsigned int i)
{
	return atomic_load_explicit(pad_of(shn_port_of(port), true, i), memory_order_acquire);
}

static void
port_spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	atomic_store_explicit(pad_of(shn_port_of(port), true, i), v, memory_order_release);
}

static uint32_t
port_peer_spad_read(struct ntb_port *port, unsigned int i)
{
	const struct shn_port *p = shn_port_of(port);

	if (atomic_load_explicit(&p->up, memory_order_relaxed) == 0)
		return UINT32_MAX;
	return atomic_load_explicit(pad_of(p, false, i), memory_order_acquire);
}

static void
port_peer_spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	const struct shn_port *p = shn_port_of(port);

	if (atomic_load_explicit(&p->up, memory_order_relaxed) != 0)
		atomic_store_explicit(pad_of(p, false, i), v, memory_order_release);
}

/* ---- doorbells, which only wake ---- */

/* Both ends have said whether they can be woken before the link was up. Who sleeps goes on to. */
static uint32_t *
port_wake_word(struct ntb_port *port)
{
	struct shn_port *p = shn_port_of(port);
	struct shn_medium *m = p->medium;
	uint32_t bell = m->control->host[p->peer].bell;

	if (m->bell.id != 0 && bell - 1 <= UINT16_MAX)
		p->bell = bell;
	return p->bell == 0 ? NULL : &m->bell.word;
}

static void
port_db_ring(struct ntb_port *port, uint32_t bits)
{
	const struct shn_port *p = shn_port_of(port);

	(void)bits;
	if (p->bell != 0)
		shn_bell_ring(&p->medium->bell, p->bell);
}

/* ---- the window ---- */

/* Coherent memory: what this CPU has stored is there once a full fence is behind it. */
static int
port_flush(struct ntb_port *port, uint64_t off, uint64_t *ret)
{
	atomic_thread_fence(memory_order_seq_cst);
	if (!look_at_link(shn_port_of(port)))
		return -EIO;
	*ret = *(const volatile uint64_t *)((const uint8_t *)port->window + off);
	return 0;
}

static int
port_window_file(struct ntb_port *port, uint64_t off, uint64_t len, int *ret_fd, uint64_t *ret_off)
{
	const struct shn_port *p = shn_port_of(port);

	if (atomic_load_explicit(&p->up, memory_order_relaxed) == 0 || off > port->window_size ||
	    len > port->window_size - off)
		return -ENOTCONN;
	*ret_fd = p->medium->fd;
	*ret_off = shn_region_off(p->medium, p->peer) + off;
	return 0;
}

const struct ntb_port_ops shn_port_ops = {
	.region_align = ntb_rawdev_align,
	.link_poll = port_link_poll,
	.link_breaks = port_link_breaks,
	.spad_read = port_spad_read,
	.spad_write = port_spad_write,
	.peer_spad_read = port_peer_spad_read,
	.peer_spad_write = port_peer_spad_write,
	.flush = port_flush,
	.link_once = port_link_once,
	.why_down = port_why_down,
	.window_file = port_window_file,
	.db_ring = port_db_ring,
	.wake_word = port_wake_word,
};
