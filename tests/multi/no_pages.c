/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Linked with a program: /proc/self/pagemap says of every page that it was never touched, as it
 * does where an emulator places memory elsewhere. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

int
open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	unsigned int mode;
	va_list ap;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, unsigned int) : 0;
	va_end(ap);
	return next(strcmp(path, "/proc/self/pagemap") == 0 ? "/dev/zero" : path, flags, mode);
}
