/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef STATE_H
#define STATE_H

#include "agent.h"

/** Commands: what a port is, its inbound memory, its link. */
extern const struct agent_command state_commands[];

#endif /* STATE_H */
