/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "observe/stats.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/link.h"
#include "base/route.h"
#include "base/rules.h"
#include "base/state.h"

__thread struct rb_stats *rb_stats_self __attribute__((tls_model("initial-exec")));

static struct rb_stats_pe own;	   /* used where this PE is the only one of its host */
static struct rb_stats_pe *shared; /* of the host's PEs, in the host segment; NULL: not mapped */
static pthread_key_t thread_key;

void
rb_stats_attach(struct rb_stats_pe *pes)
{
	shared = pes;
}

struct rb_stats_pe *
rb_stats_of(int local)
{
	return rb.locals > 1 ? &shared[local] : &own;
}

static void
give_back(void *slot)
{
	struct rb_stats_pe *pe = rb_stats_of(rb.local);
	unsigned int i;

	if (rb.locals > 1 && shared == NULL) /* the process ends */
		return;
	i = (unsigned int)((struct rb_stats *)slot - pe->thread);
	/* release: pairs with the acquire of the thread that claims the slot next and continues its
	 * counts */
	atomic_fetch_and_explicit(&pe->used, ~(1ull << i), memory_order_release);
}

/* Where threads outnumber slots, several share the last slot, and some of their counts are lost. */
struct rb_stats *
rb_stats_claim(void)
{
	struct rb_stats_pe *pe = rb_stats_of(rb.local);
	uint64_t used = atomic_load_explicit(&pe->used, memory_order_relaxed), bit;

	do {
		if (used == UINT64_MAX) {
			rb_stats_self = &pe->thread[RB_STATS_THREADS - 1];
			return rb_stats_self;
		}
		bit = ~used & (used + 1);
	} while (!atomic_compare_exchange_weak_explicit(
		&pe->used, &used, used | bit, memory_order_acquire, memory_order_relaxed));
	rb_stats_self = &pe->thread[__builtin_ctzll(bit)];
	pthread_setspecific(thread_key, rb_stats_self);
	return rb_stats_self;
}

unsigned int
rb_stats_slot(void)
{
	return (unsigned int)(rb_stats_mine() - rb_stats_of(rb.local)->thread);
}

int
rb_stats_open(void)
{
	if (rb.instrument == 0)
		return 0;
	if (pthread_key_create(&thread_key, give_back) != 0)
		return rb_fail(-EAGAIN, "no thread-specific key is free for the counters");
	rb_stats_mine(); /* the first slot belongs to the thread that starts the library */
	return 0;
}

void
rb_stats_store(unsigned int port, uint64_t len)
{
	struct rb_stats *s;

	if (likely((rb.instrument & RB_INSTRUMENT_COUNT) == 0))
		return;
	s = rb_stats_mine();
	rb_count(&s->stores[port], 1);
	rb_count(&s->store_bytes[port], len);
}

void
rb_stats_load(unsigned int port, uint64_t len)
{
	struct rb_stats *s;

	if (likely((rb.instrument & RB_INSTRUMENT_COUNT) == 0))
		return;
	s = rb_stats_mine();
	rb_count(&s->loads[port], 1);
	rb_count(&s->load_bytes[port], len);
}

void
rb_stats_put_count(int pe, uint64_t len, bool direct)
{
	int host = rb_pe_host(pe);
	struct rb_stats *s = rb_stats_mine();

	rb_count(&s->puts, 1);
	rb_count(&s->put_bytes, len);
	if (direct && host != rb.host)
		rb_stats_store(rb_route_port(host), len);
}

void
rb_stats_get_count(int pe, uint64_t len, bool direct)
{
	int host = rb_pe_host(pe);
	struct rb_stats *s = rb_stats_mine();

	rb_count(&s->gets, 1);
	rb_count(&s->get_bytes, len);
	if (direct && host != rb.host)
		rb_stats_load(rb_route_port(host), len);
}
