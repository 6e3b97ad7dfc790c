/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "op/rings.h"

#include "base/state.h"
#include "base/transport.h"
#include "base/wire.h"
#include "op/atomic.h"
#include "op/get.h"
#include "op/put.h"
#include "relay/dispatch.h"

const struct rb_transport rb_rings = {
	.name = "memory or doorbell",
	.lcores = RB_MAX_LCORES,
	.serve = rb_poll_rings,
	.put = rb_put_rings,
	.get = rb_get_rings,
	.amo = rb_amo_rings,
	.rings = true,
};
