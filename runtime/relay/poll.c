/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/poll.h"

#include "base/state.h"
#include "base/transport.h"
#include "host/wait.h"
#include "link/cable.h"
#include "relay/progress.h"

enum rb_progress_left
rb_progress_group(unsigned int group)
{
	enum rb_progress_left left;

	if (!rb_poll_try(group))
		return RB_PROGRESS_IDLE;
	left = rb.transport->serve(group);
	rb_poll_end(group);
	rb_cable_look();
	return left;
}

enum rb_progress_left
rb_progress_once(void)
{
	enum rb_progress_left most = RB_PROGRESS_IDLE, one;
	unsigned int g;

	for (g = 0; g < rb.lcores; g++) {
		one = rb_progress_group(g);
		most = one > most ? one : most;
	}
	return most;
}

void
rb_progress(void)
{
	if (!rb.booted)
		return;
	rb_wait_polls();
	rb_progress_once();
}
