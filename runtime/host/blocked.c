/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/blocked.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/state.h"
#include "base/thread.h"
#include "base/types.h"
#include "base/wire.h"
#include "host/hostseg.h"
#include "mem/target.h"
#include "observe/blocked_table.h"

enum {
	LONG_NS = 100 * 1000 * 1000,
	HELLO_S = 20,
};

static struct rb_blocked_pe own; /* used where this PE shares no table */
static struct rb_blocked_pe *mine = &own;
static const struct rb_blocked_job *job; /* of oshrun; NULL: none */
static void (*name_caller)(char *name, size_t size);
static bool (*missing)(int *local, int *host);

void
rb_block_barrier(bool (*fn)(int *local, int *host))
{
	missing = fn;
}

int
rb_block_open(void (*caller)(char *name, size_t size))
{
	size_t size = rb_blocked_size(rb.env.pes);
	struct stat st;
	void *va;

	name_caller = caller;
	if (rb.env.blocked.fd < 0)
		return 0;
	if (fstat(rb.env.blocked.fd, &st) < 0 || st.st_size < (off_t)size)
		return rb_fail(-EINVAL, "RINGBELL_BLOCKED_FD=%d: not a table of oshrun for %d PEs",
			       rb.env.blocked.fd, rb.env.pes);
	va = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, rb.env.blocked.fd, 0);
	if (va == MAP_FAILED)
		return rb_fail(-errno, "RINGBELL_BLOCKED_FD=%d: %s", rb.env.blocked.fd,
			       strerror(errno));
	rb_file_close(&rb.env.blocked);
	job = va;
	mine = &((struct rb_blocked_job *)va)->pe[rb.env.pe];
	return 0;
}

void
rb_block_host(bool there)
{
	if (job == NULL)
		mine = there ? &rb_hostseg->blocked[rb.local] : &own;
}

void
rb_block_state(enum rb_blocked_state state)
{
	/* release: pairs with the acquire of oshrun, which reads the entries next */
	atomic_store_explicit(&mine->state, state, memory_order_release);
}

const struct rb_blocked_pe *
rb_block_of(int pe)
{
	if (job != NULL)
		return &job->pe[pe];
	return pe == rb.pe ? mine : &rb_hostseg->blocked[rb.place[pe].local];
}

uint64_t
rb_block_since(void)
{
	struct rb_blocked_seen seen;

	return rb_blocked_longest(mine, &seen) ? seen.since : 0;
}

static uint64_t
whom_word(enum rb_blocked_by by, uint64_t id)
{
	return (uint64_t)by << RB_BLOCKED_ID_BITS | (id & ((1ull << RB_BLOCKED_ID_BITS) - 1));
}

static uint64_t
local_pe(int local)
{
	int pe;

	for (pe = 0; pe < rb.npes; pe++)
		if (rb.place[pe].host == rb.host && rb.place[pe].local == local)
			return whom_word(RB_BLOCKED_PE, (uint64_t)pe);
	return whom_word(RB_BLOCKED_OTHERS, 0);
}

static uint64_t
word_at(const void *addr)
{
	struct rb_loc loc;

	if (rb_locate(addr, 1, &loc) < 0)
		return whom_word(RB_BLOCKED_ADDRESS, (uintptr_t)addr);
	return whom_word(loc.seg == RB_SEG_HEAP ? RB_BLOCKED_HEAP : RB_BLOCKED_STATIC, loc.off);
}

static uint64_t
resolve_whom(const struct rb_wait *w)
{
	int local, host;

	switch (w->what) {
	case RB_FOR_PE:
		return whom_word(RB_BLOCKED_PE, w->whom);
	case RB_FOR_LOCAL:
		return local_pe((int)w->whom);
	case RB_FOR_HOST:
		return whom_word(RB_BLOCKED_HOST, w->whom);
	case RB_FOR_WORD:
		return word_at((const void *)(uintptr_t)w->whom);
	case RB_FOR_BARRIER:
		if (missing == NULL || !missing(&local, &host))
			return whom_word(RB_BLOCKED_OTHERS, 0);
		return local >= 0 ? local_pe(local) : whom_word(RB_BLOCKED_HOST, (uint64_t)host);
	default:
		return whom_word(RB_BLOCKED_OTHERS, 0);
	}
}

static struct rb_blocked *
claim_entry(void)
{
	unsigned int i;

	for (i = 0; i < RB_BLOCKED_THREADS; i++) {
		uint32_t idle = 0;

		/* acquire: pairs with the release in rb_block_end() */
		if (atomic_compare_exchange_strong_explicit(&mine->thread[i].taken, &idle, 1,
							    memory_order_acquire,
							    memory_order_relaxed))
			return &mine->thread[i];
	}
	return NULL;
}

static void
note_wait(struct rb_wait *w)
{
	struct rb_blocked *b = claim_entry();
	uint64_t words[RB_BLOCKED_WORDS] = {0};
	char name[RB_BLOCKED_CALL] = "";
	unsigned int i;

	if (b == NULL)
		return;
	if (name_caller != NULL)
		name_caller(name, sizeof(name));
	memcpy(words, name, sizeof(words));
	/* since is 0: pairs with the acquire fence in rb_blocked_read() */
	atomic_thread_fence(memory_order_release);
	for (i = 0; i < RB_BLOCKED_WORDS; i++)
		atomic_store_explicit(&b->call[i], words[i], memory_order_relaxed);
	atomic_store_explicit(&b->whom, resolve_whom(w), memory_order_relaxed);
	atomic_store_explicit(&b->since, w->first, memory_order_release);
	w->noted = b;
}

/* An operation that this thread executes for another PE (host/proxy_client.c) may be the one that
 * blocks: its wait is nested in one of the thread's own, and names the same call. */
void
rb_block_look(struct rb_wait *w)
{
	uint64_t now;

	if (rb_thread_is_service())
		return;
	if (w->noted != NULL) {
		atomic_store_explicit(&((struct rb_blocked *)w->noted)->whom, resolve_whom(w),
				      memory_order_relaxed);
		return;
	}
	now = rb_now_ns();
	if (w->first == 0)
		w->first = now;
	else if (now - w->first >= LONG_NS)
		note_wait(w);
}

void
rb_block_end(struct rb_wait *w)
{
	struct rb_blocked *b = w->noted;

	atomic_store_explicit(&b->since, 0, memory_order_relaxed);
	atomic_store_explicit(&b->taken, 0, memory_order_release);
	w->noted = NULL;
	w->first = 0;
}

/* oshrun knows of each host that ends, and reports one that does not come up. So there is no limit
 * where it starts all hosts: a crowded machine may take long. */
int
rb_block_limit(void)
{
	if (rb.env.hello_timeout != 0)
		return rb.env.hello_timeout;
	return rb_emulated() && !rb.env.per_host_launcher && job != NULL ? 0 : HELLO_S;
}

bool
rb_block_late(uint64_t began, int grace)
{
	uint64_t now = rb_now_ns();
	int limit = rb_block_limit();

	if (limit == 0)
		return false;
	if (job != NULL) {
		uint64_t started = atomic_load_explicit(&job->started, memory_order_relaxed);

		if (started == 0)
			return false;
		began = started > began ? started : began;
	}
	return now > began && now - began > (uint64_t)(limit + grace) * 1000000000u;
}
