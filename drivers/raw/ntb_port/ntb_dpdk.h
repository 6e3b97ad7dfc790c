/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_DPDK_H
#define NTB_DPDK_H

#include "ntb_provider.h"

/* Ports of DPDK's own raw_ntb. */
extern const struct ntb_provider ntb_dpdk_provider;

#endif /* NTB_DPDK_H */
