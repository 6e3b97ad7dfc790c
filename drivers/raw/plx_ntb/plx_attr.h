/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_ATTR_H
#define PLX_ATTR_H

/* Attributes and xstats of the rawdev. */

#include "plx_dev.h"

int plx_dev_attr_get(struct rte_rawdev *rawdev, const char *name, uint64_t *ret_value);
int plx_dev_attr_set(struct rte_rawdev *rawdev, const char *name, uint64_t value);
int plx_dev_xstats_get(const struct rte_rawdev *rawdev, const unsigned int ids[], uint64_t values[],
		       unsigned int n);
int plx_dev_xstats_get_names(const struct rte_rawdev *rawdev, struct rte_rawdev_xstats_name *names,
			     unsigned int size);
uint64_t plx_dev_xstats_get_by_name(const struct rte_rawdev *rawdev, const char *name,
				    unsigned int *id);
int plx_dev_xstats_reset(struct rte_rawdev *rawdev, const uint32_t ids[], uint32_t n);

#endif /* PLX_ATTR_H */
