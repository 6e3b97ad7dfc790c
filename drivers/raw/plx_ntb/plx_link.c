/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "plx_dev.h"
#include "plx_log.h"

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
	PLX_LOG(ERR, dev->name, "the chip does not take its set-up after a link change");
	return false;
}

static enum ntb_link
update_link(struct plx_dev *dev)
{
	struct plx_link_state now;

	plx_chip_link_state(&dev->chip, &now);
	if (now.gone)
		return NTB_LINK_DOWN;
	if (now.changed) {
		/* acknowledge first: a change from here on is seen by the next call */
		plx_chip_link_ack(&dev->chip);
		if (__atomic_exchange_n(&dev->link, NTB_LINK_DOWN, __ATOMIC_RELAXED) ==
		    NTB_LINK_UP) {
			plx_stat_inc(dev, PLX_STAT_LINK_DOWNS);
			PLX_LOG(INFO, dev->name, "link was lost");
		}
		/* stores were lost with the link; after this call, new ones would arrive */
		dev->on_link(dev, NTB_LOOK_LOST);
	}
	/* not open: the block was reset, with or without an event */
	if ((now.changed || !plx_chip_is_open(&dev->chip)) && (dev->once || !program_again(dev)))
		return NTB_LINK_DOWN;
	if (now.width == 0 || !plx_chip_peer_find(&dev->chip))
		return NTB_LINK_DOWN;
	/* proved once a link-up: it writes a register of the peer */
	if (dev->link != NTB_LINK_UP) {
		if (plx_chip_peer_is_own(&dev->chip))
			return NTB_LINK_LOOP;
		if (!plx_chip_stores_arrive(&dev->chip))
			return NTB_LINK_DOWN;
		plx_chip_payload_check(&dev->chip);
		/* The link may have come up while the registers above were read. Then its event
		 * must be handled first: after an up, the next call would take it for a loss. */
		plx_chip_link_state(&dev->chip, &now);
		if (now.changed || now.width == 0)
			return NTB_LINK_DOWN;
	}
	return NTB_LINK_UP;
}

static bool
leads_to_itself(const struct plx_dev *dev)
{
	return (plx_peer_virt(&dev->chip, 0) & (PLX_CHIP_SIZE - 1)) == dev->chip.virt;
}

enum ntb_link
plx_dev_link_update(struct plx_dev *dev)
{
	enum ntb_link link = NTB_LINK_DOWN, before;

	pthread_mutex_lock(&dev->lock);
	if (dev->state == PLX_STARTED || dev->q.open)
		link = update_link(dev);
	dev->on_link(dev, link == NTB_LINK_UP ? NTB_LOOK_UP : NTB_LOOK_DOWN);
	before = __atomic_exchange_n(&dev->link, link, __ATOMIC_RELAXED);
	if ((before == NTB_LINK_UP) != (link == NTB_LINK_UP))
		plx_stat_inc(dev, link == NTB_LINK_UP ? PLX_STAT_LINK_UPS : PLX_STAT_LINK_DOWNS);
	pthread_mutex_unlock(&dev->lock);

	if (link == NTB_LINK_LOOP && before != link)
		PLX_LOG(ERR, dev->name,
			"the cable leads back to %s: plug its other end into the next host's "
			"adapter",
			leads_to_itself(dev) ? "this port itself"
					     : "the other NT port of this chip");
	else if ((before == NTB_LINK_UP) != (link == NTB_LINK_UP))
		PLX_LOG(INFO, dev->name, "link %s", link == NTB_LINK_UP ? "up" : "down");
	return link;
}
