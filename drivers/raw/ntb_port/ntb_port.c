/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include <rte_log.h>
#include <rte_rawdev.h>

#include "ntb_provider.h"
#include "rte_pmd_ntb_port.h"

/*
 * Which driver a rawdev has decides how a program gets a port of it. Drivers of this project speak
 * the structures of rte_pmd_ntb_port.h; others are served from outside, by their own structures.
 */

/* ---- drivers whose rawdev calls take struct ntb_port_info and struct ntb_port_config ---- */

static int
own_info_get(uint16_t dev_id, struct ntb_port_info *ret_info)
{
	struct rte_rawdev_info dev = {.dev_private = ret_info};

	return rte_rawdev_info_get(dev_id, &dev, sizeof(*ret_info));
}

static int
own_configure(uint16_t dev_id, const struct ntb_port_config *conf)
{
	struct ntb_port_config copy = *conf;
	struct rte_rawdev_info dev = {.dev_private = &copy};

	return rte_rawdev_configure(dev_id, &dev, sizeof(copy));
}

static const struct ntb_provider own = {
	.info_get = own_info_get,
	.configure = own_configure,
	.start = rte_rawdev_start,
	.stop = rte_rawdev_stop,
	.close = rte_rawdev_close,
};

#define OWN "raw_ntb_"

static const struct ntb_provider *
find_provider(uint16_t dev_id)
{
	struct rte_rawdev_info dev = {0};

	if (rte_rawdev_info_get(dev_id, &dev, 0) != 0)
		return NULL;
	if (strcmp(dev.driver_name, "raw_ntb") == 0)
		return &ntb_dpdk_provider;
	return strncmp(dev.driver_name, OWN, strlen(OWN)) == 0 ? &own : NULL;
}

int
ntb_port_get(uint16_t dev_id, struct ntb_port_info *ret_info)
{
	const struct ntb_provider *p = find_provider(dev_id);
	int ret = p == NULL ? -ENODEV : p->info_get(dev_id, ret_info);

	if (ret == 0)
		ret_info->port->provider = p;
	return ret;
}

/* NULL, with a line of log, where the rawdev was closed or removed. */
static const struct ntb_provider *
provider_of(const struct ntb_port *port)
{
	struct rte_rawdev_info dev = {0};

	if (port->provider != NULL && rte_rawdev_info_get(port->dev_id, &dev, 0) == 0)
		return port->provider;
	rte_log(RTE_LOG_ERR, ntb_dpdk_logtype, "NTB_PORT: rawdev %u is closed: get its port anew\n",
		port->dev_id);
	return NULL;
}

int
ntb_port_configure(struct ntb_port *port, const struct ntb_port_config *conf)
{
	const struct ntb_provider *p = provider_of(port);

	return p == NULL ? -ENODEV : p->configure(port->dev_id, conf);
}

int
ntb_port_start(struct ntb_port *port)
{
	const struct ntb_provider *p = provider_of(port);

	return p == NULL ? -ENODEV : p->start(port->dev_id);
}

void
ntb_port_stop(struct ntb_port *port)
{
	const struct ntb_provider *p = provider_of(port);

	if (p != NULL)
		p->stop(port->dev_id);
}

void
ntb_port_close(struct ntb_port *port)
{
	const struct ntb_provider *p = provider_of(port);

	if (p != NULL)
		p->close(port->dev_id);
}
