/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "agent.h"

#include <errno.h>
#include <stdarg.h>

#include <rte_atomic.h>

#include "access.h"

bool
agent_ok(struct agent *a, const char *fmt, ...)
{
	va_list ap;

	fputs("ok ", a->out);
	va_start(ap, fmt);
	vfprintf(a->out, fmt, ap);
	va_end(ap);
	fputc('\n', a->out);
	return true;
}

bool
agent_no(struct agent *a, const char *fmt, ...)
{
	va_list ap;

	fputs("no ", a->out);
	va_start(ap, fmt);
	vfprintf(a->out, fmt, ap);
	va_end(ap);
	fputc('\n', a->out);
	return false;
}

uint8_t *
agent_region(const struct agent *a)
{
	return a->region[a->current].va;
}

uint64_t
agent_region_len(const struct agent *a)
{
	return a->regions == 0 ? 0 : a->region[a->current].len;
}

bool
agent_has_word(uint64_t len, uint64_t off)
{
	return off % 8 == 0 && len >= 8 && off <= len - 8;
}

/* As the runtime does for ports without a flush of their own. */
int
agent_flush(struct agent *a)
{
	if (a->port->ops->flush != NULL)
		return ntb_flush(a->port);
	rte_mb();
	return (uint32_t)access_load(a->port->window, 4) == (uint32_t)a->window_known ? 0 : -EIO;
}

void
agent_stop(struct agent *a)
{
	if (a->started)
		access_stop(a->port);
	a->started = false;
}
