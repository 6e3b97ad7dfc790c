/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_EAL_LOG_H
#define RB_LINK_EAL_LOG_H

/** Keep what the EAL says from here on, until the end. Then it logs what goes wrong, to stderr. */
void rb_eal_log_begin(void);
void rb_eal_log_end(void);
/** The line that explains a failure; "" where there is none. */
const char *rb_eal_log_best(void);

#endif /* RB_LINK_EAL_LOG_H */
