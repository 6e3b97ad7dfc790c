/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "relay/amo.h"

#include <rte_common.h>
#include <rte_prefetch.h>

#include "base/state.h"
#include "base/tsan.h"
#include "base/types.h"
#include "base/wire.h"
#include "link/frame.h"
#include "mem/target.h"

/*
 * One atomicity domain: the host that owns the word executes the CPU instruction, whichever host
 * asked for it. Put-with-signal and locks rely on the sequential consistency.
 */
#define RB_AMO_BODY(type)                                                          \
	static uint64_t apply_##type(type *p, const struct rb_amo *amo)            \
	{                                                                          \
		type v = (type)amo->operand, c = (type)amo->cond;                  \
                                                                                   \
		switch (amo->op) {                                                 \
		case RB_AMO_SET:                                                   \
			__atomic_store_n(p, v, __ATOMIC_SEQ_CST);                  \
			return 0;                                                  \
		case RB_AMO_FETCH:                                                 \
			return __atomic_load_n(p, __ATOMIC_SEQ_CST);               \
		case RB_AMO_SWAP:                                                  \
			return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);        \
		case RB_AMO_CSWAP:                                                 \
			__atomic_compare_exchange_n(p, &c, v, 0, __ATOMIC_SEQ_CST, \
						    __ATOMIC_SEQ_CST);             \
			return c;                                                  \
		case RB_AMO_ADD:                                                   \
		case RB_AMO_FADD:                                                  \
			return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);         \
		case RB_AMO_AND:                                                   \
		case RB_AMO_FAND:                                                  \
			return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);         \
		case RB_AMO_OR:                                                    \
		case RB_AMO_FOR:                                                   \
			return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);          \
		case RB_AMO_XOR:                                                   \
		case RB_AMO_FXOR:                                                  \
			return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST);         \
		case RB_AMO_MAX_OP:                                                \
			break;                                                     \
		}                                                                  \
		return 0;                                                          \
	}

RB_AMO_BODY(uint32_t)
RB_AMO_BODY(uint64_t)

uint64_t
rb_amo_apply(void *addr, const struct rb_amo *amo)
{
	uint64_t old;

	/* the word may belong to another process */
	rb_tsan_release();
	old = amo->size == 4 ? apply_uint32_t(addr, amo) : apply_uint64_t(addr, amo);
	rb_tsan_acquire();
	return old;
}

static inline bool
execute_one(const struct rb_desc *d, uint64_t *old)
{
	const struct rb_amo amo = rb_frame_amo_of(d);

	if (unlikely(!rb_frame_amo_valid(d)))
		return false;
	*old = rb_amo_apply(rb_seg_at(rb.place[d->dst_pe].local, d->seg, d->off), &amo);
	return true;
}

/* Checks copies, since the slot is the neighbour's to change. */
static bool
execute_parts(const struct rb_desc *d, const uint64_t *parts, uint64_t *old)
{
	unsigned int i;

	if (d->len > RB_GATHER * RB_PART || d->len % RB_PART != 0)
		return false;
	/* loads do not pass a locked instruction, so that each line would be waited for in turn */
	for (i = 0; i < d->len / sizeof(*parts); i += RTE_CACHE_LINE_SIZE / sizeof(*parts))
		rte_prefetch0(parts + i);
	for (i = 0; i < d->len / RB_PART; i++) {
		const struct rb_desc one = rb_frame_of_part(parts + i * RB_PART / sizeof(*parts));

		if (one.seg >= RB_SEG_MAX || one.dst_pe >= rb.npes ||
		    rb_pe_host(one.dst_pe) != rb.host || !execute_one(&one, &old[i]))
			return false;
	}
	return true;
}

bool
rb_amo_execute(const struct rb_desc *d, const uint64_t *parts, uint64_t *old)
{
	return likely(d->len == 0) ? execute_one(d, old) : execute_parts(d, parts, old);
}
