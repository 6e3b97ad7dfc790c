/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_RACE_H
#define SHMEMI_RACE_H

/**
 * @file
 * SHMEM_CHECK=races: accesses to symmetric memory, by calls of the library, that nothing orders.
 * Only called where shmemi.races is set; doc/checked-mode.md says what is seen and what is not.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "span.h"

/** What it takes from the heap. */
size_t shmemi_race_bytes(void);
/** 0, or a negative errno with words */
int shmemi_race_open(const char *call);
void shmemi_race_close(void);

/** Before an access to @p pe's memory; @p s is at this PE's address of it. @p later: it may happen
 *  until a fence or quiet. Ends the job where another access is not ordered with it. */
void shmemi_race_touch(const char *call, int pe, const struct shmemi_span *s,
		       enum shmemi_touch kind, bool later) __attribute__((cold));
/** The same for memory of this PE, if it is symmetric. */
void shmemi_race_own(const char *call, const struct shmemi_span *s, enum shmemi_touch kind,
		     bool later) __attribute__((cold));
/** This PE has seen what others stored into [addr, addr + len) of @p pe. @p plain: a plain store
 * may have been it, so that without a record it is not known what this PE knows now. */
void shmemi_race_acquire(const void *addr, size_t len, int pe, bool plain) __attribute__((cold));
/** A nonblocking fetch: it sees that at the next quiet. */
void shmemi_race_acquire_later(void) __attribute__((cold));
void shmemi_race_fence(void) __attribute__((cold));
void shmemi_race_quiet(void) __attribute__((cold));
/** For a collective: @p out gets shmemi_race_words() counts. The members' largest ones are what all
 *  of them know. @p all: on the team of all PEs */
size_t shmemi_race_words(void);
void shmemi_race_give(uint64_t *out) __attribute__((cold));
void shmemi_race_take(const uint64_t *known, bool all) __attribute__((cold));

#endif /* SHMEMI_RACE_H */
