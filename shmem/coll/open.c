/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "aset.h"
#include "attach.h"
#include "core/heap.h"
#include "ctx.h"
#include "open.h"
#include "posted.h"
#include "slot.h"
#include "words.h"

size_t
coll_heap_bytes(void)
{
	return COLL_SLOTS * sizeof(struct coll_slot);
}

int
coll_open(void)
{
	int err;

	_Static_assert(sizeof(struct coll_words) % 64 == 0, "buffers start on a cache line");
	err = coll_ctx_open();
	if (err != 0)
		return err;
	/* of 64 slots a program uses two or three: the others never become memory */
	coll_states_open(shmemi_heap_tail());
	coll_slots_open();
	coll_posted_open();
	return 0;
}

void
coll_close(void)
{
	coll_posted_close();
	coll_aset_close();
	coll_states_close();
	coll_ctx_close();
}
