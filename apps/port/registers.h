/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "agent.h"

/** Commands: doorbells and scratchpads. */
extern const struct agent_command register_commands[];

#endif /* REGISTERS_H */
