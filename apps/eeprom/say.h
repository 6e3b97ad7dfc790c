/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SAY_H
#define SAY_H

/* Exit statuses, and the line that each failure has. */

enum {
	STATUS_FINE = 0,
	STATUS_FOUND = 1,   /* findings, or a difference */
	STATUS_TROUBLE = 2, /* what was asked for was not done */
};

/* One line on standard error, with the program's name. */
__attribute__((format(printf, 1, 2))) void complain(const char *fmt, ...);

#endif /* SAY_H */
