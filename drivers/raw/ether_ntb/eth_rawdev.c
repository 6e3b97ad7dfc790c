/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
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

#include "eth_link.h"

#define HELP \
	"iface=IF[,udp=PORT[,peer=IP]] or port=DEV[,mtu=1500..9000][,key=WORD][,host=K,hosts=H]"

enum {
	WINDOW = 1ull << 38, /* addresses only */
	HOSTS_MOST = 64,
	PACKETS = 1024, /* buffers of a device: two rings' */
	CACHE = 64,	/* of an lcore: those used last are in the CPU's caches */
	RING = 512,
	UDP_HEADS = 28, /* with those of IPv4 */
	MTU_LEAST = 1500,
	MTU_MOST = 9000,
	/* a frame of a packet socket, with the kernel's own head, and up to which MTU; four large
	 * ones are whole pages */
	SMALL_MTU = 1900,
	SMALL_FRAME = 2048,
	LARGE_FRAME = 10240,
	DRAIN_NS = 1000000000,
};

/* ---- the ethdev ---- */

/* A packet socket on a network interface. All frames of its rings are used in turn, so rings longer
 * than the window needs are slower, presumably for what they push out of the CPU's caches. */
static int
open_iface(struct eth_device *d)
{
	struct ifreq req;
	char args[128];
	int ret, n;

	if (d->iface[0] == '\0' || d->socket >= 0 ||
	    rte_eth_dev_get_port_by_name(d->ethdev, &d->id) == 0)
		return 0;
	ret = eth_iface_ask(d->iface, SIOCGIFMTU, &req);
	if (ret == 0 && d->mtu == 0)
		d->mtu = RTE_MIN((uint32_t)req.ifr_mtu, (uint32_t)MTU_MOST);
	n = snprintf(args, sizeof(args), "iface=%s", d->iface);
	if (d->mtu > SMALL_MTU)
		snprintf(args + n, sizeof(args) - (size_t)n, ",blocksz=%d,framesz=%d,framecnt=%u",
			 4 * LARGE_FRAME, LARGE_FRAME,
			 RTE_MIN(2 * d->ports * eth_stream_window(d->mtu), (unsigned int)RING));
	if (ret == 0 && d->udp != 0)
		ret = d->socket = eth_udp_open(d->iface, (uint16_t)d->udp);
	else if (ret == 0)
		ret = rte_vdev_init(d->ethdev, args);
	if (ret < 0)
		NTB_LOG(ERR, d->name, "cannot open interface %s (%s): is its name right, %s",
			d->iface, strerror(-ret),
			d->udp != 0 ? "and the UDP port free?"
				    : "has this process CAP_NET_RAW, and is DPDK's net_af_packet "
				      "installed?");
	return ret;
}

