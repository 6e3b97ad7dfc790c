/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_LCORE_H
#define RB_RELAY_LCORE_H

/** Start and stop the service lcores. */
int rb_lcore_start(void);
void rb_lcore_stop(void);

#endif /* RB_RELAY_LCORE_H */
