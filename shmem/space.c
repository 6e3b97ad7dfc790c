/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "space.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/work.h"
#include "core/heap.h"
#include "core/heap_arena.h"
#include "core/shmemi.h"
#include "core/team_table.h"
#include "shmemx.h"
#include "space_agree.h"
#include "space_file.h"
#include "space_place.h"

/*
 * Memory spaces. SHMEM_SPACES makes the heap segment of every PE longer than the heap. A space is a
 * part of that, at the same offset on all members of its team (space_place.h), so an address in it
 * is translated as one of the heap is, by one comparison, and windows, relays and shmem_ptr() reach
 * it.
 */
struct shmemx_space {
	struct shmemi_team *team;
	struct heap_arena *arena;
	struct space_place at;
	size_t page_size;
	char *file; /* of the content; NULL: none */
	struct shmemx_space *next;
};

static struct {
	pthread_mutex_t lock; /* what follows, and the arenas */
	struct shmemx_space *all;
} spaces = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int
check_config(const struct coll_op *op, const shmemx_space_config_t *c)
{
	if (c->size == 0)
		return shmemi_space_refuse(op, "size is 0");
	if (c->page_size != 0 && c->page_size != 4096 && c->page_size != SPACE_GRANULE)
		return shmemi_space_refuse(op, "page_size is none of 0, 4096 and 2097152");
	if (c->node < -1)
		return shmemi_space_refuse(op, "node is less than -1");
	return 0;
}

/* Bring the file, or say what keeps it from coming. */
static int
load_file(struct shmemx_space *s, const char *file)
{
	int err;

	if (file == NULL)
		return 0;
	if (asprintf(&s->file, "%s.%d", file, s->team->rank) < 0) {
		s->file = NULL;
		return -ENOMEM;
	}
	err = shmemi_space_load(s->file, s->at.base, s->at.size);
	if (err != 0)
		shmemi_space_fault("shmemx_space_create", "%s: %s", s->file,
				   err == -EFBIG ? "the file is longer than the space"
						 : strerror(-err));
	return err;
}

static int
no_commit(size_t upto)
{
	(void)upto; /* a space has its memory from the start */
	return 0;
}

/* This PE's part of a space. 0 or -errno, after a line */
static int
fill_part(struct shmemx_space *s, const shmemx_space_config_t *c)
{
	const struct rb_range range = {.from = shmemi_place_offset(&s->at),
				       .size = s->at.size,
				       .node = c->node,
				       .huge = c->page_size == SPACE_GRANULE};
	int err = rb_heap_range(&range);

	if (err != 0)
		return shmemi_space_fault("shmemx_space_create", "%s", rb_error());
	return load_file(s, c->file);
}

/* All members' parts. 0; -1 on all, after a line of those where it failed */
static int
fill_space(const struct coll_op *op, struct shmemx_space *s, const shmemx_space_config_t *c)
{
	bool failed = fill_part(s, c) != 0;

	s->page_size = c->page_size == 0 ? 4096 : c->page_size;
	s->arena = heap_arena_new(s->at.size, s->at.size, s->at.size, no_commit);
	/* none may store into it before its owner has it, and it is there for all or for none */
	return shmemi_space_failed(op, failed || s->arena == NULL) ? -1 : 0;
}

static void
delete_space(struct shmemx_space *s)
{
	heap_arena_delete(s->arena);
	free(s->file);
	free(s);
}

static void
release_space(struct shmemx_space *s)
{
	rb_heap_clear(shmemi_place_offset(&s->at), shmemi_place_offset(&s->at) + s->at.size);
	shmemi_place_give(&s->at);
	delete_space(s);
}

/* With its place alone. NULL: there is none, on any member */
static struct shmemx_space *
new_space(const struct coll_op *op, size_t size)
{
	struct shmemx_space *s = calloc(1, sizeof(*s));

	if (s == NULL)
		shmemi_fatal(op->call, "no memory");
	s->team = op->team;
	if (shmemi_place_take(op, size, &s->at))
		return s;
	free(s);
	return NULL;
}

SHMEMI_EXPORT int
shmemx_space_create(shmem_team_t team, const shmemx_space_config_t *config, shmemx_space_t *space)
{
	struct shmemx_space *s;
	struct coll_op op;

	if (config == NULL || space == NULL)
		shmemi_fatal("shmemx_space_create", "config or space is NULL");
	*space = SHMEMX_SPACE_INVALID;
	if (!coll_begin(&op, "shmemx_space_create", team) || check_config(&op, config) != 0)
		return -1;
	s = new_space(&op, config->size);
	if (s == NULL)
		return -1;
	if (fill_space(&op, s, config) < 0) {
		release_space(s);
		return -1;
	}
	pthread_mutex_lock(&spaces.lock);
	s->next = spaces.all;
	spaces.all = s;
	pthread_mutex_unlock(&spaces.lock);
	*space = s;
	return 0;
}

/* A space that there is. */
static struct shmemx_space *
space_of(const char *call, shmemx_space_t space)
{
	struct shmemx_space *s;

	shmemi_enter(call);
	pthread_mutex_lock(&spaces.lock);
	for (s = spaces.all; s != NULL && s != space; s = s->next)
		;
	pthread_mutex_unlock(&spaces.lock);
	if (s == NULL)
		shmemi_fatal(call, "%p is not a space", (void *)space);
	return s;
}

