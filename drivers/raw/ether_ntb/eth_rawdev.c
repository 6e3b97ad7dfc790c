/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bus_vdev_driver.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_hash_crc.h>
#include <rte_kvargs.h>
#include <rte_mbuf.h>
#include <rte_string_fns.h>

#include "eth_port.h"

#define HELP "iface=INTERFACE or port=ETHDEV[,mtu=1500..9000][,key=WORD]"

enum {
	WINDOW = 1ull << 38, /* addresses only */
	PACKETS = 1024,	     /* buffers of a port: two rings' */
	CACHE = 64,	     /* of an lcore: those used last are in the CPU's caches */
	RING = 512,
	MTU_LEAST = 1500,
	MTU_MOST = 9000,
	/* a frame of a packet socket, with the kernel's own head, and up to which MTU */
	SMALL_MTU = 1900,
	SMALL_FRAME = 2048,
	LARGE_FRAME = 16384,
	DRAIN_NS = 1000000000,
};

static struct eth_port *
eth_of(struct ntb_rawdev *r)
{
	return container_of(r, struct eth_port, raw);
}

/* ---- the ethdev ---- */

/* A packet socket on a network interface. */
static int
open_iface(struct eth_port *p)
{
	struct ifreq req;
	char args[128];
	int ret;

	if (p->iface[0] == '\0' || rte_eth_dev_get_port_by_name(p->device, &p->dev) == 0)
		return 0;
	ret = eth_iface_ask(p->iface, SIOCGIFMTU, &req);
	if (ret == 0 && p->mtu == 0)
		p->mtu = RTE_MIN((uint32_t)req.ifr_mtu, (uint32_t)MTU_MOST);
	snprintf(args, sizeof(args), "iface=%s%s", p->iface,
		 p->mtu > SMALL_MTU ? ",blocksz=65536,framesz=16384,framecnt=512" : "");
	if (ret == 0)
		ret = rte_vdev_init(p->device, args);
	if (ret < 0)
		ETH_LOG(ERR, p->raw.name,
			"cannot open interface %s (%s): is its name right, has this process "
			"CAP_NET_RAW, and is DPDK's net_af_packet installed?",
			p->iface, strerror(-ret));
	return ret;
}

