/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "survive/hold.h"

#include <stdlib.h>
#include <string.h>

#include "link/cable.h"
#include "link/frame.h"

static struct rb_hold *
copy_of(unsigned int port, const struct rb_desc *d, const uint8_t *payload)
{
	size_t len = rb_frame_slot(d) ? d->len : 0;
	struct rb_hold *h = malloc(sizeof(*h) + len);

	if (h == NULL)
		rb_cable_end(port, "no memory to go on without another one");
	h->d = *d;
	if (len > 0)
		memcpy(h->payload, payload, len);
	return h;
}

void
rb_hold_add(struct rb_hold_list *list, unsigned int port, const struct rb_desc *d,
	    const uint8_t *payload)
{
	struct rb_hold *h = copy_of(port, d, payload);

	TAILQ_INSERT_TAIL(list, h, next);
}

void
rb_hold_sort(struct rb_hold_list *list, unsigned int port, const struct rb_desc *d,
	     const uint8_t *payload)
{
	struct rb_hold *h = copy_of(port, d, payload), *before;

	TAILQ_FOREACH_REVERSE(before, list, rb_hold_list, next)
	if (rb_hold_before(&before->d) <= rb_hold_before(d))
		break;
	if (before == NULL)
		TAILQ_INSERT_HEAD(list, h, next);
	else
		TAILQ_INSERT_AFTER(list, before, h, next);
}

void
rb_hold_drop(struct rb_hold_list *list)
{
	struct rb_hold *h = TAILQ_FIRST(list);

	TAILQ_REMOVE(list, h, next);
	free(h);
}
