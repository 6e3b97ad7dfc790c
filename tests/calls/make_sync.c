/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Making messages, of data and a word that says so, and waits for several words.
 */
#include "call.h"
#include "make.h"
#include "ref.h"

static int
pick_put(int message)
{
	static const int forms[] = {F_P, F_PUT, F_PUT_NBI, F_IPUT, F_IBPUT};

	if (message == M_SIGNAL)
		return rnd_percent(50) ? F_PUT_SIGNAL : F_PUT_SIGNAL_NBI;
	return forms[rnd(5)];
}

static void
want_message(const struct op *op)
{
	static struct team looks;
	int from = thread_of(op->pe, op->lane), to = thread_of(ref_reader(op), op->lane);
	bool third = op->what == M_QUIET_THIRD;
	struct claim c = {.pe = op->to, .at = op_dst(op), .write = true, .by = from, .thread = to};

	want(&c);
	/* The reader may look at the word before the message is sent. */
	looks = (struct team){.n = 1, .pe = {ref_reader(op)}};
	c.pe = ref_reader(op);
	c.at = span_of(op->sig, 8);
	c.before = &looks;
	want(&c);
	c.before = NULL;
	want_source(op);
	if (!third)
		return;
	/* it gets into its own memory what was at dst */
	c.at = ref_read(op);
	c.by = to;
	want(&c);
}

/*
 * pe puts data to `to`, then changes the word sig at the reader, who waits for that and looks at
 * the data. With M_QUIET_THIRD it gets them, into its private memory at cond.
 */
bool
make_message(struct op *op)
{
	int from;

	op->what = (int)rnd(MESSAGES);
	pick_ctx(op);
	op->to = pick_target(op);
	op->third = (int)rnd((size_t)world.npes);
	if (!pick_transfer(op, pick_put(op->what), world.room[R_HEAP] / 8) ||
	    !pick_words(&op->sig, 1, 8))
		return false;
	if (op->what == M_QUIET_THIRD) {
		size_t len = op->n * types[op->type].size;

		if (form_strided(op->form) || len > world.room[R_PRIVATE])
			return false;
		op->cond = rnd(world.room[R_PRIVATE] - len + 1);
	}
	op->cmp = rnd_percent(50) ? SHMEM_CMP_EQ : SHMEM_CMP_NE;
	op->test = rnd_percent(30);
	op->vector = rnd_percent(50); /* the word is added to */
	op->value = rnd64() >> rnd(64);
	want_message(op);
	if (!want_end())
		return false;
	from = thread_of(op->pe, op->lane);
	if (op->what == M_FENCE_SIGNAL || op->what == M_FENCE_AMO || op->what == M_FENCE_P)
		plan_fence(from, op->ctx);
	if (op->what == M_QUIET_AMO || op->what == M_QUIET_THIRD)
		plan_quiet(from, op->ctx, NULL);
	plan_tell(from, thread_of(ref_reader(op), op->lane));
	return true;
}

/* PE `to` waits for n words; word i is changed by from[i], or left out of the wait where that is
 * negative. */
bool
make_wait(struct op *op)
{
	size_t size, i;

	op->what = (int)rnd(WAITS);
	op->type = call_type("wait_until_all");
	size = types[op->type].size;
	op->to = (int)rnd((size_t)world.npes);
	op->n = op->what == W_ONE ? 1 : rnd_length(rnd_percent(80) ? 9 : MAX_PES);
	op->cmp = SHMEM_CMP_EQ + (int)rnd(6);
	op->vector = op->what != W_ONE && rnd_percent(50);
	op->test = rnd_percent(40);
	op->plain = rnd_percent(40); /* nothing left out, status is NULL */
	op->team.n = 0;
	for (i = 0; i < op->n; i++) {
		op->from[i] = (int)rnd((size_t)world.npes);
		if (!op->plain && op->what != W_ONE && rnd_percent(25))
			op->from[i] = -1;
		else if (team_rank(&op->team, op->from[i]) < 0)
			op->team.pe[op->team.n++] = op->from[i];
	}
	if (!pick_words(&op->dst, op->n, size))
		return false;
	want(&(struct claim){.pe = op->to,
			     .at = span_of(op->dst, size * op->n),
			     .write = true,
			     .by = thread_of(op->to, op->lane),
			     .thread = thread_of(op->to, op->lane),
			     .before = &op->team});
	if (!want_end())
		return false;
	for (i = 0; i < (size_t)op->team.n; i++)
		plan_tell(thread_of(op->team.pe[i], op->lane), thread_of(op->to, op->lane));
	return true;
}
