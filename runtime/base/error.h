/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_ERROR_H
#define RB_BASE_ERROR_H

/**
 * @file
 * Errors: negative errno values, and one line of text for the last failed rb_open().
 */

/** Remember one line for rb_error() and return @p err, so that callers can return it. */
int rb_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

const char *rb_error(void);
/** Forget them. */
void rb_error_clear(void);	  /**< one line for the last failed rb_open(), without newline */
const char *rb_strerror(int err); /**< text for a negative errno that the runtime returned */

#endif /* RB_BASE_ERROR_H */
