/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_GONE_H
#define RB_BASE_GONE_H

/**
 * @file
 * Part of rb.h: a host that is lost, where the job goes on without it (RINGBELL_LOST_HOST=error;
 * doc/protocols.md, section 10). From its loss until the survivors have agreed the ring is
 * *stopped*: nothing goes to another host, all waits for others end, and calls that could not do
 * their work note an error of their thread, which names the PE.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"

/** Words that the PEs of a host share. */
struct rb_gone_words {
	_Atomic uint32_t stopped; /**< 1: a host is lost, and the survivors have not agreed */
	_Atomic uint64_t hosts;	  /**< that are lost, as bits */
};

/** Those of this host. Acquire: who sees the ring stopped sees which host is lost. */
extern struct rb_gone_words *rb_gone;

static inline bool
rb_gone_stopped(void)
{
	return __builtin_expect(atomic_load_explicit(&rb_gone->stopped, memory_order_acquire) != 0,
				0);
}

/** Does a wait for others end? Looks once the first polls are over. */
static inline bool
rb_gone_ends(const struct rb_wait *w)
{
	return __builtin_expect(w->slow != 0, 0) && rb_gone_stopped();
}

/** A PE of a lost host: the first one that the launcher found dead; -1: none is. */
int rb_gone_first(void);
/** Is the host of @p pe lost? */
bool rb_gone_pe(int pe);

/** A call of this thread did not do its work. @p pe: the PE that it was for; where that one is
 *  alive, the error names a dead one. */
void rb_gone_note(int pe);
/** Has a call of this thread not done its work since this was asked last? @p pe: the dead PE. */
bool rb_gone_take(int *pe);

/* ---- within the runtime ---- */

/** Does nothing go to @p host? Then it notes the error of an operation for @p pe there. */
bool rb_gone_drops(int host, int pe);

/** Called in each process that learns that the ring is stopped, before its program does. */
extern void (*rb_gone_seen)(void);

/** The words are @p shared from here on; NULL: this process's own, with the same values. */
void rb_gone_share(struct rb_gone_words *shared);

/** @p host is lost; @p pe: its first dead PE. The ring stops. */
void rb_gone_stop(int host, int pe);
/** The survivors have agreed. */
void rb_gone_go_on(void);

/** A cable or a neighbour fails. In a job that goes on without a host, the reason may be that its
 *  processes are gone, and the launcher is about to say so: wait for that, for @p ms at most.
 * @return whether the ring is stopped */
bool rb_gone_explains(int ms);

#endif /* RB_BASE_GONE_H */
