/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands: doorbells and scratchpads, of ports that have them. */

#include <inttypes.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"
#include "registers.h"

static bool
has_bells(struct agent *a)
{
	return a->port->db_count != 0 || agent_no(a, "no doorbells");
}

static bool
has_pads(struct agent *a)
{
	if (a->port->spad_count == 0)
		return agent_no(a, "no scratchpads");
	return a->arg[0] < a->port->spad_count || agent_no(a, "no such scratchpad");
}

static bool
run_ring(struct agent *a)
{
	if (!has_bells(a))
		return false;
	ntb_db_ring(a->port, (uint32_t)a->arg[0]);
	return agent_ok(a, "0");
}

/* Wait for one of these doorbells, or all that are pending after the time. */
static bool
run_hear(struct agent *a)
{
	uint64_t end = clock_ns() + a->arg[1] * 1000000;
	uint32_t bits;

	if (!has_bells(a))
		return false;
	do {
		bits = ntb_db_read(a->port);
	} while ((bits & a->arg[0]) != a->arg[0] && clock_ns() < end);
	return agent_ok(a, "%" PRIu32, bits);
}

static bool
run_clear(struct agent *a)
{
	if (!has_bells(a))
		return false;
	ntb_db_clear(a->port, (uint32_t)a->arg[0]);
	return agent_ok(a, "%" PRIu32, ntb_db_read(a->port));
}

static bool
run_unmask(struct agent *a)
{
	uint32_t *word;

	if (!has_bells(a))
		return false;
	a->port->ops->db_unmask(a->port, (uint32_t)a->arg[0]);
	word = ntb_wake_word(a->port);
	a->woken = word == NULL ? 0 : __atomic_load_n(word, __ATOMIC_ACQUIRE);
	return agent_ok(a, "%d", word != NULL);
}

/* Has the wake word changed since the doorbells were unmasked, or does it within the time? */
static bool
run_woken(struct agent *a)
{
	struct timespec limit = {.tv_sec = (time_t)(a->arg[0] / 1000),
				 .tv_nsec = (long)(a->arg[0] % 1000) * 1000000};
	uint32_t *word = ntb_wake_word(a->port);

	if (word == NULL)
		return agent_no(a, "no wake word");
	syscall(SYS_futex, word, FUTEX_WAIT, a->woken, &limit, NULL, 0);
	return agent_ok(a, "%d", __atomic_load_n(word, __ATOMIC_ACQUIRE) != a->woken);
}

static bool
run_pad(struct agent *a)
{
	return has_pads(a) &&
	       agent_ok(a, "%" PRIu32, a->port->ops->spad_read(a->port, (unsigned int)a->arg[0]));
}

static bool
run_pad_set(struct agent *a)
{
	if (!has_pads(a))
		return false;
	a->port->ops->spad_write(a->port, (unsigned int)a->arg[0], (uint32_t)a->arg[1]);
	return agent_ok(a, "0");
}

static bool
run_peer_pad(struct agent *a)
{
	return has_pads(a) &&
	       agent_ok(a, "%" PRIu32,
			a->port->ops->peer_spad_read(a->port, (unsigned int)a->arg[0]));
}

static bool
run_peer_pad_set(struct agent *a)
{
	if (!has_pads(a))
		return false;
	a->port->ops->peer_spad_write(a->port, (unsigned int)a->arg[0], (uint32_t)a->arg[1]);
	return agent_ok(a, "0");
}

const struct agent_command register_commands[] = {
	{"ring", 1, false, run_ring},
	{"hear", 2, false, run_hear},
	{"clear", 1, false, run_clear},
	{"unmask", 1, false, run_unmask},
	{"woken", 1, false, run_woken},
	{"pad", 1, false, run_pad},
	{"pad_set", 2, false, run_pad_set},
	{"peer_pad", 1, false, run_peer_pad},
	{"peer_pad_set", 2, false, run_peer_pad_set},
	{NULL, 0, false, NULL},
};
