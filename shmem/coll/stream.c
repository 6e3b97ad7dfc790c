/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "ctx.h"
#include "hosts.h"

/* Ranks the neighbour in direction @p dir is away. */
static int
step_to(enum coll_dir dir)
{
	return dir == COLL_UP ? 1 : -1;
}

static struct coll_stream_words *
words_at(const struct coll_op *op, enum coll_dir dir)
{
	return &op->state->mem->words.stream[op->axis][dir];
}

static void *
buffer_at(const struct coll_op *op, enum coll_dir dir, uint64_t number)
{
	uint8_t *buffer = op->state->mem->buffer[dir][number % COLL_DEPTH];
	unsigned int axis;

	for (axis = 0; axis < op->axis; axis++)
		buffer += op->state->map->part[axis];
	return buffer;
}

/* Data for the next rank; what is posted afterwards vouches for it. */
static void
put_data(const struct coll_op *op, enum coll_dir dir, void *dest, const void *data, size_t len)
{
	int pe = coll_pe(op, op->rank + step_to(dir));
	int err = rb_put(coll_ctx(), pe, dest, data, len);

	if (err != 0)
		shmemi_fail(op->call, err, pe, dest, len);
}

bool
coll_may_send(const struct coll_op *op, enum coll_dir dir)
{
	const struct coll_stream *s = &op->state->stream[op->axis][dir];
	const uint64_t *freed = &words_at(op, dir)->freed;

	/* Pairs with the post in coll_release(); the send that follows acquires. */
	return s->sent < COLL_DEPTH ||
	       __atomic_load_n(freed, __ATOMIC_RELAXED) >= s->sent - COLL_DEPTH + 1;
}

/*
 * A member that waits here for a free buffer receives nothing meanwhile. Members that wait here for
 * one another in a circle would wait for ever, so every algorithm follows one of these rules. It
 * can count on COLL_DEPTH - (COLL_DEPTH / 2 - 1) buffers, 3, since the release of one may not have
 * been posted yet.
 *
 * - Chain (broadcast, scan): a member passes on what it received, or nothing; the last one sends
 *   nothing.
 * - Turns (fold_all() in reduce.c): after it has sent one buffer each way, a member receives as
 *   many, of the same turn. A waiting member is then at least two turns ahead of the one it waits
 *   for, which excludes a circle.
 * - Two ways (reduce.c): partial results inwards, results outwards; if those use buffers too, no
 *   member is further ahead of its results than a window of COLL_DEPTH.
 * - Two members (fold_two() in reduce.c): neither sends more than those 3 by either way before it
 *   takes as many.
 * - Any order: ask coll_may_send() first, and receive meanwhile (collect.c).
 *
 * doc/protocols.md has the proof, tests/spin/stream.pml the model.
 */
void
coll_send(const struct coll_op *op, enum coll_dir dir, const void *data, size_t len)
{
	struct coll_stream *s = &op->state->stream[op->axis][dir];

	if (s->sent >= COLL_DEPTH)
		coll_wait(op, op->rank + step_to(dir), &words_at(op, dir)->freed,
			  s->sent - COLL_DEPTH + 1);
	put_data(op, dir, buffer_at(op, dir, s->sent), data, len);
	s->sent++;
	coll_post(op, op->rank + step_to(dir), &words_at(op, dir)->sent, s->sent);
}

bool
coll_arrived(const struct coll_op *op, enum coll_dir dir)
{
	const uint64_t *sent = &words_at(op, dir)->sent;

	/* Pairs with the post in coll_send(); the receive that follows acquires. */
	return __atomic_load_n(sent, __ATOMIC_RELAXED) > op->state->stream[op->axis][dir].received;
}

void *
coll_receive(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[op->axis][dir];

	s->received++;
	coll_wait(op, op->rank - step_to(dir), &words_at(op, dir)->sent, s->received);
	return buffer_at(op, dir, s->received - 1);
}

/* The release is posted for every second buffer: the sender can go on with the other half. */
void
coll_release(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[op->axis][dir];

	s->freed++;
	if (s->freed - s->freed_posted < COLL_DEPTH / 2)
		return;
	s->freed_posted = s->freed;
	coll_post(op, op->rank - step_to(dir), &words_at(op, dir)->freed, s->freed);
}

void
coll_ready(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[op->axis][dir];

	s->ready_posted++;
	coll_post(op, op->rank - step_to(dir), &words_at(op, dir)->ready, s->ready_posted);
}

void
coll_await_ready(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[op->axis][dir];

	s->ready_used++;
	coll_wait(op, op->rank + step_to(dir), &words_at(op, dir)->ready, s->ready_used);
}

void
coll_direct_send(const struct coll_op *op, enum coll_dir dir, void *dest, const void *data,
		 size_t len)
{
	struct coll_stream *s = &op->state->stream[op->axis][dir];

	put_data(op, dir, dest, data, len);
	s->direct_sent++;
	coll_post(op, op->rank + step_to(dir), &words_at(op, dir)->direct, s->direct_sent);
}

bool
coll_direct_arrived(const struct coll_op *op, enum coll_dir dir)
{
	const uint64_t *word = &words_at(op, dir)->direct;

	/* Pairs with the post after the data; the receive that follows acquires. */
	return __atomic_load_n(word, __ATOMIC_RELAXED) >
	       op->state->stream[op->axis][dir].direct_received;
}

void
coll_direct_receive(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[op->axis][dir];

	s->direct_received++;
	coll_wait(op, op->rank - step_to(dir), &words_at(op, dir)->direct, s->direct_received);
}
