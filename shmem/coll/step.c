/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <string.h>

#include "core/state.h"
#include "step.h"

/* Has a member not entered @p step that was last seen on this CPU? */
static bool
missing_here(const struct coll_op *op, uint64_t step)
{
	int i;

	for (i = 0; i < op->n; i++)
		if (__atomic_load_n(&coll_line(op->state->map->peer[i], step)->mark,
				    __ATOMIC_RELAXED) < step &&
		    rb_cpu_here(coll_step_pe(op, i)))
			return true;
	return false;
}

/* Wait until member @p i has entered @p step. */
static void
wait_entered(const struct coll_op *op, int i, uint64_t step)
{
	const uint64_t *mark = &coll_line(op->state->map->peer[i], step)->mark;
	struct rb_wait w = {.what = RB_FOR_PE,
			    .whom = (uint64_t)coll_step_pe(op, i),
			    .leaves = true,
			    .locals = true};
	bool shared = rb_cpu_shared();

	/* acquire: pairs with the release in coll_step_enter() */
	while (__atomic_load_n(mark, __ATOMIC_ACQUIRE) < step) {
		w.here = shared && missing_here(op, step);
		rb_wait_turn(&w);
	}
	rb_wait_end(&w);
}

static bool
have_entered(const struct coll_op *op, uint64_t step)
{
	int i;

	/* acquire: as in wait_entered() */
	for (i = 0; i < op->n; i++)
		if (__atomic_load_n(&coll_line(op->state->map->peer[i], step)->mark,
				    __ATOMIC_ACQUIRE) < step)
			return false;
	return true;
}

void *
coll_step_room(const struct coll_op *op, size_t len)
{
	struct coll_team *t = op->state;
	uint64_t step = t->step + 1, ahead = len <= COLL_SMALL ? COLL_STEPS : COLL_STAGES;
	uint64_t entered = step - ahead + 1;
	int i;

	if (step >= ahead && t->met < entered) {
		/* they are seldom that far behind; if not, there is room for more than this step */
		if (have_entered(op, entered + ahead / 2)) {
			t->met = entered + ahead / 2;
			return coll_line_data(t->mem, step, len);
		}
		/* acquire, in wait_entered(): a member's reading of the line comes before its later
		 * mark */
		for (i = 0; i < op->n; i++)
			wait_entered(op, i, entered);
		t->met = entered;
	}
	return coll_line_data(t->mem, step, len);
}

void
coll_step_enter(const struct coll_op *op, size_t len, uint64_t at)
{
	struct coll_team *t = op->state;
	struct coll_line *line = coll_line(t->mem, ++t->step);

	line->len = len;
	line->at = at;
	rb_cpu_publish();
	/* release: the data, and all that was read in the step before; pairs with the waits */
	__atomic_store_n(&line->mark, t->step, __ATOMIC_RELEASE);
}

void
coll_step_pass(const struct coll_op *op)
{
	struct coll_team *t = op->state;
	struct coll_line *line = coll_line(t->mem, ++t->step);

	rb_cpu_publish();
	/* release: all that was read in the step before; pairs with the waits */
	__atomic_store_n(&line->mark, t->step, __ATOMIC_RELEASE);
}

void
coll_step_contribute(const struct coll_op *op, const void *data, size_t len)
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

	/* a member that is ahead already: fetch what it contributes next while this is copied */
	if (__atomic_load_n(&coll_line(t->map->peer[i], t->step)->mark, __ATOMIC_ACQUIRE) >=
	    t->step)
		__builtin_prefetch(coll_line(t->map->peer[i], t->step + 2));
	else
		wait_entered(op, i, t->step);
	return coll_line(t->map->peer[i], t->step);
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
