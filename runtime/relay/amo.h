/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_RELAY_AMO_H
#define RB_RELAY_AMO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"
#include "base/wire.h"

/** Execute @p amo on this host's memory at @p addr, aligned to its size. @return the old value */
uint64_t rb_amo_apply(void *addr, const struct rb_amo *amo);

/** Execute the atomics of an AMO frame for this host, whose payload is @p parts. @p old: RB_GATHER
 *  values. @return false: no correct host sends it */
bool rb_amo_execute(const struct rb_desc *d, const uint64_t *parts, uint64_t *old);

#endif /* RB_RELAY_AMO_H */
