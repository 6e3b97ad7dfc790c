/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char last_error[512];

int
rb_fail(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(last_error, sizeof(last_error), fmt, ap);
	va_end(ap);
	return err;
}

const char *
rb_error(void)
{
	return last_error;
}

void
rb_error_clear(void)
{
	last_error[0] = '\0';
}

const char *
rb_strerror(int err)
{
	switch (err) {
	case -EFAULT:
		return "address is not in the symmetric heap or static data";
	case -ENOMEM:
		return "out of memory";
	default:
		return strerror(-err);
	}
}
