/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "step.h"

void *
coll_step_room(const struct coll_op *op, size_t len)
{
	struct coll_team *t = op->state;
	uint64_t step = t->step + 1, entered = step - COLL_STEPS + 1;
	int i;

	/* acquire, in the wait: a member's reading of the line comes before its later mark */
	if (step >= COLL_STEPS && t->met < entered) {
		for (i = 0; i < op->n; i++)
			shmemi_wait_ge64(&coll_line(t->map->peer[i], entered)->mark, entered);
		t->met = entered;
	}
	return coll_line_data(t->mem, step, len);
}

void
coll_step_enter(const struct coll_op *op, size_t len, uint64_t at)
{
	struct coll_team *t = op->state;
	struct coll_line *line = coll_line(t->mem, ++t->step);

	(void)op;
	line->len = len;
	line->at = at;
	/* release: the data, and all that was read in the step before; pairs with the waits */
	__atomic_store_n(&line->mark, t->step, __ATOMIC_RELEASE);
}

void
coll_step_bring(const struct coll_op *op, const void *data, size_t len)
{
	void *to = coll_step_room(op, len);

	if (len != 0)
		memcpy(to, data, len);
	coll_step_enter(op, len, 0);
}

const struct coll_line *
coll_step_wait(const struct coll_op *op, int i)
{
	const struct coll_team *t = op->state;
	const struct coll_line *line = coll_line(t->map->peer[i], t->step);

	shmemi_wait_ge64(&line->mark, t->step);
	return line;
}

void
coll_step_all(const struct coll_op *op)
{
	int i;

	for (i = 0; i < op->n; i++)
		coll_step_wait(op, i);
	op->state->met = op->state->step;
}

const void *
coll_step_data(const struct coll_op *op, int i, size_t len)
{
	struct coll_slot *peer = op->state->map->peer[i];
	const struct coll_line *line = coll_line(peer, op->state->step);

	if (line->at != 0)
		return rb_sym_at(line->at, len, coll_step_pe(op, i));
	return len <= COLL_STAGE ? coll_line_data(peer, op->state->step, len) : NULL;
}
