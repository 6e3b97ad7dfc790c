/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_NUMA_H
#define RB_MEM_NUMA_H

/** Ask for memory of the PE's own node for its heap. */
void rb_numa_heap(void);

/** Print where the PE runs, where --report-bindings asks for it. */
void rb_numa_report(void);

#endif /* RB_MEM_NUMA_H */
