/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DUMP_H
#define PLX_DUMP_H

#include <stdio.h>

#include "plx_dev.h"

int plx_dev_dump(struct rte_rawdev *rawdev, FILE *f);

#endif /* PLX_DUMP_H */
