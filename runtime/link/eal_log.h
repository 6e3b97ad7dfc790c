/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_EAL_LOG_H
#define RB_LINK_EAL_LOG_H

/** Keep the output of the EAL from here to rb_eal_log_end(). After that the EAL logs only errors,
 *  to stderr. */
void rb_eal_log_begin(void);
void rb_eal_log_end(void);
/** The line that explains a failure; "" if there is none. */
const char *rb_eal_log_best(void);

#endif /* RB_LINK_EAL_LOG_H */
