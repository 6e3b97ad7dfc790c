/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "observe/loss.h"

#include <stdatomic.h>

#include "base/thread.h"
#include "observe/span.h"
#include "observe/trace_file.h"

static _Atomic uint64_t lost; /* cable + 1; 0: none */
static _Atomic uint64_t since, pauses, paused, longest;

static uint64_t
load_word(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void
store_word(_Atomic uint64_t *word, uint64_t v)
{
	atomic_store_explicit(word, v, memory_order_relaxed);
}

void
rb_loss_begin(unsigned int cable)
{
	store_word(&since, rb_now_ns());
	store_word(&lost, cable + 1);
	rb_span_mark(RB_TRACE_LOST, cable);
}

void
rb_loss_pause(uint64_t ns)
{
	uint64_t most = load_word(&longest);

	atomic_fetch_add_explicit(&pauses, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&paused, ns, memory_order_relaxed);
	while (most < ns &&
	       !atomic_compare_exchange_weak_explicit(&longest, &most, ns, memory_order_relaxed,
						      memory_order_relaxed))
		;
}

struct rb_loss
rb_loss_seen(void)
{
	uint64_t most = load_word(&longest); /* before the sum, which is raised first */

	return (struct rb_loss){
		.cable = (int)load_word(&lost) - 1,
		.since = load_word(&since),
		.pauses = load_word(&pauses),
		.paused = load_word(&paused),
		.longest = most,
	};
}
