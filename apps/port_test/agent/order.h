/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ORDER_H
#define ORDER_H

#include "agent.h"

/** Commands: rules of order. */
extern const struct agent_command order_commands[];

#endif /* ORDER_H */
