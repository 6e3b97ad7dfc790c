/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_END_H
#define RB_END_H

#include "rb_ctl.h"

/** Has a neighbour ended the job? Then pass it on and end this process. */
void rb_end_look(void);
/** Tell the launcher; nothing where there is none. */
void rb_ctl_send(enum rb_ctl_type type, int status, const char *text);

#endif /* RB_END_H */
