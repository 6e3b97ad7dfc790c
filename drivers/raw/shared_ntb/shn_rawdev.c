/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include <bus_vdev_driver.h>
#include <rte_eal.h>
#include <rte_kvargs.h>
#include <rte_string_fns.h>

#include "shn_path.h"
#include "shn_port.h"

#define HELP "path=PATH[,host=K][,hosts=H]"

/* ---- control calls ---- */

/* The peer sees no other memory than this host's part of the file. */
static int
configure_port(struct ntb_rawdev *r, const struct ntb_port_config *conf)
{
	struct shn_port *p = shn_port_of(&r->port);
	struct stat st;

	if (conf->len > p->medium->stride || conf->fd < 0 || fstat(conf->fd, &st) < 0 ||
	    st.st_dev != p->medium->dev || st.st_ino != p->medium->ino ||
	    conf->fd_off != p->medium->memory.off) {
		NTB_LOG(ERR, r->name,
			"the inbound region is not the part of %s from 0x%" PRIx64
			" on, of 0x%" PRIx64 " bytes at most",
			p->medium->path, p->medium->memory.off, p->medium->stride);
		return -EINVAL;
	}
	atomic_store_explicit(shn_mine(p), 0, memory_order_relaxed);
	return 0;
}

static int
start_port(struct ntb_rawdev *r)
{
	struct shn_port *p = shn_port_of(&r->port);

	atomic_store_explicit(&p->once, false, memory_order_relaxed);
	/* release: the region is there; pairs with the acquire in link_session() */
	atomic_store_explicit(shn_mine(p), p->medium->session, memory_order_release);
	return 0;
}

static void
stop_port(struct ntb_rawdev *r)
{
	/* release: what this host has stored is there before the peer sees the link go */
	atomic_store_explicit(shn_mine(shn_port_of(&r->port)), 0, memory_order_release);
	(void)r->port.ops->link_poll(&r->port);
}

static const struct ntb_rawdev_ops shn_rawdev_ops = {
	.calls = &ntb_rawdev_calls,
	.configure = configure_port,
	.start = start_port,
	.stop = stop_port,
};

/* ---- probe ---- */

static int
create_port(struct rte_vdev_device *vdev, struct shn_medium *m, unsigned int peer)
{
	char name[RTE_RAWDEV_NAME_MAX_LEN];
	struct ntb_rawdev *r;

	snprintf(name, sizeof(name), "%s-%u", rte_vdev_device_name(vdev), peer);
	r = ntb_rawdev_create(&vdev->device, "raw_ntb_shared", name, sizeof(struct shn_port),
			      &shn_rawdev_ops);
	if (r == NULL)
		return -ENOMEM;
	shn_port_of(&r->port)->medium = m;
	shn_port_of(&r->port)->peer = peer;
	r->port.ops = &shn_port_ops;
	r->port.setting = "each host's part of the shared memory to a size";
	r->port.memory = &m->memory;
	r->port.window = (uint8_t *)m->control + shn_region_off(m, peer);
	r->port.window_size = m->stride;
	r->port.caps = NTB_CAP_WINDOW_IS_MEMORY | NTB_CAP_ATOMICS;
	r->port.spad_count = SHN_PADS;
	r->window_align = SHN_ALIGN;
	return 0;
}

static void
destroy_ports(const struct rte_vdev_device *vdev, struct shn_medium **ret_medium)
{
	struct ntb_rawdev *r;

	while ((r = ntb_rawdev_of(&vdev->device)) != NULL) {
		*ret_medium = shn_port_of(&r->port)->medium;
		ntb_rawdev_destroy(r);
	}
}

static int
create_ports(struct rte_vdev_device *vdev, struct shn_medium *m)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i + 1 < m->hosts && ret == 0; i++)
		ret = create_port(vdev, m, ntb_rawdev_beyond(m->host, m->hosts, i));
	return ret;
}

static int
shn_probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct shn_args args = {.hosts = 2};
	const struct ntb_devarg list[] = {
		{"path", ntb_devarg_text, &args.path, 0, 0},
		{"host", ntb_devarg_number, &args.host, 0, SHN_MAX_HOSTS - 1},
		{"hosts", ntb_devarg_number, &args.hosts, 2, SHN_MAX_HOSTS},
	};
	struct shn_medium *m = NULL;
	struct rte_kvargs *kv;
	int ret = -EINVAL;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		NTB_LOG(NOTICE, name, "left to the primary process");
		return 0;
	}
	kv = ntb_devargs_parse(rte_vdev_device_args(vdev), list, RTE_DIM(list), name, HELP);
	if (kv == NULL)
		return ret;
	if (args.path == NULL || args.host >= args.hosts)
		NTB_LOG(ERR, name, "devargs \"%s\": want " HELP ", K below H",
			rte_vdev_device_args(vdev));
	else
		ret = shn_medium_open(&m, name, &args);
	rte_kvargs_free(kv);
	if (ret < 0)
		return ret;
	ret = create_ports(vdev, m);
	if (ret < 0) {
		destroy_ports(vdev, &m);
		shn_medium_close(m);
	}
	return ret;
}

static int
shn_remove(struct rte_vdev_device *vdev)
{
	struct shn_medium *m = NULL;

	destroy_ports(vdev, &m);
	if (m == NULL)
		return -ENODEV;
	shn_medium_close(m);
	return 0;
}

static struct rte_vdev_driver shn_driver = {
	.probe = shn_probe,
	.remove = shn_remove,
};

RTE_PMD_REGISTER_VDEV(raw_ntb_shared, shn_driver);
RTE_PMD_REGISTER_PARAM_STRING(raw_ntb_shared, HELP);
