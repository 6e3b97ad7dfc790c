/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/progress.h"

#include "base/state.h"
#include "host/wait.h"
#include "relay/poll.h"

void
rb_progress(void)
{
	if (!rb.booted)
		return;
	rb_wait_polls();
	rb_progress_once();
}
