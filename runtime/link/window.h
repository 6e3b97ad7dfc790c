/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_WINDOW_H
#define RB_LINK_WINDOW_H

/**
 * @file
 * Windows that are addresses alone (NTB_CAP_WINDOW_MESSAGES): to which port an address leads.
 */

/** One of the links has such a window: stores and loads look for it from now on. */
void rb_window_messages(void);

#endif /* RB_LINK_WINDOW_H */