static void
meet_team(const char *call, struct shmemx_space *s)
{
	static const struct coll_work barrier = {.kind = COLL_WORK_BARRIER, .mixes = true};
	struct coll_op op;

	coll_begin_on(&op, call, s->team);
	coll_work_run(&op, &barrier);
}

static void *
allocate_in(const char *call, shmemx_space_t space, size_t align, size_t size)
{
	struct shmemx_space *s = space_of(call, space);
	void *p = NULL;
	size_t off;

	if (size == 0)
		return NULL;
	pthread_mutex_lock(&spaces.lock);
	if (heap_arena_alloc(s->arena, align, size, &off) == 0)
		p = s->at.base + off;
	pthread_mutex_unlock(&spaces.lock);
	meet_team(call, s);
	return p;
}

SHMEMI_EXPORT void *
shmemx_space_malloc(shmemx_space_t space, size_t size)
{
	return allocate_in("shmemx_space_malloc", space, SHMEMI_HEAP_ALIGN, size);
}

SHMEMI_EXPORT void *
shmemx_space_align(shmemx_space_t space, size_t alignment, size_t size)
{
	if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0 ||
	    alignment > SPACE_GRANULE)
		shmemi_fatal("shmemx_space_align",
			     "alignment %zu is not a power of two from %zu to %d", alignment,
			     sizeof(void *), SPACE_GRANULE);
	return allocate_in("shmemx_space_align", space, alignment, size);
}

SHMEMI_EXPORT void
shmemx_space_free(shmemx_space_t space, void *ptr)
{
	struct shmemx_space *s = space_of("shmemx_space_free", space);
	int err;

	if (ptr == NULL)
		return;
	meet_team("shmemx_space_free", s);
	pthread_mutex_lock(&spaces.lock);
	err = (char *)ptr < s->at.base
		      ? -EINVAL
		      : heap_arena_free(s->arena, (size_t)((char *)ptr - s->at.base));
	pthread_mutex_unlock(&spaces.lock);
	if (err != 0)
		shmemi_fatal("shmemx_space_free", "%p is not the start of a block of the space",
			     ptr);
}

/* The content of all members at one point of the program. */
static int
flush_space(const char *call, struct shmemx_space *s)
{
	struct coll_op op;
	int err;

	meet_team(call, s);
	if (s->file == NULL)
		return 0;
	err = shmemi_space_store(s->file, s->at.base, s->at.size);
	if (err != 0)
		shmemi_space_fault(call, "%s: %s", s->file, strerror(-err));
	coll_begin_on(&op, call, s->team);
	return shmemi_space_failed(&op, err != 0) ? -1 : 0;
}

SHMEMI_EXPORT int
shmemx_space_flush(shmemx_space_t space)
{
	return flush_space("shmemx_space_flush", space_of("shmemx_space_flush", space));
}

static int
destroy_space(const char *call, struct shmemx_space *s)
{
	int ret = flush_space(call, s);
	struct shmemx_space **at;

	pthread_mutex_lock(&spaces.lock);
	for (at = &spaces.all; *at != s; at = &(*at)->next)
		;
	*at = s->next;
	pthread_mutex_unlock(&spaces.lock);
	release_space(s);
	return ret;
}

SHMEMI_EXPORT int
shmemx_space_destroy(shmemx_space_t space)
{
	return destroy_space("shmemx_space_destroy", space_of("shmemx_space_destroy", space));
}

static struct shmemx_space *
find_of_team(const struct shmemi_team *team)
{
	struct shmemx_space *s;

	pthread_mutex_lock(&spaces.lock);
	for (s = spaces.all; s != NULL && s->team != team; s = s->next)
		;
	pthread_mutex_unlock(&spaces.lock);
	return s;
}

void
shmemi_spaces_leave(struct shmemi_team *team)
{
	struct shmemx_space *s;

	while ((s = find_of_team(team)) != NULL)
		(void)destroy_space("shmem_team_destroy", s);
}

void
shmemi_spaces_close(void)
{
	struct shmemx_space *s;

	while ((s = spaces.all) != NULL) {
		spaces.all = s->next;
		delete_space(s);
	}
	shmemi_places_close();
}

SHMEMI_EXPORT int
shmemx_space_query(shmemx_space_t space, shmemx_space_info_t *info)
{
	struct shmemx_space *s;

	if (space == SHMEMX_SPACE_INVALID || info == NULL)
		return -1;
	s = space_of("shmemx_space_query", space);
	*info = (shmemx_space_info_t){.base = s->at.base,
				      .size = s->at.size,
				      .page_size = s->page_size,
				      .node = rb_heap_node(s->at.base)};
	pthread_mutex_lock(&spaces.lock);
	heap_arena_usage(s->arena, &info->used, &info->largest_free);
	pthread_mutex_unlock(&spaces.lock);
	return 0;
}

SHMEMI_EXPORT int
shmemx_heap_query(shmemx_space_info_t *info)
{
	struct shmemi_heap_usage heap;

	shmemi_enter("shmemx_heap_query");
	if (info == NULL)
		return -1;
	shmemi_heap_usage(&heap);
	*info = (shmemx_space_info_t){.base = rb_heap_base(),
				      .size = heap.size,
				      .used = heap.used,
				      .largest_free = heap.largest,
				      .page_size = 4096,
				      .node = rb_heap_node(rb_heap_base())};
	return 0;
}
