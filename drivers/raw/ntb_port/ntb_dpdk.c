/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/*
 * Ports of DPDK's own driver raw_ntb, which serves the NTBs of Intel's Xeons. Of that driver only
 * the first window is used, which is BAR2 of the function: its API moves mbufs, and has no call for
 * doorbells.
 *
 * The driver says that the link is up once both drivers have been probed. The peer's window may
 * lead nowhere then, because it is translated by the peer's configure. So a port that is configured
 * and started shows its peer a word in the scratchpad that the driver leaves to users: a number of
 * its own, and the number that it has seen of the peer. The link is up once the peer has seen this
 * side's number. So what a process that was killed has left there does not count, and a peer that
 * is another process now has another number. The words go when a side stops, since the driver
 * clears its scratchpads then.
 *
 * The driver learns from doorbells that the peer has stopped, and from nothing that a cable is
 * lost: the port reads the state of the link itself. It also sets the windows itself. The driver
 * has no memory to show, and so touches neither (ntb_intel.h).
 */

/* what a driver does with its interrupts is not yet of DPDK's stable interface in 22.11 */
#define ALLOW_EXPERIMENTAL_API

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bus_pci_driver.h>
#include <rte_atomic.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_interrupts.h>
#include <rte_log.h>
#include <rte_pmd_ntb.h>
#include <rte_random.h>
#include <rte_rawdev.h>
#include <rte_string_fns.h>

#include "ntb_intel.h"
#include "ntb_provider.h"
#include "rte_pmd_ntb_port.h"

RTE_LOG_REGISTER(ntb_dpdk_logtype, pmd.raw.ntb_port, NOTICE);

