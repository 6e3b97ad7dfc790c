/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_AMO_H
#define RB_RELAY_AMO_H

#include <stdint.h>

#include "base/types.h"

/** Execute @p amo on this host's memory at @p addr, aligned to its size. @return the old value */
uint64_t rb_amo_apply(void *addr, const struct rb_amo *amo);

#endif /* RB_RELAY_AMO_H */
