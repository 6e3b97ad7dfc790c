/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "agent.h"

/** Commands: values that are stored and looked for. */
extern const struct agent_command memory_commands[];

#endif /* MEMORY_H */
