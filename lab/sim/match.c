/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "match.h"

enum {
	MAX_MESSAGES = 1 << 24,
	SOON_US = 1, /* a wait that begins so soon after an atomic belongs to it */
};

/* What came to a PE, in order of time. */
struct inbox {
	struct message *message;
	size_t n;
};

static int
compare_messages(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	return x->end < y->end ? -1 : x->end > y->end;
}

static bool
is_message(const struct trace_span *s)
{
	return s->kind == TRACE_PUT || s->kind == TRACE_ATOMIC || s->kind == TRACE_ATOMIC_NBI;
}

static int
count_messages(const struct trace *t, struct match *m)
{
	size_t all = 0, i;
	unsigned int pe;

	for (pe = 0; pe < t->pes; pe++)
		for (i = 0; i < t->pe[pe].n; i++)
			if (is_message(&t->pe[pe].span[i])) {
				m->inbox[t->pe[pe].span[i].pe].n += t->pe[pe].span[i].count;
				all += t->pe[pe].span[i].count;
			}
	if (all > MAX_MESSAGES)
		return -E2BIG;
	for (pe = 0; pe < t->pes; pe++) {
		m->inbox[pe].message = calloc(m->inbox[pe].n + 1, sizeof(struct message));
		if (!m->inbox[pe].message)
			return -ENOMEM;
		m->inbox[pe].n = 0;
	}
	return 0;
}

/* Operations of a span that has several are spread over its time. */
static int
fill_inboxes(const struct trace *t, struct match *m)
{
	unsigned int pe, k;
	uint32_t *sent;
	size_t i;
	int ret = count_messages(t, m);

	if (ret < 0)
		return ret;
	sent = calloc((size_t)t->pes, sizeof(*sent));
	if (!sent)
		return -ENOMEM;
	for (pe = 0; pe < t->pes; pe++) {
		memset(sent, 0, t->pes * sizeof(*sent));
		for (i = 0; i < t->pe[pe].n; i++) {
			const struct trace_span *s = &t->pe[pe].span[i];
			struct inbox *in = &m->inbox[s->pe];

			for (k = 1; is_message(s) && k <= s->count; k++)
				in->message[in->n++] = (struct message){
					s->begin + (s->end - s->begin) * k / s->count, pe,
					++sent[s->pe], s->kind == TRACE_PUT};
		}
	}
	free(sent);
	for (pe = 0; pe < t->pes; pe++)
		qsort(m->inbox[pe].message, m->inbox[pe].n, sizeof(struct message),
		      compare_messages);
	return 0;
}

/* Right behind an atomic stands the wait for its value, where the thread recorded it by itself. */
static bool
is_of_atomic(const struct trace_pe *of, size_t wait)
{
	const struct trace_span *s = &of->span[wait];

	return wait > 0 && s->kind == TRACE_WAIT && s[-1].kind == TRACE_ATOMIC &&
	       s->begin - s[-1].end < SOON_US;
}

/* The message that ended a wait of @p pe, or NULL. */
static const struct message *
find_message(const struct trace *t, const struct match *m, unsigned int pe, size_t span)
{
	const struct trace_span *wait = &t->pe[pe].span[span];
	const struct inbox *in = &m->inbox[pe];
	bool puts = is_of_atomic(&t->pe[pe], span);
	size_t low = 0, high = in->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (in->message[middle].end <= wait->end)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low > 0 && in->message[low - 1].end >= wait->begin; low--)
		if (in->message[low - 1].from != pe && (in->message[low - 1].put || !puts))
			return &in->message[low - 1];
	return NULL;
}

static int
find_waits(const struct trace *t, struct match *m)
{
	unsigned int pe;
	size_t i;

	for (pe = 0; pe < t->pes; pe++) {
		m->wait[pe] = calloc(t->pe[pe].n + 1, sizeof(**m->wait));
		if (!m->wait[pe])
			return -ENOMEM;
		for (i = 0; i < t->pe[pe].n; i++)
			if (t->pe[pe].span[i].kind == TRACE_WAIT)
				m->wait[pe][i] = find_message(t, m, pe, i);
	}
	return 0;
}

int
match_waits(const struct trace *t, struct match *ret)
{
	int result;

	*ret = (struct match){
		.pes = t->pes,
		.inbox = calloc(t->pes, sizeof(*ret->inbox)),
		.wait = calloc(t->pes, sizeof(*ret->wait)),
	};
	if (!ret->inbox || !ret->wait)
		return -ENOMEM;
	result = fill_inboxes(t, ret);
	return result < 0 ? result : find_waits(t, ret);
}

void
match_free(struct match *m)
{
	unsigned int pe;

	for (pe = 0; pe < m->pes; pe++) {
		if (m->inbox)
			free(m->inbox[pe].message);
		if (m->wait)
			free(m->wait[pe]);
	}
	free(m->inbox);
	free(m->wait);
}