static int
set_up_queues(struct eth_device *d)
{
	/* that of an interface is set already, and its driver knows no large one */
	struct rte_eth_conf conf = {.rxmode.mtu = d->iface[0] == '\0' ? d->mtu : 0};
	int ret = rte_eth_dev_configure(d->id, 1, 1, &conf);

	if (ret == 0)
		ret = rte_eth_rx_queue_setup(d->id, 0, RING, SOCKET_ID_ANY, NULL, d->pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(d->id, 0, RING, SOCKET_ID_ANY, NULL);
	if (ret == 0)
		ret = rte_eth_macaddr_get(d->id, &d->way.from);
	return ret;
}

static int
open_device(struct eth_device *d)
{
	int ret = open_iface(d);

	if (ret < 0)
		return ret;
	if (d->udp == 0 && rte_eth_dev_get_port_by_name(d->ethdev, &d->id) < 0) {
		NTB_LOG(ERR, d->name, "there is no ethdev %s: name one of the EAL's", d->ethdev);
		return -ENODEV;
	}
	if (d->mtu < MTU_LEAST) {
		NTB_LOG(ERR, d->name, "the MTU of %s is %u: set it to %d to %d", d->ethdev, d->mtu,
			MTU_LEAST, MTU_MOST);
		return -EINVAL;
	}
	if (d->pool == NULL)
		d->pool = rte_pktmbuf_pool_create(
			d->name, PACKETS, CACHE, 0,
			RTE_PKTMBUF_HEADROOM + (d->mtu > SMALL_MTU ? LARGE_FRAME : SMALL_FRAME),
			SOCKET_ID_ANY);
	if (d->pool == NULL) {
		NTB_LOG(ERR, d->name, "the EAL has no memory for %d packets: give it more by -m",
			PACKETS);
		return -ENOMEM;
	}
	d->payload = d->mtu - (d->udp != 0 ? UDP_HEADS : 0) - (uint32_t)sizeof(struct eth_head);
	d->payload = RTE_ALIGN_FLOOR(d->payload, ETH_ALIGN);
	ret = d->udp != 0 ? 0 : set_up_queues(d);
	if (ret < 0)
		NTB_LOG(ERR, d->name, "cannot configure %s with MTU %u: %s", d->ethdev, d->mtu,
			strerror(-ret));
	return ret;
}

/* ---- control calls ---- */

static int
configure_port(struct ntb_rawdev *r, const struct ntb_port_config *conf)
{
	struct eth_port *p = eth_port_of(&r->port);

	p->region = conf->va;
	p->region_len = RTE_MIN(conf->len, r->port.window_size);
	return p->device->started == 0 ? open_device(p->device) : 0;
}

/* With the first port the device. */
static int
start_port(struct ntb_rawdev *r)
{
	struct eth_port *p = eth_port_of(&r->port);
	struct eth_device *d = p->device;
	int ret;

	eth_lock(d);
	p->once = false;
	ret = eth_link_begin(p);
	if (ret == 0 && d->started == 0 && d->udp == 0)
		ret = rte_eth_dev_start(d->id);
	if (ret == 0 && d->started == 0) {
		d->turn_ns = eth_now();
		ret = eth_turns_begin(d);
	}
	if (ret == 0) {
		p->owner = getpid();
		d->started++;
	} else {
		if (d->started == 0 && d->udp == 0)
			rte_eth_dev_stop(d->id);
		eth_stream_close(&p->stream);
		NTB_LOG(ERR, r->name, "cannot start %s: %s", d->ethdev, strerror(-ret));
	}
	rte_spinlock_unlock(&d->lock);
	return ret;
}

/* What was written arrives before the peer sees the link go. */
static void
drain_port(struct eth_port *p)
{
	uint64_t began = eth_now();
	bool left;

	do {
		eth_lock(p->device);
		eth_link_push(p);
		eth_link_turn(p->device);
		left = eth_is_up(p) && !eth_stream_empty(&p->stream);
		rte_spinlock_unlock(&p->device->lock);
		if (left) {
			eth_turn_all(); /* the peer may wait for another port */
			sched_yield();
		}
	} while (left && eth_now() - began < DRAIN_NS);
}

static void
stop_port(struct ntb_rawdev *r)
{
	struct eth_port *p = eth_port_of(&r->port);
	struct eth_device *d = p->device;
	bool own = p->owner == getpid();

	if (own && eth_is_up(p))
		drain_port(p);
	if (d->started == 1)
		eth_turns_end(d, own);
	eth_lock(d);
	if (own && eth_is_up(p))
		eth_link_bye(p);
	atomic_store_explicit(&p->up, false, memory_order_relaxed);
	if (--d->started == 0 && d->udp == 0)
		rte_eth_dev_stop(d->id);
	eth_stream_close(&p->stream);
	p->dead = true;
	p->owner = 0;
	rte_spinlock_unlock(&d->lock);
}

static unsigned int
list_counters(struct ntb_rawdev *r, struct ntb_counter c[NTB_RAWDEV_COUNTERS])
{
	struct eth_port *p = eth_port_of(&r->port);
	const struct eth_stream *s = &p->stream;

	eth_lock(p->device);
	c[0] = (struct ntb_counter){"packets_sent", s->transmissions};
	c[1] = (struct ntb_counter){"packets_again", s->again};
	c[2] = (struct ntb_counter){"packets_credits", s->window - (s->sealed - s->una)};
	c[3] = (struct ntb_counter){"packets_doubled", s->doubled};
	c[4] = (struct ntb_counter){"packets_early", s->early};
	c[5] = (struct ntb_counter){"packets_of_strangers", p->device->strangers};
	rte_spinlock_unlock(&p->device->lock);
	return 6;
}

static const struct ntb_rawdev_ops eth_rawdev_ops = {
	.calls = &ntb_rawdev_calls,
	.configure = configure_port,
	.start = start_port,
	.stop = stop_port,
	.counters = list_counters,
};

/* ---- probe ---- */

/* All ports of a process have the same: its region is one. */
static struct ntb_port_memory memory = {.fd = -1, .len = WINDOW};

static int
parse_args(const char *text, struct eth_device *d)
{
	const char *iface = NULL, *port = NULL, *key = "", *peer = NULL;
	const struct ntb_devarg list[] = {
		{"iface", ntb_devarg_text, &iface, 0, 0},
		{"port", ntb_devarg_text, &port, 0, 0},
		{"key", ntb_devarg_text, &key, 0, 0},
		{"udp", ntb_devarg_number, &d->udp, 0, UINT16_MAX},
		{"peer", ntb_devarg_text, &peer, 0, 0},
		{"host", ntb_devarg_number, &d->host, 0, HOSTS_MOST - 1},
		{"hosts", ntb_devarg_number, &d->hosts, 0, HOSTS_MOST},
		{"mtu", ntb_devarg_number, &d->mtu, 0, MTU_MOST},
	};
	struct rte_kvargs *kv = ntb_devargs_parse(text, list, RTE_DIM(list), d->name, HELP);
	struct in_addr to;
	int ret = -EINVAL;

	if (kv == NULL)
		return ret;
	if ((iface == NULL) == (port == NULL) || (d->udp != 0 && iface == NULL) || d->hosts == 1 ||
	    d->host >= RTE_MAX(d->hosts, 1u) || (d->udp == 0 && peer != NULL) ||
	    inet_pton(AF_INET, peer == NULL ? "255.255.255.255" : peer, &to) != 1 ||
	    strlcpy(d->iface, iface == NULL ? "" : iface, sizeof(d->iface)) >= sizeof(d->iface)) {
		NTB_LOG(ERR, d->name, "devargs \"%s\": want " HELP, text);
		goto free_kv;
	}
	memset(&d->way.to, 0xff, sizeof(d->way.to));
	if (d->udp != 0)
		eth_udp_address(to.s_addr, rte_cpu_to_be_16((uint16_t)d->udp), &d->way.to);
	d->key = rte_hash_crc(key, (uint32_t)strlen(key), 0);
	if (port != NULL && d->mtu == 0)
		d->mtu = MTU_LEAST;
	snprintf(d->ethdev, sizeof(d->ethdev), "%s%s",
		 port != NULL  ? ""
		 : d->udp != 0 ? "UDP of "
			       : "net_af_packet_",
		 port != NULL ? port : iface);
	ret = 0;
free_kv:
	rte_kvargs_free(kv);
	return ret;
}

static int
create_port(struct rte_vdev_device *vdev, struct eth_device *d, int far)
{
	char name[RTE_RAWDEV_NAME_MAX_LEN], end[16] = "";
	struct ntb_rawdev *r;

	if (far >= 0)
		snprintf(end, sizeof(end), "-%d", far);
	snprintf(name, sizeof(name), "%s%s", d->name, end);
	r = ntb_rawdev_create(&vdev->device, "raw_ntb_ether", name, sizeof(struct eth_port),
			      &eth_rawdev_ops);
	if (r == NULL)
		return -ENOMEM;
	eth_port_of(&r->port)->device = d;
	eth_port_of(&r->port)->far = (unsigned int)RTE_MAX(far, 0);
	d->port[d->ports++] = eth_port_of(&r->port);
	r->port.window =
		mmap(NULL, WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory.fd < 0)
		memory.fd = memfd_create("ringbell-ether", MFD_CLOEXEC);
	if (memory.fd < 0 || r->port.window == MAP_FAILED) {
		NTB_LOG(ERR, r->name, "no memory, or no addresses for a window: ulimit -v");
		return -ENOMEM;
	}
	r->port.ops = &eth_port_ops;
	r->port.setting = "SHMEM_SYMMETRIC_SIZE to a size";
	r->port.memory = &memory;
	r->port.window_size = WINDOW;
	r->port.caps = NTB_CAP_WINDOW_MESSAGES;
	r->port.spad_count = ETH_PADS;
	r->window_align = (uint64_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static int
create_ports(struct rte_vdev_device *vdev, struct eth_device *d)
{
	const unsigned int n = d->hosts == 0 ? 0 : RTE_MIN(d->hosts - 1, (unsigned int)ETH_PORTS);
	int ret = n == 0 ? create_port(vdev, d, -1) : 0;

	for (unsigned int i = 0; i < n && ret == 0; i++)
		ret = create_port(vdev, d, (int)ntb_rawdev_beyond(d->host, d->hosts, i));
	return ret;
}

static void
destroy_device(struct eth_device *d)
{
	while (d->ports > 0) {
		struct ntb_rawdev *r = &d->port[--d->ports]->raw;
		void *window = r->port.window;

		ntb_rawdev_destroy(r);
		if (window != MAP_FAILED)
			munmap(window, WINDOW);
	}
	if (d->socket >= 0)
		close(d->socket);
	rte_mempool_free(d->pool);
	free(d);
}

static int
eth_probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct eth_device *d;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		NTB_LOG(NOTICE, name, "left to the primary process");
		return 0;
	}
	d = calloc(1, sizeof(*d));
	if (d == NULL)
		return -ENOMEM;
	d->socket = -1;
	strlcpy(d->name, name, sizeof(d->name));
	ret = parse_args(rte_vdev_device_args(vdev), d);
	if (ret == 0)
		ret = create_ports(vdev, d);
	if (ret < 0)
		destroy_device(d);
	return ret;
}

static int
eth_remove(struct rte_vdev_device *vdev)
{
	struct ntb_rawdev *r = ntb_rawdev_of(&vdev->device);

	if (r == NULL)
		return -ENODEV;
	destroy_device(eth_port_of(&r->port)->device);
	return 0;
}

static struct rte_vdev_driver eth_driver = {
	.probe = eth_probe,
	.remove = eth_remove,
};

RTE_PMD_REGISTER_VDEV(raw_ntb_ether, eth_driver);
RTE_PMD_REGISTER_PARAM_STRING(raw_ntb_ether, HELP);
