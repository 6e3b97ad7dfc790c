/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "shmemx.h"
#include "suite.h"

/* Variables for tools: each is described and readable; counters count what this PE does; settings
 * are those in force, and some change. */

static const char *const settings[] = {
#define RB_ENV(sym, name, kind, def, help) name,
#include "../../runtime/base/env.def"
#undef RB_ENV
#define SHMEM_ENV(symbol, name, older, fallback, help) name,
#include "../../shmem/core/env.def"
#undef SHMEM_ENV
};

static const char *const counters[] = {
	"pe.puts",	 "pe.put_bytes",      "pe.gets",
	"pe.atomics",	 "pe.barriers",	      "link.left.tx_frames",
	"link.right.up", "heap.used_bytes",   "heap.committed_bytes",
	"loss.losses",	 "link.right.stores",
};

static uint64_t
number(const char *name)
{
	uint64_t v = 0;

	CU_ASSERT_EQUAL(shmemx_var_read(shmemx_var_find(name), &v), 0);
	return v;
}

static const char *
text(const char *name)
{
	static char s[512];

	CU_ASSERT_EQUAL(shmemx_var_read_text(shmemx_var_find(name), s, sizeof(s)), 0);
	return s;
}

static void
described(void)
{
	int count = shmemx_var_count(), i, j;
	shmemx_var_t a, b;

	CU_ASSERT(count > 80);
	for (i = 0; i < count; i++) {
		CU_ASSERT_EQUAL_FATAL(shmemx_var_info(i, &a), 0);
		CU_ASSERT(a.name[0] != '\0' && a.help[0] != '\0' && a.unit != NULL);
		CU_ASSERT_EQUAL(shmemx_var_find(a.name), i);
		CU_ASSERT(a.kind == SHMEMX_VAR_SETTING || !a.writable);
		for (j = 0; j < i; j++) {
			CU_ASSERT_EQUAL(shmemx_var_info(j, &b), 0);
			CU_ASSERT(strcmp(a.name, b.name) != 0);
		}
	}
	for (i = 0; i < (int)(sizeof(settings) / sizeof(settings[0])); i++) {
		CU_ASSERT_EQUAL(shmemx_var_info(shmemx_var_find(settings[i]), &a), 0);
		CU_ASSERT_EQUAL(a.kind, SHMEMX_VAR_SETTING);
	}
	for (i = 0; i < (int)(sizeof(counters) / sizeof(counters[0])); i++) {
		CU_ASSERT_EQUAL(shmemx_var_info(shmemx_var_find(counters[i]), &a), 0);
		CU_ASSERT_NOT_EQUAL(a.kind, SHMEMX_VAR_SETTING);
	}
}

static void
misused(void)
{
	int count = shmemx_var_count(), chunk = shmemx_var_find("RINGBELL_CHUNK");
	shmemx_var_t info;
	uint64_t v = 7;
	char s[4];

	CU_ASSERT_EQUAL(shmemx_var_find("RINGBELL_CHUN"), -1);
	CU_ASSERT_EQUAL(shmemx_var_find(NULL), -1);
	CU_ASSERT_EQUAL(shmemx_var_info(-1, &info), -1);
	CU_ASSERT_EQUAL(shmemx_var_info(count, &info), -1);
	CU_ASSERT_EQUAL(shmemx_var_info(0, NULL), -1);
	CU_ASSERT_EQUAL(shmemx_var_read(count, &v), -1);
	CU_ASSERT_EQUAL(shmemx_var_read(chunk, &v), -1);
	CU_ASSERT_EQUAL(shmemx_var_read(0, NULL), -1);
	CU_ASSERT_EQUAL(v, 7);
	CU_ASSERT_EQUAL(shmemx_var_read_text(-1, s, sizeof(s)), -1);
	CU_ASSERT_EQUAL(shmemx_var_read_text(chunk, s, 0), -1);
	CU_ASSERT_EQUAL(shmemx_var_read_text(chunk, s, sizeof(s)), 0);
	CU_ASSERT_STRING_EQUAL(s, "131");
	CU_ASSERT_EQUAL(shmemx_var_write(-1, "1"), -1);
	CU_ASSERT_EQUAL(shmemx_var_write(chunk, "4096"), -1);
	CU_ASSERT_EQUAL(shmemx_var_write(chunk, NULL), -1);
	CU_ASSERT_EQUAL(shmemx_var_write(shmemx_var_find("heap.used_bytes"), "1"), -1);
	CU_ASSERT_STRING_EQUAL(text("RINGBELL_CHUNK"), "131072");
}

