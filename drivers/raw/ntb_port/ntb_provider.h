/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_PROVIDER_H
#define NTB_PROVIDER_H

/* How programs get and control the ports of one kind of rawdev driver (rte_pmd_ntb_port.h). */

#include <stdint.h>

struct ntb_port_config;
struct ntb_port_info;

struct ntb_provider {
	int (*info_get)(uint16_t dev_id, struct ntb_port_info *ret_info);
	int (*configure)(uint16_t dev_id, const struct ntb_port_config *conf);
	int (*start)(uint16_t dev_id);
	void (*stop)(uint16_t dev_id);
	int (*close)(uint16_t dev_id);
};

/* ---- ntb_dpdk.c ---- */

extern int ntb_dpdk_logtype;

/* Ports of DPDK's own raw_ntb. */
extern const struct ntb_provider ntb_dpdk_provider;

#endif /* NTB_PROVIDER_H */
