/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_OPEN_H
#define COLL_OPEN_H

#include <stddef.h>

size_t coll_heap_bytes(void); /**< what the collectives take of the heap's end */
int coll_open(void);	      /**< symmetric words and scratch of all team slots; 0 or -errno */
void coll_close(void);

#endif /* COLL_OPEN_H */
