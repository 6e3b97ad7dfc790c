/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "plx_dev.h"
#include "ntb_log.h"

/*
 * A cable that loses its link makes the chip forget its whole Link block. Both ends then program
 * theirs again, each when it notices, and in between every access of the other side is refused. So
 * the link counts as up only once a register of the peer's chip answers over it: its driver lets
 * requests in as the last step, when its inbound memory is in place.
 */

static bool
program_again(struct plx_dev *dev)
{
	plx_stat_inc(dev, PLX_STAT_REPROGRAMS);
	if (plx_chip_program(&dev->chip, true) == 0)
		return true;
	NTB_LOG(ERR, dev->raw.name, "the chip does not take its set-up after a link change");
	return false;
}

static enum ntb_link
down_because(struct plx_dev *dev, enum plx_why why, uint32_t reg)
{
	plx_chip_because(&dev->chip, why, reg);
	return NTB_LINK_DOWN;
}

static void
lose_link(struct plx_dev *dev)
{
	/* acknowledge first: a change from here on is seen by the next call */
	plx_chip_link_ack(&dev->chip);
	if (__atomic_exchange_n(&dev->link, NTB_LINK_DOWN, __ATOMIC_RELAXED) == NTB_LINK_UP) {
		plx_stat_inc(dev, PLX_STAT_LINK_DOWNS);
		NTB_LOG(INFO, dev->raw.name, "link was lost");
	}
	/* stores were lost with the link; after this call, new ones would arrive */
	ntb_queues_link(&dev->q, NTB_LOOK_LOST);
}

static enum ntb_link
update_link(struct plx_dev *dev)
{
	struct plx_chip *c = &dev->chip;
	const struct plx_reason doubt = c->reason;
	struct plx_link_state now;

	plx_chip_link_state(c, &now);
	if (now.gone)
		return down_because(dev, PLX_WHY_GONE, c->virt + PLX_LINK_EVENT);
	if (now.changed)
		lose_link(dev);
	/* not open: the block was reset, with or without an event */
	if (now.changed || !plx_chip_is_open(c)) {
		if (dev->once)
			return down_because(dev, PLX_WHY_ONCE, c->virt + PLX_LNKSTA);
		if (!program_again(dev))
			return down_because(dev, PLX_WHY_REFUSED, c->link + PLX_XLAT(PLX_WIN_DATA));
	}
	if (now.width == 0 && plx_chip_untrained(c))
		return NTB_LINK_DOWN;
	if (!plx_chip_peer_find(c))
		return NTB_LINK_DOWN;
	if (dev->link == NTB_LINK_UP) {
		c->reason = doubt;
		return NTB_LINK_UP;
	}
	/* once a link-up, and never a condition: it uses registers of the peer that no other driver
	 * does */
	if (!(c->io->skips & PLX_SKIP_PROOF)) {
		plx_chip_prove_stores(c);
		plx_chip_payload_check(c);
	}
	/* The link may have come up while the registers above were read. Then its event must be
	 * handled first: after an up, the next call would take it for a loss. */
	plx_chip_link_state(c, &now);
	if (now.changed || now.width == 0)
		return down_because(dev, PLX_WHY_CHANGED, c->virt + PLX_LINK_EVENT);
	return NTB_LINK_UP;
}

/* One line for each reason, not for each look. */
static void
log_link(const struct plx_dev *dev, enum ntb_link link, bool changed, enum plx_why before)
{
	enum plx_why why = dev->chip.reason.why;
	char text[PLX_WHY_SIZE];

	if (why == before && !changed)
		return;
	plx_chip_why_text(&dev->chip, text, sizeof(text));
	if (link == NTB_LINK_UP && why != PLX_WHY_NONE)
		NTB_LOG(WARNING, dev->raw.name, "link up, but %s", text);
	else
		NTB_LOG(INFO, dev->raw.name, "link %s%s",
			link == NTB_LINK_UP ? "up" : "down: ", text);
}

static bool
is_used(const struct plx_dev *dev)
{
	return dev->started || dev->q.open;
}

enum ntb_link
plx_dev_link_update(struct ntb_port *port)
{
	struct plx_dev *dev = plx_dev_of_port(port);
	enum ntb_link link = NTB_LINK_DOWN, before;
	enum plx_why why;
	bool changed;

	pthread_mutex_lock(&dev->lock);
	why = dev->chip.reason.why;
	if (is_used(dev))
		link = update_link(dev);
	ntb_queues_link(&dev->q, link == NTB_LINK_UP ? NTB_LOOK_UP : NTB_LOOK_DOWN);
	before = __atomic_exchange_n(&dev->link, link, __ATOMIC_RELAXED);
	changed = (before == NTB_LINK_UP) != (link == NTB_LINK_UP);
	if (changed)
		plx_stat_inc(dev, link == NTB_LINK_UP ? PLX_STAT_LINK_UPS : PLX_STAT_LINK_DOWNS);
	if (is_used(dev))
		log_link(dev, link, changed, why);
	pthread_mutex_unlock(&dev->lock);
	return link;
}

void
plx_dev_why(struct ntb_port *port, char *text, size_t size)
{
	struct plx_dev *dev = plx_dev_of_port(port);
	struct plx_chip *c = &dev->chip;

	pthread_mutex_lock(&dev->lock);
	/* a poll that finds no lanes looks no further */
	if (dev->link != NTB_LINK_UP && !plx_chip_untrained(c) && !is_used(dev))
		plx_chip_because(c, PLX_WHY_STOPPED, c->virt + PLX_LNKSTA);
	plx_chip_why_text(c, text, size);
	pthread_mutex_unlock(&dev->lock);
}
