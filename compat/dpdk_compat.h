/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DPDK_COMPAT_H
#define DPDK_COMPAT_H

/*
 * Names that DPDK has changed since 22.11. Driver, runtime and tests take them from here; no other
 * file tests DPDK's version.
 */

#include <stdint.h>

#include <rte_bitops.h> /* rte_is_power_of_2() and its like: 23.07 moved them here */
#include <rte_common.h>
#include <rte_lcore.h>
#include <rte_telemetry.h>
#include <rte_thread.h>
#include <rte_version.h>

#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)

typedef rte_thread_t compat_thread;
typedef uint32_t compat_thread_ret;

#define COMPAT_TEL_UINT_VAL RTE_TEL_UINT_VAL
#define compat_tel_dict_uint rte_tel_data_add_dict_uint
#define compat_tel_array_uint rte_tel_data_add_array_uint
#define compat_thread_start rte_thread_create_control
#define compat_thread_join(thread) rte_thread_join(thread, NULL)

#else

#include <pthread.h>

typedef pthread_t compat_thread;
typedef void *compat_thread_ret;

#define COMPAT_TEL_UINT_VAL RTE_TEL_U64_VAL
#define compat_tel_dict_uint rte_tel_data_add_dict_u64
#define compat_tel_array_uint rte_tel_data_add_array_u64
#define compat_thread_start(thread, name, fn, arg) \
	rte_ctrl_thread_create(thread, name, NULL, fn, arg)
#define compat_thread_join(thread) pthread_join(thread, NULL)

#endif

#endif /* DPDK_COMPAT_H */
