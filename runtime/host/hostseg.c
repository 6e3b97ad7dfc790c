/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/hostseg.h"

struct rb_host_seg *rb_hostseg;
