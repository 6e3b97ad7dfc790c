/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEM_AMO_H
#define SHMEM_AMO_H

#include <string.h>

#include "core/shmemi.h"

/** One atomic, as the API call gives it. */
struct shmemi_amo {
	const char *call;
	const void *dest;
	void *fetch; /**< where the old value goes; NULL where there is none */
	bool nbi;
	struct rb_amo op;
};

void shmemi_amo(const struct shmemi_amo *amo, shmem_ctx_t ctx, int pe);

/** The bits of a value of 4 or 8 bytes, as the runtime moves them. */
#define SHMEMI_BITS(value)                               \
	({                                               \
		__typeof__(value) value_ = (value);      \
		uint64_t bits_ = 0;                      \
		memcpy(&bits_, &value_, sizeof(value_)); \
		bits_;                                   \
	})

/** Do an atomic that has no result. */
#define SHMEMI_AMO(name, T, kind, ctx, dst, value, pe)         \
	shmemi_amo(                                            \
		&(const struct shmemi_amo){                    \
			.call = name,                          \
			.dest = dst,                           \
			.op = {.op = (enum rb_amo_op)(kind),   \
			       .size = sizeof(T),              \
			       .operand = SHMEMI_BITS(value)}, \
		},                                             \
		ctx, pe)

/** Do one that leaves the old value in @p result. */
#define SHMEMI_FETCH_AMO(name, T, kind, ctx, dst, value, condition, result, is_nbi, pe) \
	shmemi_amo(                                                                     \
		&(const struct shmemi_amo){                                             \
			.call = name,                                                   \
			.dest = dst,                                                    \
			.fetch = result,                                                \
			.nbi = is_nbi,                                                  \
			.op = {.op = (enum rb_amo_op)(kind),                            \
			       .size = sizeof(T),                                       \
			       .operand = SHMEMI_BITS(value),                           \
			       .cond = SHMEMI_BITS(condition)},                         \
		},                                                                      \
		ctx, pe)

#endif /* SHMEM_AMO_H */