#define LOG(level, d, fmt, ...)                                                               \
	rte_log(RTE_LOG_##level, ntb_dpdk_logtype, "NTB_PORT: %s: " fmt "\n", (d)->pci->name, \
		##__VA_ARGS__)

#define WORD "spad_user_0"
#define LINK "the link's status"

enum {
	BAR = 2,
	/* the word: a mark, the number of the side that writes it, the one that it has seen */
	MARK = 0xb7,
	MARK_SHIFT = 24,
	NUMBER_SHIFT = 12,
	NUMBER_MASK = 0xfff, /* never 0 */
	PER_SECOND = 1000,
};

struct dpdk_port {
	struct ntb_port port;
	uint64_t bus, len; /* of the region */
	const struct rte_pci_device *pci;
	pthread_mutex_t lock; /* link_poll is called by any thread; guards what follows */
	bool enabled;	      /* configured, and started by the user */
	bool started;	      /* the rawdev too, at some time */
	bool stopped;	      /* the rawdev, which then takes no interrupt any more */
	bool met;	      /* the drivers have shaken hands */
	bool shut;	      /* the peer's driver has stopped, and there is no other one yet */
	const char *why;      /* the link is down; NULL: it is up */
	const char *reads;    /* what says so */
	uint32_t value;	      /* of that */
	uint32_t number;      /* of this side */
	uint32_t peer;	      /* that of the peer while the link is up, else 0 */
	uint32_t up;	 /* relaxed atomic: the link has been up and is not known to have broken */
	uint64_t breaks; /* relaxed atomic */
	uint64_t asked;	 /* relaxed atomic: TSC of the last look by port_link_breaks() */
};

static struct dpdk_port *ports[RTE_RAWDEV_MAX_DEVS];

static struct dpdk_port *
dpdk_port_of(struct ntb_port *port)
{
	return container_of(port, struct dpdk_port, port);
}

static uint64_t
get_attribute(const struct dpdk_port *d, const char *name)
{
	uint64_t v = 0;

	return rte_rawdev_get_attr(d->port.dev_id, name, &v) < 0 ? 0 : v;
}

/* The chip compares addresses with the base of the BAR bit by bit. */
static uint64_t
port_region_align(struct ntb_port *port, uint64_t len)
{
	(void)len;
	return port->window_size;
}

/* An INTx is masked by the kernel as it comes (uio_pci_generic, or vfio-pci with
 * --vfio-intr=legacy), and the driver never unmasks it: its second doorbell would not be heard. Of
 * other kinds the driver needs nothing. */
static void
unmask_interrupt(const struct dpdk_port *d)
{
	enum rte_intr_handle_type type = rte_intr_type_get(d->pci->intr_handle);

	if (type == RTE_INTR_HANDLE_UIO_INTX || type == RTE_INTR_HANDLE_VFIO_LEGACY)
		(void)rte_intr_ack(d->pci->intr_handle);
}

static void
lose_link(struct dpdk_port *d)
{
	if (__atomic_exchange_n(&d->up, 0, __ATOMIC_RELAXED) != 0)
		__atomic_fetch_add(&d->breaks, 1, __ATOMIC_RELAXED);
}

static void
look_at_link(struct dpdk_port *d)
{
	bool changed = ntb_intel_changed(d->pci);
	uint32_t status;

	if (__atomic_load_n(&d->up, __ATOMIC_RELAXED) != 0 &&
	    (changed || get_attribute(d, NTB_LINK_STATUS_NAME) == 0 ||
	     !ntb_intel_link(d->pci, &status)))
		lose_link(d);
}

/* Each flush asks for the breaks. To unmask is a read and a write of configuration space, by two
 * system calls, and the driver finds its attributes by their names: no more than PER_SECOND of
 * both. To see a stop that much later does no harm: until then a flush reads ones, and another
 * process, the only one that can start the port again, takes longer to come up. */
static uint64_t
port_link_breaks(struct ntb_port *port)
{
	struct dpdk_port *d = dpdk_port_of(port);
	uint64_t now = rte_rdtsc();

	if (now - __atomic_load_n(&d->asked, __ATOMIC_RELAXED) > rte_get_tsc_hz() / PER_SECOND) {
		__atomic_store_n(&d->asked, now, __ATOMIC_RELAXED);
		unmask_interrupt(d);
		look_at_link(d);
	}
	return __atomic_load_n(&d->breaks, __ATOMIC_RELAXED);
}

/* Tell the peer this side's number, and the one that is seen of it. True: it has seen this one. */
static bool
exchange_numbers(struct dpdk_port *d, uint32_t *ret_peer, uint32_t *ret_word)
{
	uint32_t theirs = *ret_word = (uint32_t)get_attribute(d, WORD);
	uint32_t peer = theirs >> NUMBER_SHIFT & NUMBER_MASK;
	uint32_t mine = (uint32_t)MARK << MARK_SHIFT | d->number << NUMBER_SHIFT;

	*ret_peer = theirs >> MARK_SHIFT == MARK ? peer : 0;
	/* again and again: a write is lost before the peer's chip can be reached */
	return rte_rawdev_set_attr(d->port.dev_id, WORD, mine | *ret_peer) == 0 && *ret_peer != 0 &&
	       (theirs & NUMBER_MASK) == d->number;
}

/* The windows are shut once the peer's driver has stopped, until there is another one. @return
 * whether this one has met it. */
static bool
follow_driver(struct dpdk_port *d)
{
	bool met = get_attribute(d, NTB_LINK_STATUS_NAME) != 0;

	if (d->met && !met) {
		ntb_intel_shut(d->pci);
		d->shut = true;
	} else if (d->shut && met) {
		ntb_intel_open(d->pci, d->bus, d->len);
		d->shut = false;
	}
	d->met = met;
	return met;
}

static enum ntb_link
down_because(struct dpdk_port *d, const char *why, const char *reads, uint32_t value)
{
	d->why = why;
	d->reads = reads;
	d->value = value;
	return NTB_LINK_DOWN;
}

static enum ntb_link
update_link(struct dpdk_port *d)
{
	uint32_t peer, word, status;
	bool seen, met, trained;

	unmask_interrupt(d);
	look_at_link(d);
	trained = ntb_intel_link(d->pci, &status);
	if (!d->enabled)
		return down_because(d, d->stopped ? "stopped, for this process" : "not started",
				    LINK, status);
	met = follow_driver(d);
	if (d->shut)
		return down_because(d, "the peer's driver has stopped", NTB_LINK_STATUS_NAME, 0);
	/* before the drivers have shaken hands as well: a driver whose peer was killed does not do
	 * that again, and its port learns by the number */
	seen = exchange_numbers(d, &peer, &word);
	if (__atomic_load_n(&d->up, __ATOMIC_RELAXED) != 0 && peer != d->peer)
		lose_link(d);
	d->peer = peer;
	if (!trained)
		return down_because(d, "no training: no cable, or no driver at its other end", LINK,
				    status);
	if (!met)
		return down_because(d,
				    "trained, and the peer's driver is not heard: none there, "
				    "or no interrupts here",
				    NTB_LINK_STATUS_NAME, 0);
	if (!seen)
		return down_because(d, "trained, and no program at the other end sees this one",
				    WORD, word);
	/* a link that has come since the look above is no break */
	if (__atomic_load_n(&d->up, __ATOMIC_RELAXED) == 0)
		(void)ntb_intel_changed(d->pci);
	/* the driver refuses to start before its handshake, and does not stop what is not started
	 */
	if (!d->started && rte_rawdev_start(d->port.dev_id) < 0)
		return down_because(d, "the driver does not start", LINK, status);
	d->started = true;
	d->why = NULL;
	__atomic_store_n(&d->up, 1, __ATOMIC_RELAXED);
	return NTB_LINK_UP;
}

static void
print_why(const struct dpdk_port *d, char *text, size_t size)
{
	if (d->why == NULL)
		text[0] = '\0';
	else
		snprintf(text, size, "%s (%s reads 0x%08x)", d->why, d->reads, d->value);
}

static enum ntb_link
port_link_poll(struct ntb_port *port)
{
	struct dpdk_port *d = dpdk_port_of(port);
	const char *before;
	enum ntb_link link;
	char text[192];

	pthread_mutex_lock(&d->lock);
	before = d->why;
	link = update_link(d);
	print_why(d, text, sizeof(text));
	if (d->why != before) /* for each reason, not for each look */
		LOG(INFO, d, "link %s%s", link == NTB_LINK_UP ? "up" : "down: ", text);
	pthread_mutex_unlock(&d->lock);
	return link;
}

static void
port_why_down(struct ntb_port *port, char *text, size_t size)
{
	struct dpdk_port *d = dpdk_port_of(port);

	pthread_mutex_lock(&d->lock);
	print_why(d, text, size);
	pthread_mutex_unlock(&d->lock);
}

static const struct ntb_port_ops dpdk_ops = {
	.region_align = port_region_align,
	.link_poll = port_link_poll,
	.link_breaks = port_link_breaks,
	.why_down = port_why_down,
};

/* The driver asks the EAL for such a mapping. A UIO device gets it where the kernel has a file for
 * it, and vfio has none. */
static bool
is_combining(const struct rte_pci_device *pci)
{
	char path[PATH_MAX];

	if (pci->kdrv != RTE_PCI_KDRV_UIO_GENERIC && pci->kdrv != RTE_PCI_KDRV_IGB_UIO)
		return false;
	snprintf(path, sizeof(path), "%s/%s/resource%d_wc", rte_pci_get_sysfs_path(), pci->name,
		 BAR);
	return access(path, F_OK) == 0;
}

static struct dpdk_port *
make_port(uint16_t dev_id, const struct rte_rawdev_info *dev)
{
	const struct rte_pci_device *pci =
		container_of(dev->device, const struct rte_pci_device, device);
	const struct rte_mem_resource *bar = &pci->mem_resource[BAR];
	struct dpdk_port *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	d->pci = pci;
	if (bar->addr == NULL || bar->len == 0 || pci->mem_resource[0].addr == NULL) {
		LOG(ERR, d, "BAR%d, the window, or BAR0, its registers, are not mapped", BAR);
		free(d);
		return NULL;
	}
	d->port = (struct ntb_port){
		.ops = &dpdk_ops,
		.setting = "the NTB's BAR 2/3 in the firmware's set-up to a power of two",
		.window = bar->addr,
		.window_size = bar->len,
		.window_iova = bar->phys_addr,
		.dev_id = dev_id,
		.caps = is_combining(pci) ? NTB_CAP_WINDOW_WC : 0,
	};
	pthread_mutex_init(&d->lock, NULL);
	d->number = (uint32_t)rte_rand_max(NUMBER_MASK) + 1;
	ntb_intel_shut(pci);
	ntb_intel_enable(pci);
	(void)update_link(d);
	return d;
}

static int
dpdk_info_get(uint16_t dev_id, struct ntb_port_info *ret_info)
{
	struct rte_rawdev_info dev = {0};
	struct dpdk_port *d;

	if (dev_id >= RTE_DIM(ports) || rte_rawdev_info_get(dev_id, &dev, 0) != 0)
		return -ENODEV;
	if (ports[dev_id] == NULL)
		ports[dev_id] = make_port(dev_id, &dev);
	d = ports[dev_id];
	if (d == NULL)
		return -ENODEV;
	ret_info->port = &d->port;
	ret_info->window_align = d->port.window_size;
	ret_info->window_size = d->port.window_size;
	strlcpy(ret_info->location, d->pci->name, sizeof(ret_info->location));
	return 0;
}

static int
dpdk_configure(uint16_t dev_id, const struct ntb_port_config *conf)
{
	struct dpdk_port *d = ports[dev_id];
	const uint64_t size = d->port.window_size;
	struct ntb_dev_config none = {.mz_num = 0};
	struct rte_rawdev_info dev = {.dev_private = &none};

	if (d->stopped) {
		LOG(ERR, d,
		    "raw_ntb takes no interrupt after a stop: only a new process can start it");
		return -ENOTSUP;
	}
	if (conf->va == NULL || conf->len == 0 || conf->iova + conf->len < conf->iova ||
	    (conf->iova & (size - 1)) != 0) {
		LOG(ERR, d,
		    "inbound region %p + 0x%" PRIx64 " at bus 0x%" PRIx64
		    ": want memory that is aligned to the window, 0x%" PRIx64,
		    conf->va, conf->len, conf->iova, size);
		return -EINVAL;
	}
	pthread_mutex_lock(&d->lock);
	d->bus = conf->iova;
	d->len = RTE_MIN(conf->len, size);
	if (d->enabled)
		ntb_intel_open(d->pci, d->bus, d->len);
	pthread_mutex_unlock(&d->lock);
	/* without queues and memory, the driver only offers itself to the peer */
	return rte_rawdev_configure(dev_id, &dev, sizeof(none));
}

static int
dpdk_start(uint16_t dev_id)
{
	struct dpdk_port *d = ports[dev_id];

	if (d->len == 0 || d->stopped)
		return -EINVAL;
	pthread_mutex_lock(&d->lock);
	ntb_intel_open(d->pci, d->bus, d->len);
	d->enabled = true;
	pthread_mutex_unlock(&d->lock);
	return 0;
}

static void
dpdk_stop(uint16_t dev_id)
{
	struct dpdk_port *d = ports[dev_id];

	pthread_mutex_lock(&d->lock);
	d->enabled = false;
	unmask_interrupt(d); /* the peer agrees by a doorbell */
	look_at_link(d);
	/* what was stored last must not be lost with the link: the read returns after it arrived */
	rte_mb();
	if (__atomic_exchange_n(&d->up, 0, __ATOMIC_RELAXED) != 0)
		(void)*(volatile const uint32_t *)d->port.window;
	ntb_intel_shut(d->pci);
	/* waits for the peer's driver to agree, a second at most */
	if (d->started && !d->stopped)
		rte_rawdev_stop(dev_id);
	d->stopped = d->started;
	(void)update_link(d);
	pthread_mutex_unlock(&d->lock);
}

static int
dpdk_close(uint16_t dev_id)
{
	ntb_intel_shut(ports[dev_id]->pci); /* no translation survives its memory */
	free(ports[dev_id]);
	ports[dev_id] = NULL;
	return rte_rawdev_close(dev_id);
}

const struct ntb_provider ntb_dpdk_provider = {
	.info_get = dpdk_info_get,
	.configure = dpdk_configure,
	.start = dpdk_start,
	.stop = dpdk_stop,
	.close = dpdk_close,
};
