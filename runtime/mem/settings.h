/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_MEM_SETTINGS_H
#define RB_MEM_SETTINGS_H

/**
 * @file
 * The settings that must be the same on all PEs of a job. The hello carries a hash of them. Where
 * the hashes differ, the settings themselves are compared, so that the message can name the
 * difference.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rb_settings;

/** Fill in the settings of this PE; after rb_layout(). */
void rb_settings_here(struct rb_settings *s);

/** Hash of the settings of this PE, and of any settings. */
uint32_t rb_settings_hash(void);
uint32_t rb_settings_hash_of(const struct rb_settings *s);

/**
 * Describe the first difference between @p theirs, which are untrusted, and this PE's settings; the
 * text continues a sentence after "has".
 * @return false: there is no difference
 */
bool rb_settings_differ(const struct rb_settings *theirs, char *text, size_t len);

#endif /* RB_MEM_SETTINGS_H */
