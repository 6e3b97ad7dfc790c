/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "ring.h"

/* Ranks the neighbour in direction @p dir is away. */
static int
step(enum coll_dir dir)
{
	return dir == COLL_UP ? 1 : -1;
}

/* Data for the next rank; what is posted afterwards vouches for it. */
static void
put(const struct coll_op *op, enum coll_dir dir, void *dest, const void *data, size_t len)
{
	int pe = coll_pe(op, op->rank + step(dir));
	int err = rb_put(coll_ctx(), pe, dest, data, len);

	if (err != 0)
		shmemi_fail(op->call, err, pe, dest, len);
}

void
coll_send(const struct coll_op *op, enum coll_dir dir, const void *data, size_t len)
{
	struct coll_stream *s = &op->state->stream[dir];
	struct coll_slot *mem = op->state->mem;

	if (s->sent >= COLL_DEPTH)
		shmemi_wait_ge64(&mem->words.stream[dir].freed, s->sent - COLL_DEPTH + 1);
	put(op, dir, mem->buffer[dir][s->sent % COLL_DEPTH], data, len);
	s->sent++;
	coll_post(op, op->rank + step(dir), &mem->words.stream[dir].sent, s->sent);
}

void *
coll_receive(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[dir];
	struct coll_slot *mem = op->state->mem;

	s->received++;
	shmemi_wait_ge64(&mem->words.stream[dir].sent, s->received);
	return mem->buffer[dir][(s->received - 1) % COLL_DEPTH];
}

/* The sender is told for every second buffer: it can go on with the other half. */
void
coll_release(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[dir];

	s->freed++;
	if (s->freed - s->told < COLL_DEPTH / 2)
		return;
	s->told = s->freed;
	coll_post(op, op->rank - step(dir), &op->state->mem->words.stream[dir].freed, s->freed);
}

void
coll_ready(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[dir];

	s->ready_posted++;
	coll_post(op, op->rank - step(dir), &op->state->mem->words.stream[dir].ready,
		  s->ready_posted);
}

void
coll_await_ready(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[dir];

	s->ready_used++;
	shmemi_wait_ge64(&op->state->mem->words.stream[dir].ready, s->ready_used);
}

void
coll_direct_send(const struct coll_op *op, enum coll_dir dir, void *dest, const void *data,
		 size_t len)
{
	struct coll_stream *s = &op->state->stream[dir];

	put(op, dir, dest, data, len);
	s->direct_sent++;
	coll_post(op, op->rank + step(dir), &op->state->mem->words.stream[dir].direct,
		  s->direct_sent);
}

bool
coll_direct_arrived(const struct coll_op *op, enum coll_dir dir)
{
	const uint64_t *word = &op->state->mem->words.stream[dir].direct;

	/* Pairs with the post after the data; the receive that follows acquires. */
	return __atomic_load_n(word, __ATOMIC_RELAXED) > op->state->stream[dir].direct_received;
}

void
coll_direct_receive(const struct coll_op *op, enum coll_dir dir)
{
	struct coll_stream *s = &op->state->stream[dir];

	s->direct_received++;
	shmemi_wait_ge64(&op->state->mem->words.stream[dir].direct, s->direct_received);
}
