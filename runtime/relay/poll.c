/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/poll.h"

#include "base/state.h"
#include "base/transport.h"
#include "host/wait.h"
#include "link/cable.h"
#include "relay/progress.h"

enum rb_turn
rb_progress_group(unsigned int group)
{
	enum rb_turn left;

	if (!rb_poll_try(group))
		return RB_PROGRESS_IDLE;
	left = rb.transport->serve(group);
	rb_poll_end(group);
	rb_cable_look();
	return left;
}

enum rb_turn
rb_turn(void)
{
	enum rb_turn most = RB_PROGRESS_IDLE, one;
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
	rb_turn();
}
