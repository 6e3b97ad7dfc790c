/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLAY_H
#define PLAY_H

#include "agent.h"

/** Commands: rules of order. */
extern const struct agent_command play_commands[];

#endif /* PLAY_H */