static void
counted(void)
{
	static long word;
	uint64_t puts, bytes, gets, amos, barriers;
	long value = 0;
	int i;

	shmem_barrier_all();
	puts = number("pe.puts");
	bytes = number("pe.put_bytes");
	gets = number("pe.gets");
	amos = number("pe.atomics");
	for (i = 0; i < 5; i++)
		shmem_long_p(&word, i, to_right(1));
	CU_ASSERT_EQUAL(number("pe.puts") - puts, 5);
	CU_ASSERT_EQUAL(number("pe.put_bytes") - bytes, 5 * sizeof(long));
	shmem_long_get(&value, &word, 1, to_right(1));
	CU_ASSERT_EQUAL(number("pe.gets") - gets, 1);
	shmem_long_atomic_inc(&word, to_right(1));
	CU_ASSERT_EQUAL(number("pe.atomics") - amos, 1);
	barriers = number("pe.barriers");
	shmem_barrier_all();
	CU_ASSERT_EQUAL(number("pe.barriers") - barriers, 1);
}

static void
of_links(void)
{
	int stores = shmemx_var_find("link.right.stores"), hosts = atoi(text("RINGBELL_HOSTS"));
	static char block[64];
	uint64_t before, after;

	if (hosts == 1) {
		char s[8] = "x";

		CU_ASSERT_EQUAL(shmemx_var_read(stores, &before), 1);
		CU_ASSERT_EQUAL(shmemx_var_read_text(stores, s, sizeof(s)), 1);
		CU_ASSERT_STRING_EQUAL(s, "");
		return;
	}
	CU_ASSERT_EQUAL(number("link.right.up"), 1);
	CU_ASSERT_EQUAL(number("link.right.neighbour"), (uint64_t)to_right(1));
	before = number("link.right.store_bytes");
	shmem_putmem(block, block, sizeof(block), to_right(1));
	after = number("link.right.store_bytes");
	CU_ASSERT(after - before >= sizeof(block));
}

static void
of_the_heap(void)
{
	uint64_t used = number("heap.used_bytes"), largest = number("heap.largest_free_bytes");
	void *p = shmem_malloc(1 << 20);

	CU_ASSERT_EQUAL(number("heap.used_bytes") - used, 1 << 20);
	CU_ASSERT(number("heap.largest_free_bytes") < largest);
	shmem_free(p);
	CU_ASSERT_EQUAL(number("heap.used_bytes"), used);
	CU_ASSERT_EQUAL(number("heap.largest_free_bytes"), largest);
	CU_ASSERT(strtoull(text("SHMEM_SYMMETRIC_SIZE"), NULL, 10) <= number("heap.heap_bytes"));
	/* what the environment asked for can be had in one block */
	p = shmem_malloc(strtoull(text("SHMEM_SYMMETRIC_SIZE"), NULL, 10));
	CU_ASSERT_PTR_NOT_NULL(p);
	shmem_free(p);
}

static void
accepts(const char *name, const char *value, const char *then)
{
	CU_ASSERT_EQUAL(shmemx_var_write(shmemx_var_find(name), value), 0);
	CU_ASSERT_STRING_EQUAL(text(name), then);
}

static void
refuses(const char *name, const char *value, const char *then)
{
	CU_ASSERT_EQUAL(shmemx_var_write(shmemx_var_find(name), value), -1);
	CU_ASSERT_STRING_EQUAL(text(name), then);
}

static void
written(void)
{
	static const char *const modes[] = {"spin", "yield", "sleep"};
	unsigned int i;
	shmemx_var_t info;

	CU_ASSERT_EQUAL(shmemx_var_info(shmemx_var_find("RINGBELL_WAIT"), &info), 0);
	CU_ASSERT(info.writable);
	for (i = 0; i < 3; i++) {
		accepts("RINGBELL_WAIT", modes[i], modes[i]);
		shmem_barrier_all(); /* waits work in each */
	}
	refuses("RINGBELL_WAIT", "run", "sleep");
	CU_ASSERT_EQUAL(shmemx_var_write(shmemx_var_find("RINGBELL_WAIT"), "auto"), 0);
	accepts("RINGBELL_HEAL_TIME", "2K", "2048"); /* as the environment may have it */
	accepts("RINGBELL_HEAL_TIME", "250", "250");
	refuses("RINGBELL_HEAL_TIME", "250 ms", "250");
	refuses("RINGBELL_HEAL_TIME", "-1", "250");
	accepts("SHMEM_CHECK_WAIT", "2.5", "2.5");
	refuses("SHMEM_CHECK_WAIT", "0", "2.5");
	accepts("RINGBELL_TUNE", "none", "none");
	refuses("RINGBELL_TUNE", "/nonexistent/file", "none");
	/* the environment is the program's */
	setenv("RINGBELL_SURVIVE", "no", 1);
	CU_ASSERT_STRING_EQUAL(text("RINGBELL_SURVIVE"), "auto");
}

static CU_TestInfo tests[] = {
	{"described", described}, {"misused", misused},		{"counted", counted},
	{"of links", of_links},	  {"of the heap", of_the_heap}, {"written", written},
	CU_TEST_INFO_NULL,
};

int
main(void)
{
	setenv("RINGBELL_TELEMETRY", "1", 1);
	setenv("SHMEM_SYMMETRIC_SIZE", "8M", 1);
	return suite_main("var", tests);
}
