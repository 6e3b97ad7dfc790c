/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LAB_DST_TRAP_H
#define LAB_DST_TRAP_H

/**
 * @file
 * System calls become signals.
 */

/** Those of this thread, from here on. */
void dst_trap_on(void);

#endif /* LAB_DST_TRAP_H */
