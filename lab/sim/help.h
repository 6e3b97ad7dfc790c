/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_HELP_H
#define SIM_HELP_H

/** What --help prints. */
extern const char help_text[];

#endif /* SIM_HELP_H */
