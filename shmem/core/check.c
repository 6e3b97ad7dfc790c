/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "env.h"
#include "error.h"
#include "heap.h"

/* Thread that opened the library: the one that levels up to FUNNELED allow. */
static const void *main_thread;

const void *
shmemi_thread(void)
{
	static _Thread_local char id;

	return &id;
}

void
shmemi_check_open(void)
{
	const char *value = shmemi_env(SHMEMI_ENV_CHECK);

	shmemi.check = value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
	shmemi.races = shmemi.check && strcmp(value, "races") == 0;
	main_thread = shmemi_thread();
}

void
shmemi_check_thread(const char *call)
{
	if (shmemi.thread_level <= SHMEM_THREAD_FUNNELED && shmemi_thread() != main_thread)
		shmemi_fatal(call, "called by another thread than shmem_init, at thread level %s",
			     shmemi.thread_level == SHMEM_THREAD_SINGLE ? "SHMEM_THREAD_SINGLE"
									: "SHMEM_THREAD_FUNNELED");
}

void
shmemi_check_ctx(const char *call, const struct shmemi_ctx *ctx)
{
	shmemi_check_thread(call);
	if (ctx->rb == NULL)
		shmemi_fatal(call, "context %p was destroyed", (const void *)ctx);
	if ((ctx->options & SHMEM_CTX_PRIVATE) != 0 && ctx->owner != NULL &&
	    ctx->owner != shmemi_thread())
		shmemi_fatal(call, "context %p is private to the thread that created it",
			     (const void *)ctx);
}

static void
check_align(const char *call, const char *what, const void *addr, size_t align)
{
	if ((uintptr_t)addr % align != 0)
		shmemi_fatal(call, "%s address %p is not aligned to %zu bytes", what, addr, align);
}

void
shmemi_check_block(const char *call, const void *addr, size_t len, int pe)
{
	struct shmemi_heap_block b;
	size_t off;

	if (!shmemi_heap_block(addr, &b))
		return;
	if (b.at == NULL)
		shmemi_fatal(call,
			     "address %p (PE %d) is in the symmetric heap, but in no allocated "
			     "block: freed, or never allocated",
			     addr, pe);
	off = (size_t)((const char *)addr - b.at);
	if (off > b.size || len > b.size - off)
		shmemi_fatal(call,
			     "%zu bytes at %p (PE %d) run over the end of their block, which "
			     "begins at %p and has %zu bytes",
			     len, addr, pe, (const void *)b.at, b.size);
}

void
shmemi_check_access(const char *call, const struct shmemi_access *a)
{
	const struct shmemi_span local = {a->local, 1, a->len, a->len};
	const struct shmemi_span remote = {a->remote, 1, a->len, a->len};

	shmemi_check_ctx(call, a->ctx);
	if (a->len == 0)
		return;
	if (a->local == NULL)
		shmemi_fatal(call, "local address is NULL, %zu bytes", a->len);
	check_align(call, "local", a->local, a->align);
	check_align(call, "symmetric", a->remote, a->align);
	shmemi_check_block(call, a->remote, a->len, a->pe);
	if (!a->scattered)
		shmemi_check_block(call, a->local, a->len, shmemi.pe);
	/* The same address twice is let pass: programs do so where a neighbour may be the PE
	 * itself. */
	if (a->scattered)
		return;
	if (a->pe == shmemi.pe && a->local != a->remote && shmemi_overlap(&local, &remote))
		shmemi_fatal(call, "source and dest overlap: %p and %p, %zu bytes", a->local,
			     a->remote, a->len);
	shmemi_check_order(call, a, &remote, a->touch == SHMEMI_ATOMIC ? NULL : &local);
}

/* The symmetric side, and the other one where that is symmetric too. A word that was put is seen
 * whole: who sees it knows that the source was read, and may put there. */
void
shmemi_check_order(const char *call, const struct shmemi_access *a,
		   const struct shmemi_span *remote, const struct shmemi_span *local)
{
	const bool word = a->touch == SHMEMI_WRITE && !a->later && a->len <= sizeof(uint64_t);

	if (!shmemi.races)
		return;
	/* one address for both sides, on one PE as above, has no order with itself */
	if (local != NULL && a->pe == shmemi.pe && local->at == remote->at)
		local = NULL;
	if (local != NULL && word)
		shmemi_race_own(call, local, SHMEMI_READ, false);
	shmemi_race_touch(call, a->pe, remote, a->touch, a->open);
	if (local != NULL && !word)
		shmemi_race_own(call, local, a->touch == SHMEMI_READ ? SHMEMI_WRITE : SHMEMI_READ,
				a->later);
}

void
shmemi_check_local(const char *call, const void *addr, size_t len, size_t align)
{
	shmemi_check_thread(call);
	check_align(call, "symmetric", addr, align);
	if (!rb_symmetric(addr, len))
		shmemi_fail(call, -EFAULT, shmemi.pe, addr, len);
	shmemi_check_block(call, addr, len, shmemi.pe);
}
