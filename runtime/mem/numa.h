/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_NUMA_H
#define RB_MEM_NUMA_H

#include <stddef.h>

/** Have the memory of [at, at + len), which is not there yet, on @p node; -1: where the kernel puts
 *  it. 0 or -errno */
int rb_numa_bind(void *at, size_t len, int node);
/** Node of the page at @p at, which is touched; -1: unknown */
int rb_numa_node(const void *at);

/** Print where the PE runs, where --report-bindings asks for it. */
void rb_numa_report(void);

#endif /* RB_MEM_NUMA_H */
