/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "plx_log.h"

RTE_LOG_REGISTER(plx_ntb_logtype, pmd.raw.plx_ntb, NOTICE);
