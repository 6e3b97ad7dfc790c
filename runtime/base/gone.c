/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/gone.h"

#include <stddef.h>
#include <time.h>

#include "base/state.h"

static struct rb_gone_words own;
struct rb_gone_words *rb_gone = &own;

static void
see_nothing(void)
{
}

void (*rb_gone_seen)(void) = see_nothing;

static _Atomic int first_dead = -1;

/* Errors of this thread. */
static __thread struct {
	bool any;
	int pe;
} error;

int
rb_gone_first(void)
{
	return atomic_load_explicit(&first_dead, memory_order_relaxed);
}

static bool
is_gone(int host)
{
	return (atomic_load_explicit(&rb_gone->hosts, memory_order_acquire) >> host & 1) != 0;
}

bool
rb_gone_pe(int pe)
{
	return is_gone(rb_pe_host(pe));
}

/* Another PE of this host may have heard of the loss first: then some PE of the lost host. */
static int
any_dead(void)
{
	uint64_t hosts = atomic_load_explicit(&rb_gone->hosts, memory_order_acquire);
	int pe = rb_gone_first();

	return pe >= 0 || hosts == 0 ? pe : rb.lead[__builtin_ctzll(hosts)];
}

void
rb_gone_note(int pe)
{
	if (rb_gone_stopped())
		rb_gone_seen();
	error.any = true;
	error.pe = pe >= 0 && pe < rb.npes && rb_gone_pe(pe) ? pe : any_dead();
}

bool
rb_gone_take(int *pe)
{
	bool any = error.any;

	if (any && pe != NULL)
		*pe = error.pe;
	error.any = false;
	return any;
}

bool
rb_gone_drops(int host, int pe)
{
	if (__builtin_expect(!rb_gone_stopped() && !is_gone(host), 1))
		return false;
	rb_gone_note(pe);
	return true;
}

void
rb_gone_share(struct rb_gone_words *shared)
{
	if (shared == NULL) {
		atomic_store(&own.hosts, atomic_load(&rb_gone->hosts));
		atomic_store(&own.stopped, atomic_load(&rb_gone->stopped));
		shared = &own;
	}
	rb_gone = shared;
}

void
rb_gone_stop(int host, int pe)
{
	int none = -1;

	atomic_compare_exchange_strong(&first_dead, &none, pe);
	atomic_fetch_or_explicit(&rb_gone->hosts, 1ull << host, memory_order_relaxed);
	/* release: pairs with the acquire in rb_gone_stopped() */
	atomic_store_explicit(&rb_gone->stopped, 1, memory_order_release);
}

void
rb_gone_go_on(void)
{
	atomic_store_explicit(&rb_gone->stopped, 0, memory_order_release);
}

bool
rb_gone_explains(int ms)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	int i;

	if (rb.env.lost_host != RB_LOST_HOST_ERROR)
		return false;
	for (i = 0; i < ms && !rb_gone_stopped(); i++)
		nanosleep(&moment, NULL);
	return rb_gone_stopped();
}
