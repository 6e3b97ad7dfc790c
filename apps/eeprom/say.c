/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdarg.h>
#include <stdio.h>

#include "say.h"

void
complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("ringbell-eeprom: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
}
