/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_HOOKS_H
#define LAB_DST_HOOKS_H

/**
 * @file
 * What the compiler puts in front of each file of a build with -Ddst=true: instructions that no
 * tool can catch become calls of the simulation.
 */

#include <stdint.h>

#ifndef ALLOW_EXPERIMENTAL_API
#define ALLOW_EXPERIMENTAL_API
#endif

#if __has_include(<rte_pause.h>)
#include <rte_cycles.h>
#include <rte_pause.h>
#endif

void dst_pause(void);
uint64_t dst_tsc(void);

#define rte_pause() dst_pause()
#define rte_rdtsc() dst_tsc()
#define rte_get_timer_cycles() dst_tsc()

#endif /* LAB_DST_HOOKS_H */
