/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_STATE_H
#define SHMEMI_STATE_H

/**
 * @file
 * The state of the library, and what teams and contexts are.
 */

#include <stdbool.h>
#include <stddef.h>

#include "rb.h"
/* The names of generic calls must stay names of functions where the library defines them. */
#define SHMEMI_LIBRARY
#include "shmem.h"

/** A team: its members are start, start + stride, ..., or a list. */
struct shmemi_team {
	int start;
	int stride;
	int size;
	int rank;	  /**< this PE's, -1 if it is not a member */
	int *pes;	  /**< [size] the members, owned; NULL: start and stride say them */
	int slot;	  /**< index of its synchronisation words, alike on all members */
	long config_mask; /**< as given at creation */
	shmem_team_config_t config;
	struct coll_team *coll;	  /**< its streams and words, owned by coll/ */
	struct shmemi_ctx *ctxs;  /**< contexts created on it */
	struct shmemi_team *next; /**< teams of the program */
};

/** A communication context. PE arguments of its calls are ranks of its team. */
struct shmemi_ctx {
	struct rb_ctx *rb;
	struct shmemi_team *team;
	long options;
	struct shmemi_ctx *next; /**< contexts of the team, for shmem_team_destroy */
	const void *owner;	 /**< shmemi_thread() of the creator; NULL: not known */
};

/** The library's only root; written by init.c and finalize, read by all. */
struct shmemi_state {
	bool up;    /**< between init and finalize */
	bool child; /**< a process that a PE forked meanwhile; then up is false */
	/** PEs that a call may reach without more checks: all while the library is up, none in the
	 *  checked mode and where calls are counted or traced. One comparison with it stands for
	 * three. */
	unsigned int fast_pes;
	int pe;
	int npes;
	int thread_level; /**< SHMEM_THREAD_* granted */
	bool check;	  /**< SHMEM_CHECK=1: diagnose misuse */
	bool races;	  /**< SHMEM_CHECK=races: and races; then check is set too */
	bool debug;	  /**< SHMEM_DEBUG */
};
#pragma GCC visibility push(hidden) /* so that the linker, not the loader, knows where they are */
extern struct shmemi_state shmemi;
extern struct shmemi_team shmemi_team_world;
extern struct shmemi_team shmemi_team_shared;
extern struct shmemi_ctx shmemi_ctx_default;
#pragma GCC visibility pop

/** World PE of rank @p rank, which is one. */
static inline int
shmemi_team_pe(const struct shmemi_team *team, int rank)
{
	if (__builtin_expect(team->pes != NULL, 0))
		return team->pes[rank];
	return team->start + rank * team->stride;
}

#endif /* SHMEMI_STATE_H */
