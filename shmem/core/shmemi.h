/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_H
#define SHMEMI_H

/**
 * @file
 * What the chapters of shmem/ share: the state of the library, teams and contexts as structures,
 * the entry macro, and the checks that every entry makes. Below it stands rb.h and nothing else.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rb.h"
/* The names of generic calls must stay names of functions where the library defines them. */
#define SHMEMI_LIBRARY
#include "shmem.h"

/**
 * Open the definition of an API function: declares pshmem_NAME, makes shmem_NAME a weak alias of
 * it (so that a user's own definition wins at link time, as the profiling interface demands), and
 * starts the body of pshmem_NAME. The library itself never calls shmem_ or pshmem_ names.
 */
#define SHMEMI_EXPORT __attribute__((visibility("default")))
#define SHMEMI_API(ret, name, params)                                                        \
	SHMEMI_EXPORT ret pshmem_##name params;                                              \
	SHMEMI_EXPORT ret shmem_##name params __attribute__((weak, alias("pshmem_" #name))); \
	ret pshmem_##name params

/** A team: world PE of rank i is start + i * stride. */
struct shmemi_team {
	int start;
	int stride;
	int size;
	int rank;	  /**< this PE's, -1 if it is no member */
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
	 *  checked mode. One comparison with it stands for three. */
	unsigned int near_pes;
	unsigned int
		seen_pes; /**< the same while calls are counted or traced; then near_pes is 0 */
	int pe;
	int npes;
	int thread_level; /**< SHMEM_THREAD_* granted */
	bool check;	  /**< SHMEM_CHECK=1: diagnose misuse */
	bool debug;	  /**< SHMEM_DEBUG */
};
#pragma GCC visibility push(hidden) /* so that the linker, not the loader, knows where they are */
extern struct shmemi_state shmemi;
extern struct shmemi_team shmemi_team_world;
extern struct shmemi_team shmemi_team_shared;
extern struct shmemi_ctx shmemi_ctx_default;
#pragma GCC visibility pop

/** Misuse that cannot be gone on from: one line with call, this PE, the argument and its value,
 *  then the end of the job with a non-zero status. */
void shmemi_fatal(const char *call, const char *fmt, ...)
	__attribute__((noreturn, cold, format(printf, 2, 3)));
/** The same for a negative errno that the runtime returned for a remote address. */
void shmemi_fail(const char *call, int err, int pe, const void *addr, size_t len)
	__attribute__((noreturn, cold));

/** A call where the library is not up. */
void shmemi_not_up(const char *call) __attribute__((noreturn, cold));

/** Every call but init, finalize and the queries that section 9.1 allows starts with it. */
static inline void
shmemi_enter(const char *call)
{
	if (__builtin_expect(!shmemi.up, 0))
		shmemi_not_up(call);
}

/** SHMEM_CTX_INVALID is a null pointer, SHMEM_CTX_DEFAULT the address of a known object. */
static inline struct shmemi_ctx *
shmemi_ctx_of(const char *call, shmem_ctx_t handle)
{
	struct shmemi_ctx *ctx = (struct shmemi_ctx *)(void *)handle;

	shmemi_enter(call);
	if (__builtin_expect(handle == SHMEM_CTX_DEFAULT, 1))
		return &shmemi_ctx_default;
	if (handle == SHMEM_CTX_INVALID)
		shmemi_fatal(call, "context is SHMEM_CTX_INVALID");
	return ctx;
}

/** World PE of rank @p pe of the context's team, checked. */
static inline int
shmemi_pe_of(const char *call, const struct shmemi_ctx *ctx, int pe)
{
	const struct shmemi_team *team = ctx->team;

	if (__builtin_expect((unsigned int)pe >= (unsigned int)team->size, 0))
		shmemi_fatal(call, "PE %d is not in 0..%d", pe, team->size - 1);
	return team->start + pe * team->stride;
}

/* ---- check.c ---- */
void shmemi_check_open(void);	 /**< reads SHMEM_CHECK into shmemi.check */
const void *shmemi_thread(void); /**< tells threads apart; never NULL */

/* ---- caller.c ---- */
void shmemi_caller(char *name, size_t size); /**< name of the API call that this thread is in */

/* ---- heap.c ---- */
int shmemi_heap_open(void); /**< fresh allocator over rb_heap_base(); 0 or -errno */
void shmemi_heap_close(void);
/** SHMEM_SYMMETRIC_SIZE or its default. @return false: a bad value */
bool shmemi_heap_wanted(struct rb_params *params);
void *shmemi_heap_tail(void); /**< shmemi_coll_bytes() of zeros, which become memory as needed */
/** Symmetric allocation without the barriers, for the library's own objects. NULL if full. */
void *shmemi_heap_alloc(size_t align, size_t size);
void shmemi_heap_free(void *p);

/* ---- team.c, context.c ---- */
int shmemi_teams_open(void);
void shmemi_teams_close(void);
/** Team handles are pointers; NULL (with no message) for SHMEM_TEAM_INVALID. */
struct shmemi_team *shmemi_team_of(const char *call, shmem_team_t handle);

/* ---- coll/ ---- */
size_t shmemi_coll_bytes(void);	 /**< what it takes of the heap's end */
void shmemi_coll_complete(void); /**< all that the collectives have put */
int shmemi_coll_open(void);	 /**< symmetric words and scratch of all team slots; 0 or -errno */
void shmemi_coll_close(void);
void shmemi_team_sync(struct shmemi_team *team); /**< shmem_team_sync: arrival only */

enum {
	SHMEMI_ALIKE = 4
};

/** What all members of a team are to give alike to a call; the rest is 0. */
struct shmemi_alike {
	const void *dest, *source; /**< symmetric objects */
	struct {
		const char *name; /**< NULL: none */
		int64_t value;
	} arg[SHMEMI_ALIKE];
	bool sync; /**< one of the calls that only synchronise, and may meet each other */
};

/** Checked mode: what every collective begins and ends with, for those that stand elsewhere.
 *  @p alike may be NULL. */
void shmemi_check_team(const char *call, struct shmemi_team *team,
		       const struct shmemi_alike *alike);
void shmemi_check_team_end(struct shmemi_team *team);

/* ---- sync.c: waiting inside the library ---- */
/** Wait until *word >= value (as unsigned), with acquire order. Others write it. */
void shmemi_wait_ge64(const uint64_t *word, uint64_t value);

#endif /* SHMEMI_H */
