/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/progress.h"

#include "base/leave.h"
#include "base/save.h"
#include "base/state.h"
#include "host/beside.h"
#include "host/wait.h"
#include "relay/poll.h"

void
rb_progress(void)
{
	if (rb_save_due())
		rb_leave(rb_save_status());
	if (rb_beside_pending())
		(void)rb_beside_turn();
	if (!rb.booted)
		return;
	rb_wait_polls();
	rb_progress_once();
}
