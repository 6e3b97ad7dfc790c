/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_PROVIDER_H
#define NTB_PROVIDER_H

/* How programs get and control the ports of one kind of rawdev driver (rte_pmd_ntb_port.h). */

#include <stdbool.h>
#include <stdint.h>

struct ntb_port;
struct ntb_port_config;
struct ntb_port_info;

struct ntb_provider {
	const char *driver; /* name of the rawdev driver */
	bool prefix;	    /* or what the names begin with */
	int (*info_get)(uint16_t dev_id, struct ntb_port_info *ret_info);
	int (*configure)(struct ntb_port *port, const struct ntb_port_config *conf);
	int (*start)(struct ntb_port *port);
	void (*stop)(struct ntb_port *port);
	void (*close)(struct ntb_port *port);
};

/* ---- ntb_dpdk.c ---- */

extern int ntb_dpdk_logtype;

/* Ports of DPDK's own raw_ntb. */
extern const struct ntb_provider ntb_dpdk_provider;

#endif /* NTB_PROVIDER_H */
