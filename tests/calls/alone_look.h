/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ALONE_LOOK_H
#define ALONE_LOOK_H

/** @file Looking at what calls return and leave behind; a part of alone.h. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmem.h>

#include "pattern.h"

static int me;
static const char *volatile step[LANES]; /* the call that a thread is in */

/** The bits of @p v as a value of type @p T. */
#define BITS(T, v)                     \
	(((union {                     \
		 unsigned long long u; \
		 T t;                  \
	 }){.u = (v)})                 \
		 .t)

static void wrong(const char *call, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

static void
wrong(const char *call, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "PE %d: FAILED call %s: %s\n", me, call, text);
	shmem_global_exit(3);
}

static void
on_alarm(int sig)
{
	int lane;

	(void)sig;
	for (lane = 0; lane < LANES; lane++)
		if (step[lane] != NULL)
			fprintf(stderr, "PE %d: HANGS call %s\n", me, step[lane]);
	fflush(stderr);
	sleep(2); /* the other PEs print theirs, too */
	_exit(4);
}

/** @p hex as bytes; @p at may be NULL. @return how many there are */
static size_t
bytes(unsigned char *at, const char *hex)
{
	size_t n = strlen(hex) / 2, i;
	unsigned int byte;

	for (i = 0; i < n && at != NULL; i++)
		if (sscanf(hex + 2 * i, "%2x", &byte) == 1)
			at[i] = (unsigned char)byte;
	return n;
}

static void
compare(const char *call, const unsigned char *is, const unsigned char *to_be, size_t len)
{
	size_t i = 0, bad = 0, j;

	while (i < len && is[i] == to_be[i])
		i++;
	if (i == len)
		return;
	for (j = i; j < len; j++)
		bad += is[j] != to_be[j];
	wrong(call, "byte %zu of %zu is %#x, not %#x; %zu bytes differ", i, len, is[i], to_be[i],
	      bad);
}

static void
look(const char *call, const unsigned char *at, const char *hex)
{
	size_t n = bytes(NULL, hex);
	unsigned char *to_be = malloc(n + 1);

	bytes(to_be, hex);
	compare(call, at, to_be, n);
	free(to_be);
}

static void
look_slice(const char *call, const unsigned char *at, size_t len, uint64_t key, size_t from)
{
	unsigned char *to_be = malloc(len + 1);

	pattern_slice(to_be, len, key, from);
	compare(call, at, to_be, len);
	free(to_be);
}

/** What a call returned. */
static void
returned(const char *call, const void *is, size_t size, uint64_t to_be)
{
	uint64_t was = 0;

	memcpy(&was, is, size);
	if (memcmp(&was, &to_be, size) != 0)
		wrong(call, "returns %#llx, not %#llx", (unsigned long long)was,
		      (unsigned long long)to_be);
}

#endif /* ALONE_LOOK_H */
