/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/group.h"

struct rb_group rb_groups[RB_MAX_LCORES];
