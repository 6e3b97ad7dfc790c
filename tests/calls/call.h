/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CALL_H
#define CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shmem.h>

/** Run-time arguments of any call that moves data. A call takes those that it has (call_table.py
 *  says from where), each of the type that its name says. */
struct call {
	shmem_ctx_t ctx;
	shmem_team_t team;
	int pe, root;
	void *dest, *fetch; /* fetch: also where a value goes that is returned */
	const void *source; /* also an operand, or what is compared with */
	const void *cond;
	ptrdiff_t dst, sst;
	size_t n, bsize;
	uint64_t *sig, signal;
	int sig_op;
	/* waits */
	int cmp;
	const int *status;
	size_t *indices;
	/* active sets */
	int start, log_stride, size;
	void *work;
	long *psync;

	size_t ret; /* what is returned and is no data */
};

/** Make the call of that name behind the type's, or with the type's size in its first word; with
 *  c->ctx where it is not @p plain. */
void call_make(struct call *c, bool plain, int type, const char *op);
bool call_has(int type, const char *op);
/** A random type that has it, of those that words of programs have. */
int call_type(const char *op);

/* What call_table.py makes: in the order of their names. */
struct call_row {
	const char *name;
	void (*make)(struct call *c);
};
extern const struct call_row call_rows[];
extern const size_t call_count;

#endif /* CALL_H */
