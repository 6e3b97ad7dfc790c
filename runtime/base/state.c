/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/state.h"

struct rb_state rb = {.pe = -1, .env.ctl_fd = -1, .env.host_fd = -1};
