/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/heap.h"
#include "core/shmemi.h"
#include "coll/check.h"
#include "memory.h"

/*
 * Memory management (section 9.3). The allocator needs no messages (heap_arena.h), but a PE may
 * lack physical memory where the others do not, and NULL must be returned by all or by none. Such a
 * PE stores that into a word of every other PE before the barrier at the end of the call; calls
 * that succeed pay nothing. Two words are used in turn: a PE that writes the word of call n + 2 has
 * left the barrier of call n + 1, so every PE has read the word of call n.
 */
struct heap_words {
	uint64_t failed[2]; /* number of the call that failed on some PE */
};

static struct {
	struct heap_words *words;
	uint64_t calls;
} memory;

static void
barrier_all(void)
{
	shmemi_check_quiet(rb_ctx_default);
	rb_quiet(rb_ctx_default);
	rb_barrier();
}

/* The library's own words can always be reached, unless the allocator is broken. */
static void
tell_pe(const char *call, int pe, uint64_t *word, uint64_t value)
{
	int err = rb_put(rb_ctx_default, pe, word, &value, sizeof(value));

	if (err != 0)
		shmemi_fail(call, err, pe, word, sizeof(value));
}

/*
 * The barrier at the end of a call. @return whether all PEs succeeded; @p err is this PE's result.
 * An error that all PEs find by themselves (-ENOSPC) needs no message.
 */
static bool
agree_on_result(const char *call, int err)
{
	uint64_t n = ++memory.calls;
	unsigned int i = n & 1;
	int pe;

	if (err == -ENOMEM) {
		for (pe = 0; pe < shmemi.npes; pe++)
			tell_pe(call, pe, &memory.words->failed[i], n);
	}
	barrier_all();
	return err == 0 && __atomic_load_n(&memory.words->failed[i], __ATOMIC_RELAXED) != n;
}

/*
 * Few programs check the result, so the first failure prints why the program is about to crash. A
 * full heap is full on all PEs, so PE 0 prints it; a PE that lacks memory prints that itself.
 */
static void
tell_short(const char *call, size_t size, int err)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if ((err != -ENOMEM && (err != -ENOSPC || shmemi.pe != 0)) ||
	    atomic_flag_test_and_set(&told))
		return;
	if (err == -ENOSPC)
		fprintf(stderr,
			"%s: no room for %zu bytes in the symmetric heap of %zu; "
			"SHMEM_SYMMETRIC_SIZE=SIZE makes it larger\n",
			call, size, rb_heap_size());
	else
		fprintf(stderr, "PE %d: %s of %zu bytes: %s\n", shmemi.pe, call, size,
			shmemi_heap_why());
}

static void *
allocate_block(const char *call, size_t align, size_t size, bool zero)
{
	const struct coll_signature sig = {
		.arg = {{"size", (int64_t)size}, {"alignment", (int64_t)align}}};
	void *p = NULL;
	int err;

	shmemi_enter(call);
	if (size == 0)
		return NULL;
	shmemi_check_team(call, &shmemi_team_world, &sig);
	err = shmemi_heap_place(align, size, &p);
	/* Before the barrier: after it, others may write. */
	if (err == 0 && zero)
		memset(p, 0, size);
	if (!agree_on_result(call, err)) {
		if (err == 0)
			shmemi_heap_free(p);
		p = NULL;
		tell_short(call, size, err);
	}
	shmemi_check_team_end(&shmemi_team_world);
	return p;
}

SHMEMI_API(void *, malloc, (size_t size))
{
	return allocate_block("shmem_malloc", SHMEMI_HEAP_ALIGN, size, false);
}

SHMEMI_API(void *, calloc, (size_t count, size_t size))
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		bytes = SIZE_MAX;
	return allocate_block("shmem_calloc", SHMEMI_HEAP_ALIGN, bytes, true);
}

SHMEMI_API(void *, align, (size_t alignment, size_t size))
{
	/* shmemalign() of OpenSHMEM 1.0 took 2 and 4, and programs still ask for them */
	if (alignment < sizeof(void *) && alignment != 0 && !shmemi.check &&
	    (alignment & (alignment - 1)) == 0)
		alignment = sizeof(void *);
	if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
		if (shmemi.check)
			shmemi_fatal("shmem_align",
				     "alignment %zu is not a power of two and a multiple of %zu",
				     alignment, sizeof(void *));
		return NULL; /* section 9.3: so does every PE, as all give the same one */
	}
	return allocate_block("shmem_align", alignment, size, false);
}

/* Hints promise how memory will be used; all of ours serves atomics and signals alike. */
SHMEMI_API(void *, malloc_with_hints, (size_t size, long hints))
{
	(void)hints;
	return allocate_block("shmem_malloc_with_hints", SHMEMI_HEAP_ALIGN, size, false);
}

/* Bytes of the block at @p p; whatever shmem_malloc did not return ends the job. */
static size_t
block_size(const char *call, const void *p)
{
	size_t size = shmemi_heap_size(p);

	if (size == 0)
		shmemi_fatal(call, "%p is not the start of an allocated block", p);
	return size;
}

static void
release_block(const char *call, void *p)
{
	const struct coll_signature sig = {.dest = p};

	(void)block_size(call, p);
	shmemi_check_team(call, &shmemi_team_world, &sig);
	barrier_all();
	shmemi_heap_free(p);
	shmemi_check_team_end(&shmemi_team_world);
}

SHMEMI_API(void, free, (void *ptr))
{
	shmemi_enter("shmem_free");
	if (ptr != NULL)
		release_block("shmem_free", ptr);
}

/* In place where that is possible. All PEs come to the same answer, since it depends on the arena
 * alone; a PE without memory fails either way. */
static void *
reallocate_block(const char *call, void *old, size_t size)
{
	const struct coll_signature sig = {.dest = old, .arg = {{"size", (int64_t)size}}};
	size_t had = block_size(call, old);
	void *p = old;
	int err;

	shmemi_check_team(call, &shmemi_team_world, &sig);
	barrier_all();
	err = shmemi_heap_resize(old, size);
	if (err == -ENOSPC) {
		err = shmemi_heap_place(SHMEMI_HEAP_ALIGN, size, &p);
		if (err == 0)
			memcpy(p, old, had < size ? had : size);
	}
	if (!agree_on_result(call, err)) {
		if (err == 0 && p != old)
			shmemi_heap_free(p);
		else if (err == 0)
			(void)shmemi_heap_resize(old, had);
		p = NULL;
		tell_short(call, size, err);
	} else {
		if (p != old)
			shmemi_heap_free(old);
	}
	shmemi_check_team_end(&shmemi_team_world);
	return p;
}

SHMEMI_API(void *, realloc, (void *ptr, size_t size))
{
	shmemi_enter("shmem_realloc");
	if (ptr == NULL)
		return allocate_block("shmem_realloc", SHMEMI_HEAP_ALIGN, size, false);
	if (size != 0)
		return reallocate_block("shmem_realloc", ptr, size);
	release_block("shmem_realloc", ptr);
	return NULL;
}

size_t
shmemi_memory_bytes(void)
{
	return sizeof(struct heap_words);
}

int
shmemi_memory_open(void)
{
	memory.calls = 0;
	memory.words = shmemi_heap_alloc(SHMEMI_HEAP_ALIGN, sizeof(*memory.words));
	if (memory.words == NULL)
		return -ENOMEM;
	memset(memory.words, 0, sizeof(*memory.words));
	return 0;
}