static int
set_up_queues(struct eth_port *p)
{
	/* that of an interface is set already, and its driver knows no large one */
	struct rte_eth_conf conf = {.rxmode.mtu = p->iface[0] == '\0' ? p->mtu : 0};
	int ret = rte_eth_dev_configure(p->dev, 1, 1, &conf);

	if (ret == 0)
		ret = rte_eth_rx_queue_setup(p->dev, 0, RING, SOCKET_ID_ANY, NULL, p->pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(p->dev, 0, RING, SOCKET_ID_ANY, NULL);
	if (ret == 0)
		ret = rte_eth_macaddr_get(p->dev, &p->mac);
	return ret;
}

static int
open_device(struct eth_port *p)
{
	int ret = open_iface(p);

	if (ret < 0)
		return ret;
	if (rte_eth_dev_get_port_by_name(p->device, &p->dev) < 0) {
		ETH_LOG(ERR, p->raw.name, "there is no ethdev %s: name one of the EAL's",
			p->device);
		return -ENODEV;
	}
	if (p->mtu < MTU_LEAST) {
		ETH_LOG(ERR, p->raw.name, "the MTU of %s is %u: set it to %d to %d", p->device,
			p->mtu, MTU_LEAST, MTU_MOST);
		return -EINVAL;
	}
	if (p->pool == NULL)
		p->pool = rte_pktmbuf_pool_create(
			p->raw.name, PACKETS, CACHE, 0,
			RTE_PKTMBUF_HEADROOM + (p->mtu > SMALL_MTU ? LARGE_FRAME : SMALL_FRAME),
			SOCKET_ID_ANY);
	if (p->pool == NULL) {
		ETH_LOG(ERR, p->raw.name,
			"the EAL has no memory for %d packets: give it more by -m", PACKETS);
		return -ENOMEM;
	}
	ret = set_up_queues(p);
	if (ret < 0)
		ETH_LOG(ERR, p->raw.name, "cannot configure %s with MTU %u: %s", p->device, p->mtu,
			strerror(-ret));
	return ret;
}

/* ---- control calls ---- */

static int
configure_port(struct ntb_rawdev *r, const struct ntb_port_config *conf)
{
	struct eth_port *p = eth_of(r);

	p->region = conf->va;
	p->region_len = RTE_MIN(conf->len, r->port.window_size);
	return open_device(p);
}

static int
start_port(struct ntb_rawdev *r)
{
	struct eth_port *p = eth_of(r);
	int ret;

	p->owner = getpid();
	p->once = false;
	ret = eth_link_begin(p);
	if (ret < 0)
		goto fail;
	ret = rte_eth_dev_start(p->dev);
	if (ret < 0)
		goto close_stream;
	ret = eth_turns_begin(p);
	if (ret == 0)
		return 0;
	rte_eth_dev_stop(p->dev);

close_stream:
	eth_stream_close(&p->stream);
fail:
	p->owner = 0;
	ETH_LOG(ERR, r->name, "cannot start %s: %s", p->device, strerror(-ret));
	return ret;
}

/* What was written arrives before the peer sees the link go. */
static void
drain_port(struct eth_port *p)
{
	uint64_t began = eth_now();
	bool left;

	do {
		eth_lock(p);
		eth_link_push(p);
		eth_link_turn(p);
		left = atomic_load_explicit(&p->up, memory_order_relaxed) &&
		       !eth_stream_empty(&p->stream);
		rte_spinlock_unlock(&p->lock);
		if (left) {
			eth_turn_all(); /* the peer may wait for another port */
			sched_yield();
		}
	} while (left && eth_now() - began < DRAIN_NS);
}

static void
stop_port(struct ntb_rawdev *r)
{
	struct eth_port *p = eth_of(r);

	if (p->owner == getpid() && atomic_load_explicit(&p->up, memory_order_relaxed))
		drain_port(p);
	eth_turns_end(p);
	eth_lock(p);
	if (p->owner == getpid() && atomic_load_explicit(&p->up, memory_order_relaxed))
		eth_link_bye(p);
	atomic_store_explicit(&p->up, false, memory_order_relaxed);
	rte_eth_dev_stop(p->dev);
	eth_stream_close(&p->stream);
	p->dead = true;
	p->owner = 0;
	rte_spinlock_unlock(&p->lock);
}

static void
dump_port(struct ntb_rawdev *r, FILE *f)
{
	struct eth_port *p = eth_of(r);
	char why[256] = "";

	r->port.ops->why_down(&r->port, why, sizeof(why));
	fprintf(f, "%s: Ethernet by %s, MTU %u, window 0x%" PRIx64 "\n  link %s%s\n", r->name,
		p->device, p->mtu, r->port.window_size,
		atomic_load_explicit(&p->up, memory_order_relaxed) ? "up" : "down ", why);
}

static unsigned int
list_counters(struct ntb_rawdev *r, struct ntb_counter c[NTB_RAWDEV_COUNTERS])
{
	struct eth_port *p = eth_of(r);
	const struct eth_stream *s = &p->stream;

	eth_lock(p);
	c[0] = (struct ntb_counter){"packets_sent", s->transmissions};
	c[1] = (struct ntb_counter){"packets_again", s->again};
	c[2] = (struct ntb_counter){"packets_credits", ETH_WINDOW - (s->sealed - s->una)};
	c[3] = (struct ntb_counter){"packets_doubled", s->doubled};
	c[4] = (struct ntb_counter){"packets_early", s->early};
	c[5] = (struct ntb_counter){"packets_of_strangers", p->strangers};
	rte_spinlock_unlock(&p->lock);
	return 6;
}

static const struct ntb_rawdev_ops eth_rawdev_ops = {
	.driver = "raw_ntb_ether",
	.configure = configure_port,
	.start = start_port,
	.stop = stop_port,
	.dump = dump_port,
	.counters = list_counters,
};

/* ---- probe ---- */

/* All ports of a process have the same: its region is one. */
static struct ntb_port_memory memory = {.fd = -1, .len = WINDOW};

static int
parse_args(struct rte_kvargs *kv, struct eth_port *p)
{
	const char *iface = NULL, *port = NULL, *key = "";

	if (rte_kvargs_process(kv, "iface", ntb_rawdev_text, &iface) < 0 ||
	    rte_kvargs_process(kv, "port", ntb_rawdev_text, &port) < 0 ||
	    rte_kvargs_process(kv, "key", ntb_rawdev_text, &key) < 0 ||
	    rte_kvargs_process(kv, "mtu", ntb_rawdev_number, &p->mtu) < 0 || key == NULL)
		return -EINVAL;
	if ((iface == NULL) == (port == NULL) || p->mtu > MTU_MOST)
		return -EINVAL;
	p->key = rte_hash_crc(key, (uint32_t)strlen(key), 0);
	if (port != NULL && p->mtu == 0)
		p->mtu = MTU_LEAST;
	if (port != NULL)
		return strlcpy(p->device, port, sizeof(p->device)) < sizeof(p->device) ? 0
										       : -EINVAL;
	if (strlcpy(p->iface, iface, sizeof(p->iface)) >= sizeof(p->iface))
		return -EINVAL;
	snprintf(p->device, sizeof(p->device), "net_af_packet_%s", p->iface);
	return 0;
}

static int
fill_port(struct eth_port *p, struct rte_kvargs *kv)
{
	struct ntb_rawdev *r = &p->raw;
	void *window;
	int ret = kv == NULL ? -EINVAL : parse_args(kv, p);

	if (ret < 0) {
		ETH_LOG(ERR, p->raw.name, "devargs: want " HELP);
		return ret;
	}
	if (memory.fd < 0)
		memory.fd = memfd_create("ringbell-ether", MFD_CLOEXEC);
	window = mmap(NULL, WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory.fd < 0 || window == MAP_FAILED) {
		ETH_LOG(ERR, p->raw.name, "no memory, or no addresses for a window: ulimit -v");
		return -ENOMEM;
	}
	r->port.ops = &eth_port_ops;
	r->port.setting = "SHMEM_SYMMETRIC_SIZE";
	r->port.memory = &memory;
	r->port.window = window;
	r->port.window_size = WINDOW;
	r->port.caps = NTB_CAP_WINDOW_MESSAGES;
	r->window_align = (uint64_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static int
eth_probe(struct rte_vdev_device *vdev)
{
	static const char *const keys[] = {"iface", "port", "mtu", "key", NULL};
	const char *name = rte_vdev_device_name(vdev);
	struct ntb_rawdev *r;
	struct rte_kvargs *kv;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		ETH_LOG(NOTICE, name, "left to the primary process");
		return 0;
	}
	r = ntb_rawdev_create(vdev, name, sizeof(struct eth_port), &eth_rawdev_ops);
	if (r == NULL)
		return -ENOMEM;
	kv = rte_kvargs_parse(rte_vdev_device_args(vdev), keys);
	ret = fill_port(eth_of(r), kv);
	rte_kvargs_free(kv);
	if (ret < 0)
		ntb_rawdev_destroy(r);
	return ret;
}

static int
eth_remove(struct rte_vdev_device *vdev)
{
	struct ntb_rawdev *r = ntb_rawdev_find(rte_vdev_device_name(vdev));
	struct rte_mempool *pool;

	if (r == NULL)
		return -ENODEV;
	pool = eth_of(r)->pool;
	munmap(r->port.window, WINDOW);
	ntb_rawdev_destroy(r);
	rte_mempool_free(pool);
	return 0;
}

static struct rte_vdev_driver eth_driver = {
	.probe = eth_probe,
	.remove = eth_remove,
};

RTE_PMD_REGISTER_VDEV(raw_ntb_ether, eth_driver);
RTE_PMD_REGISTER_PARAM_STRING(raw_ntb_ether, HELP);
