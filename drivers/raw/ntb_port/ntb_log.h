/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_LOG_H
#define NTB_LOG_H

#include <rte_log.h>

extern int ntb_logtype; /* of all drivers of ports: ntb_rawdev.c */

/* @p name: the device. */
#define NTB_LOG(level, name, fmt, ...) \
	rte_log(RTE_LOG_##level, ntb_logtype, "NTB_PORT: %s: " fmt "\n", name, ##__VA_ARGS__)

#endif /* NTB_LOG_H */
