/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMX_H
#define SHMEMX_H

/**
 * @file
 * Extensions of this library beyond the standard.
 */

#include <stddef.h>

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The window onto the symmetric heap of a PE on a neighbour host, as memory of this process: the
 * place that a put to that PE is stored through. For measurements: what a plain copy through the
 * window takes is what a put can be compared with. A program has no business with it otherwise,
 * since the standard's ordering and completion do not cover stores made here.
 *
 * @param pe   PE number in the world team
 * @param len  bytes of the heap; set on success only
 * @return NULL where @p pe is on this host, more than one hop away, or no PE at all
 */
void *shmemx_window(int pe, size_t *len);

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_H */
