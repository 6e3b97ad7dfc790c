/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_LOG_H
#define PLX_LOG_H

#include <rte_log.h>

extern int plx_ntb_logtype;

/* @p name: the device. */
#define PLX_LOG(level, name, fmt, ...) \
	rte_log(RTE_LOG_##level, plx_ntb_logtype, "PLX_NTB: %s: " fmt "\n", name, ##__VA_ARGS__)

#endif /* PLX_LOG_H */
