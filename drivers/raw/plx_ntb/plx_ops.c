/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>

#include <rte_atomic.h>
#include <rte_branch_prediction.h>
#include <rte_common.h>

#include "plx_dev.h"

/*
 * The calls of struct ntb_port. Own registers are reached directly, the peer's through the
 * register window, where plx_chip_peer_find() found them.
 */

static void
port_db_ring(struct ntb_port *port, uint32_t bits)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	/* Posted writes of one path stay in order, but stores to a write-combining window may
	 * still sit in the CPU: push them out before the doorbell overtakes them. */
	rte_wmb();
	plx_peer_write32(dev->io, plx_peer_virt(&dev->chip, PLX_DB_SET), bits & PLX_DB_BITS);
	plx_stat_inc(dev, PLX_STAT_DB_RUNG);
}

static uint32_t
port_db_read(struct ntb_port *port)
{
	struct plx_dev *dev = plx_dev_of_port(port);
	uint32_t bits = plx_virt_read(&dev->chip, PLX_DB_SET);

	/* a chip that is gone has rung no doorbell; its upper half is never set else */
	return unlikely(bits == PLX_GONE) ? 0 : bits & PLX_DB_BITS;
}

static void
port_db_clear(struct ntb_port *port, uint32_t bits)
{
	plx_virt_write(&plx_dev_of_port(port)->chip, PLX_DB_CLEAR, bits & PLX_DB_BITS);
}

static void
port_db_unmask(struct ntb_port *port, uint32_t bits)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	plx_virt_write(&dev->chip, PLX_DB_MASK_SET, ~bits & PLX_DB_BITS);
	plx_virt_write(&dev->chip, PLX_DB_MASK_CLEAR, bits & PLX_DB_BITS);
}

static uint32_t
port_spad_read(struct ntb_port *port, unsigned int i)
{
	return plx_virt_read(&plx_dev_of_port(port)->chip, PLX_SPAD(i));
}

static void
port_spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	plx_virt_write(&plx_dev_of_port(port)->chip, PLX_SPAD(i), v);
}

static uint32_t
port_peer_spad_read(struct ntb_port *port, unsigned int i)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	return plx_peer_read32(dev->io, plx_peer_virt(&dev->chip, PLX_SPAD(i)));
}

static void
port_peer_spad_write(struct ntb_port *port, unsigned int i, uint32_t v)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	rte_wmb(); /* as for a doorbell: the word often announces data in the window */
	plx_peer_write32(dev->io, plx_peer_virt(&dev->chip, PLX_SPAD(i)), v);
}

static uint64_t
port_region_align(struct ntb_port *port, uint64_t len)
{
	return plx_chip_align(&plx_dev_of_port(port)->chip, len);
}

static int
port_flush(struct ntb_port *port, uint64_t off, uint64_t *ret)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	plx_stat_inc(dev, PLX_STAT_FLUSHES);
	plx_io_sync(dev->io);
	rte_mb();
	/* The read must go to the peer's memory, not to its registers: only then the answer comes
	 * after all earlier writes to that memory. */
	*ret = __atomic_load_n((const volatile uint64_t *)RTE_PTR_ADD(port->window, off),
			       __ATOMIC_RELAXED);
	if (likely(*ret != UINT64_MAX))
		return 0;
	/* all ones: legal data, or a dead link, or a dead host */
	if (plx_chip_peer_takes(&dev->chip))
		return 0;
	plx_stat_inc(dev, PLX_STAT_FLUSH_FAILURES);
	return -EIO;
}

static enum ntb_link
port_link_poll(struct ntb_port *port)
{
	struct plx_dev *dev = plx_dev_of_port(port);
	enum ntb_link link = __atomic_load_n(&dev->link, __ATOMIC_RELAXED);
	struct plx_link_state now;

	plx_chip_link_state(&dev->chip, &now);
	if (likely(!now.changed && (link == NTB_LINK_UP) == (now.width != 0)))
		return link;
	return plx_dev_link_update(port);
}

static uint64_t
port_link_breaks(struct ntb_port *port)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	/* also in the ones of a chip that is gone */
	if (unlikely(plx_virt_read(&dev->chip, PLX_LINK_EVENT) & PLX_LINK_EVENT_CHANGE))
		(void)plx_dev_link_update(port);
	return __atomic_load_n(&dev->stats[PLX_STAT_LINK_DOWNS], __ATOMIC_RELAXED);
}

static void
port_link_once(struct ntb_port *port)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	pthread_mutex_lock(&dev->lock);
	dev->once = true;
	pthread_mutex_unlock(&dev->lock);
}

static uint32_t *
port_wake_word(struct ntb_port *port)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	return dev->io->emu == NULL ? NULL : dev->io->emu->wake_word(dev->io);
}

static int
port_window_file(struct ntb_port *port, uint64_t off, uint64_t len, int *ret_fd, uint64_t *ret_off)
{
	struct plx_dev *dev = plx_dev_of_port(port);

	if (dev->io->emu == NULL)
		return -ENOTSUP;
	return dev->io->emu->win_file(dev->io, off, len, ret_fd, ret_off);
}

void
plx_ops_fill(struct ntb_port *port, struct ntb_port_ops *ops, uint32_t lacks)
{
	*ops = (struct ntb_port_ops){
		.region_align = port_region_align,
		.link_poll = port_link_poll,
		.link_breaks = port_link_breaks,
		.link_once = port_link_once,
		.why_down = plx_dev_why,
	};
	if (!(lacks & PLX_LACKS_DOORBELLS)) {
		port->db_count = PLX_DB_COUNT;
		ops->db_ring = port_db_ring;
		ops->db_read = port_db_read;
		ops->db_clear = port_db_clear;
		ops->db_unmask = port_db_unmask;
		ops->wake_word = port_wake_word;
	}
	if (!(lacks & PLX_LACKS_SPADS)) {
		port->spad_count = PLX_SPAD_COUNT;
		ops->spad_read = port_spad_read;
		ops->spad_write = port_spad_write;
		ops->peer_spad_read = port_peer_spad_read;
		ops->peer_spad_write = port_peer_spad_write;
	}
	if (!(lacks & PLX_LACKS_FLUSH))
		ops->flush = port_flush;
	if (!(lacks & PLX_LACKS_FILES))
		ops->window_file = port_window_file;
}
