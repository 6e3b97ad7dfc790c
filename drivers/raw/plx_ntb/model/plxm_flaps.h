/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_FLAPS_H
#define PLXM_FLAPS_H

#include "plxm_priv.h"

void plxm_flaps_stop(struct plxm_port *p);

#endif /* PLXM_FLAPS_H */
