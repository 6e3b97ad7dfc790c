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

/**
 * One line of a file of copy methods, such as "put host heap warm nt 64K" (doc/design.md): from 64
 * KiB on, puts into the heap of a PE of the same host are non-temporal stores. In force at once,
 * for this PE. No operation may be under way. For measurements: shmem-perf --tune finds such lines.
 *
 * @return 0; not 0 where the line says nothing that can be, after a line on stderr
 */
int shmemx_tune(const char *line);

/** Seconds of a clock that no other sets, from a time of its own; it may be called at any time. For
 *  programs that other libraries' extensions have taught this name. */
double shmemx_wtime(void);

/** Name of the host that this process runs on, from uname(2); the same for all hosts of an emulated
 *  ring. Must not be changed. May be called at any time. */
char *shmemx_nodename(void);

#ifdef __cplusplus
}
#endif
#endif /* SHMEMX_H */
