/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/window.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/link.h"
#include "base/state.h"
#include "base/thread.h"
#include "host/wait.h"

/* The port whose window of messages has the address. */
static struct ntb_port *
port_at(const void *at, uint64_t *ret_off)
{
	unsigned int port;

	for (port = 0; port < rb.ports; port++) {
		const struct rb_link *link = &rb.link[port];

		if (!link->messages)
			continue;
		*ret_off = (uintptr_t)at - (uintptr_t)link->peer;
		if (*ret_off < link->port->window_size)
			return link->port;
	}
	return NULL;
}

static bool
write_window(void *dst, const void *src, size_t len)
{
	uint64_t off;
	struct ntb_port *ntb = port_at(dst, &off);

	if (ntb == NULL)
		return false;
	rb_wait_port_begin();
	ntb->ops->write(ntb, off, src, len);
	rb_wait_port_end();
	return true;
}

static bool
read_window(void *dst, const void *src, size_t len)
{
	uint64_t off;
	struct ntb_port *ntb = port_at(src, &off);

	if (ntb == NULL)
		return false;
	rb_wait_port_begin();
	if (ntb->ops->read(ntb, off, dst, len) < 0)
		memset(dst, 0xff, len);
	rb_wait_port_end();
	return true;
}

/* A service lcore does not wait for a peer: what it has written may wait for what follows. */
static void
poll_windows(void)
{
	bool waits = !rb_thread_is_service();
	unsigned int port;

	for (port = 0; port < rb.ports; port++)
		if (rb.link[port].messages)
			rb.link[port].port->ops->poll(rb.link[port].port, waits);
}

static const struct rb_messages messages = {write_window, read_window, poll_windows};

void
rb_window_messages(void)
{
	rb.messages = &messages;
}
