/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_SURVIVE_H
#define RB_LINK_SURVIVE_H

/**
 * @file
 * Whether the job survives the loss of a cable, and what it needs for that: windows that do not end
 * with the link, or frames that are kept (doc/protocols.md, section 9).
 */

/** Find out whether the job survives a loss, and keep the windows for it. Call it when all links
 *  are up, before any frame is sent. */
void rb_survive_prepare(void);

#endif /* RB_LINK_SURVIVE_H */
