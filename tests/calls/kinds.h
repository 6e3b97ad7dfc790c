/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef KINDS_H
#define KINDS_H

/** @file Kinds of calls, and their variants. */

enum kind {
	K_RMA,
	K_AMO,
	K_SHARED_AMO,
	K_MESSAGE,
	K_WAIT,
	K_LOCK,
	K_OVERWRITE,
	K_FILL,
	K_FENCE,
	K_QUIET,
	K_SYNC,
	K_COLL,
	K_SPLIT,
	K_SPLIT_2D,
	K_TEAM_END,
	K_CTX,
	K_CTX_END,
	K_ALLOC,
	K_REALLOC,
	K_FREE,
	KINDS,
};

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

#endif /* KINDS_H */
