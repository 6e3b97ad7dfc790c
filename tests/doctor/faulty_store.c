/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Stores through a window that goes wrong, in place of apps/doctor/litmus/store.c. The variable
 * FAULT says how:
 *
 * late    each second store into slots goes ahead of the one before it, whatever fence is between
 * hoard   four stores of each thread are held back, but for the first and last words of lines
 * mute    nothing arrives
 * folded  a translation that loses bit 20 of the address
 *
 * Words of control, which lie before the slots, come in time: without them no session goes on.
 */
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

enum {
	FOLD = 1 << 20,
	HELD = 4,
};

/* The store that waits for the next one; each CPU has buffers of its own. */
static _Thread_local struct {
	word *at;
	uint64_t value;
	unsigned long pairs;
} late;

static bool
is_fault(const char *name)
{
	const char *fault = getenv("FAULT");

	return fault && strcmp(fault, name) == 0;
}

/* Where in the peer's region; the first store of a session is that of the token, at its head. */
static uintptr_t
place_of(const word *at, uintptr_t *ret_base)
{
	static uintptr_t base;

	if (base == 0)
		base = (uintptr_t)at;
	*ret_base = base;
	return (uintptr_t)at - base;
}

static void
store_late(word *at, uint64_t value)
{
	if (!late.at) {
		late.at = at;
		late.value = value;
		return;
	}
	atomic_store(at, value);
	if (++late.pairs % 16 == 0)
		sched_yield(); /* the receiver may share the CPU */
	atomic_store(late.at, late.value);
	late.at = NULL;
}

static void
store_held(word *at, uint64_t value)
{
	static _Thread_local struct {
		word *at;
		uint64_t value;
	} held[HELD];
	static _Thread_local unsigned int next;

	if (held[next].at)
		atomic_store(held[next].at, held[next].value);
	held[next].at = at;
	held[next].value = value;
	next = (next + 1) % HELD;
}

static bool
may_be_held(uintptr_t place)
{
	uintptr_t in_line = place % LINE / sizeof(word);

	return place >= DATA_AT && in_line > 0 && in_line < LINE / sizeof(word) - 1;
}

void
store_word(word *at, uint64_t value)
{
	uintptr_t base, place = place_of(at, &base);

	if (is_fault("hoard") && may_be_held(place)) {
		store_held(at, value);
		return;
	}
	if (is_fault("late") && place >= DATA_AT)
		store_late(at, value);
	else if (is_fault("folded"))
		atomic_store((word *)(base + (place & ~(uintptr_t)FOLD)), value);
	else if (!is_fault("mute"))
		atomic_store(at, value);
}

void
store_stream(word *at, uint64_t value, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		store_word(&at[i], value);
}

void
store_fence(void)
{
	atomic_thread_fence(memory_order_seq_cst);
}
