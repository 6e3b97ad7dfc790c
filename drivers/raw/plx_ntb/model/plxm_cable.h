/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_CABLE_H
#define PLXM_CABLE_H

#include "plxm_priv.h"

int plxm_cable_map(int fd, struct plxm_cable **ret_cable);

#endif /* PLXM_CABLE_H */
