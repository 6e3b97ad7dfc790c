/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef KINDS_H
#define KINDS_H

/** @file Kinds of calls, and their variants. */

#include <stdbool.h>

struct op;

/* Who has a part in a call. */
enum part {
	OF_PE,	   /* pe */
	OF_TEAM,   /* all of team */
	OF_READER, /* pe, and who gets the message */
	OF_WAITER, /* to, and team, which wakes it */
};

/* clang-format off */

/* Kind, its functions, how often it comes in an average epoch (an epoch has a taste of its own on
 * top), who has a part in it, and what the reference does; NULL: no memory changes. What one thread
 * makes from SPLIT on, another may use only after they have met; the last three are at the head of
 * an epoch. */
#define KIND_LIST(X) \
	X(RMA, rma, 40, OF_PE, ref_rma) \
	X(AMO, amo, 15, OF_PE, ref_amo) \
	X(SHARED_AMO, shared_amo, 4, OF_TEAM, ref_shared_amo) \
	X(MESSAGE, message, 12, OF_READER, ref_message) \
	X(WAIT, wait, 6, OF_WAITER, ref_wait) \
	X(LOCK, lock, 3, OF_TEAM, ref_lock) \
	X(OVERWRITE, overwrite, 5, OF_PE, ref_overwrite) \
	X(FILL, fill, 4, OF_PE, ref_fill) \
	X(FENCE, fence, 4, OF_PE, NULL) \
	X(QUIET, quiet, 6, OF_PE, NULL) \
	X(SYNC, sync, 5, OF_TEAM, NULL) \
	X(COLL, coll, 20, OF_TEAM, ref_coll) \
	X(SPLIT, split, 3, OF_TEAM, ref_split) \
	X(SPLIT_2D, split_2d, 1, OF_TEAM, ref_split_2d) \
	X(TEAM_END, team_end, 3, OF_TEAM, ref_team_end) \
	X(CTX, ctx, 3, OF_PE, ref_ctx) \
	X(CTX_END, ctx_end, 2, OF_PE, ref_ctx_end) \
	X(ALLOC, heap, 0, OF_TEAM, ref_heap) \
	X(REALLOC, heap, 0, OF_TEAM, ref_heap) \
	X(FREE, heap, 0, OF_TEAM, ref_heap)

#define KIND(K, name, weight, part, ref) K_##K,
enum kind { KIND_LIST(KIND) KINDS };
#undef KIND

/* A call of its kind is made (false: it cannot be), has its effect in the reference, and is run by
 * this PE. */
#define KIND(K, name, weight, part, ref) \
	bool make_##name(struct op *op); \
	void ref_##name(struct op *op); \
	void run_##name(const struct op *op);
KIND_LIST(KIND)
#undef KIND
/* clang-format on */

extern const struct kind_row {
	const char *name;
	unsigned int weight;
	enum part part;
	bool (*make)(struct op *op);
	void (*ref)(struct op *op);
	void (*run)(const struct op *op);
} kinds[KINDS];

enum form {
	F_P,
	F_PUT,
	F_PUT_NBI,
	F_IPUT,
	F_IBPUT,
	F_STORE, /* through shmem_ptr() where there is one */
	F_PUT_SIGNAL,
	F_PUT_SIGNAL_NBI,
	F_G,
	F_GET,
	F_GET_NBI,
	F_IGET,
	F_IBGET,
	FORMS,
};

enum amo {
	A_FETCH,
	A_SWAP,
	A_CSWAP,
	A_FINC,
	A_FADD,
	A_FAND,
	A_FOR,
	A_FXOR,
	A_SET, /* from here on nothing is returned */
	A_INC,
	A_ADD,
	A_AND,
	A_OR,
	A_XOR,
	AMOS,
};

enum message {
	M_SIGNAL,	/* put with signal */
	M_FENCE_SIGNAL, /* put, fence, signal */
	M_FENCE_AMO,	/* put, fence, atomic */
	M_FENCE_P,	/* put, fence, p */
	M_QUIET_AMO,	/* put, quiet, atomic by another context */
	M_QUIET_THIRD,	/* put, quiet, atomic at a third PE, which gets the data */
	MESSAGES,
};

enum wait {
	W_ONE,
	W_ALL,
	W_ANY,
	W_SOME,
	WAITS
};

enum coll {
	C_BROADCAST,
	C_COLLECT,
	C_FCOLLECT,
	C_ALLTOALL,
	C_ALLTOALLS,
	C_AND,
	C_OR,
	C_XOR,
	C_MAX,
	C_MIN,
	C_SUM,
	C_PROD,
	C_INSCAN,
	C_EXSCAN,
	COLLS,
};

enum sync {
	S_TEAM,
	S_ALL,
	S_BARRIER_ALL,
	S_ASET,
	S_ASET_BARRIER,
	SYNCS
};

/* Their names in calls. */
extern const char *const form_names[FORMS], *const wait_names[WAITS], *const coll_names[COLLS];
extern const char *const amo_names[AMOS][2]; /* and in OpenSHMEM 1.3; NULL: none */

#endif /* KINDS_H */
