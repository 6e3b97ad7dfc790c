/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PORT_H
#define PORT_H

#include "agent.h"

/** Commands: what a port is, its inbound memory, its link. */
extern const struct agent_command port_commands[];

#endif /* PORT_H */
