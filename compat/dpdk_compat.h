/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DPDK_COMPAT_H
#define DPDK_COMPAT_H

/*
 * Names that DPDK has changed since 22.11. Driver, runtime and tests take them from here; no other
 * file tests DPDK's version.
 */

#include <rte_bitops.h> /* rte_is_power_of_2() and its like: 23.07 moved them here */
#include <rte_telemetry.h>
#include <rte_version.h>

#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)

#define compat_tel_dict_uint rte_tel_data_add_dict_uint

#else

#define compat_tel_dict_uint rte_tel_data_add_dict_u64

#endif

#endif /* DPDK_COMPAT_H */
