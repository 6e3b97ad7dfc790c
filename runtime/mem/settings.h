/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_SETTINGS_H
#define RB_MEM_SETTINGS_H

/**
 * @file
 * What has to be alike on all PEs of a job: a hash of it goes through the hello, and where hashes
 * differ, the settings themselves say in words what is unlike.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rb_settings;

/** Fingerprint of the main executable: its build-id, or what its segments are. */
uint64_t rb_program(void);

/** What holds here; after rb_layout(). */
void rb_settings_here(struct rb_settings *s);

/** The hash of what holds here. */
uint32_t rb_settings_hash(void);
uint32_t rb_settings_hash_of(const struct rb_settings *s);

/**
 * What @p theirs, which is untrusted, has and this PE has not, to follow "has".
 * @return false: nothing
 */
bool rb_settings_differ(const struct rb_settings *theirs, char *text, size_t len);

#endif /* RB_MEM_SETTINGS_H */
