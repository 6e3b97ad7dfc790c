/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Which of the runtime's fences become fences of the CPU: all of them over a window that may be
 * write combining, which neither emulated ports nor x86 without such a window can show.
 */

#include <rte_atomic.h>

static unsigned int load_fences, store_fences;
static const uint32_t *seq; /* of a descriptor */
static uint32_t seq_at[2];  /* at the first two store fences */

static void
note_store_fence(void)
{
	if (seq != NULL && store_fences < 2)
		seq_at[store_fences] = *seq;
	store_fences++;
}

#undef rte_rmb
#undef rte_wmb
#define rte_rmb() ((void)load_fences++)
#define rte_wmb() note_store_fence()

#include "link/chan.h"
#include "cases.h"

static void
test_fences(void)
{
	struct rb_link memory = {.wc = true}, window = {.memory = true};

	rb_link_caps(&memory, NTB_CAP_WINDOW_IS_MEMORY);
	rb_link_caps(&window, 0); /* an MTRR may have it write combining all the same */
	CU_ASSERT_TRUE(memory.memory);
	CU_ASSERT_FALSE(window.memory);
	rb_win_rmb(&memory);
	rb_win_order(&memory);
	rb_win_wmb(&memory);
	CU_ASSERT_EQUAL(load_fences + store_fences, 0);
	rb_win_rmb(&window);
	CU_ASSERT_EQUAL(load_fences, 1);
	CU_ASSERT_EQUAL(store_fences, 0);
	rb_win_order(&window);
	CU_ASSERT_EQUAL(store_fences, 1);
	rb_win_wmb(&window);
	CU_ASSERT_EQUAL(store_fences, 2);
	CU_ASSERT_EQUAL(load_fences, 1);
}

/* The body of a descriptor is out before its last word, and that before the call returns. */
static void
test_commit(void)
{
	static struct rb_desc slots[2];
	struct rb_link link = {.wc = true};
	struct rb_tx tx = {.desc = slots};
	const struct rb_desc d = {.len = 8};

	rb.slots = 2;
	rb.announce = false;
	store_fences = 0;
	seq = &slots[0].seq;
	rb_tx_commit(&link, &tx, &d);
	CU_ASSERT_EQUAL(store_fences, 2);
	CU_ASSERT_EQUAL(seq_at[0], 0);
	CU_ASSERT_EQUAL(seq_at[1], 1);
	CU_ASSERT_EQUAL(slots[0].len, 8);
}

TEST_PROGRAM("fences", NULL, NULL, {"over memory and over a window", test_fences},
	     {"a descriptor", test_commit})
