/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/state.h"
#include "copy/copy.h"
#include "copy/tune.h"
#include "cases.h"

/* The table of copy methods: its lines, its file, and what is chosen. */

static int
with(const char *text)
{
	char path[] = "/tmp/rb-tune-XXXXXX";
	int fd = mkstemp(path), ret;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	rb.env.tune = path;
	ret = rb_tune_open();
	rb.env.tune = "none";
	unlink(path);
	return ret;
}

static enum rb_method
put_of(enum rb_dist dist, size_t len)
{
	return rb_method(RB_TUNE_PUT, dist, RB_MEM_HEAP, len);
}

static void
built_in(void)
{
	rb.env.tune = "none";
	CU_ASSERT_EQUAL(rb_tune_open(), 0);
	CU_ASSERT_EQUAL(put_of(RB_DIST_HOST, 1 << 30), RB_METHOD_MEMCPY);
	CU_ASSERT_EQUAL(put_of(RB_DIST_BRIDGE, 4096), RB_METHOD_NT);
	CU_ASSERT_EQUAL(put_of(RB_DIST_BRIDGE, 8), RB_METHOD_MEMCPY);
	CU_ASSERT_EQUAL(rb_method(RB_TUNE_GET, RB_DIST_BRIDGE, RB_MEM_HEAP, 64), RB_METHOD_MEMCPY);
	CU_ASSERT_EQUAL(rb_method(RB_TUNE_GET, RB_DIST_BRIDGE, RB_MEM_HEAP, 65), RB_METHOD_REQUEST);
	/* no device here */
	CU_ASSERT_EQUAL(put_of(RB_DIST_WINDOW, 1 << 30), RB_METHOD_MEMCPY);
}

static void
from_file(void)
{
	CU_ASSERT_EQUAL(with("ringbell-tune 1\nmachine elsewhere\n# words\n\ncache 64K\n"
			     "put window heap warm nt 16K\nput window heap cold nt 1M # late\n"),
			0);
	CU_ASSERT_EQUAL(put_of(RB_DIST_WINDOW, 16 * 1024 - 1), RB_METHOD_MEMCPY);
	CU_ASSERT_EQUAL(put_of(RB_DIST_WINDOW, 16 * 1024), RB_METHOD_NT);
	CU_ASSERT_EQUAL(put_of(RB_DIST_WINDOW, 64 * 1024 + 1), RB_METHOD_MEMCPY);
	CU_ASSERT_EQUAL(put_of(RB_DIST_WINDOW, 1 << 20), RB_METHOD_NT);
	CU_ASSERT_EQUAL(rb_tune_line("put * * * cma 0"), -EINVAL);
	CU_ASSERT_EQUAL(rb_tune_line("put * heap * nt never"), 0);
	CU_ASSERT_EQUAL(put_of(RB_DIST_BRIDGE, 1 << 20), RB_METHOD_MEMCPY);
}

static void
bad_files(void)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"", "empty"},
		{"ringbell-tune 2\n", ":1:"},
		{"put host heap warm nt 1\n", ":1:"},
		{"ringbell-tune 1\nput host heap warm nt\n", ":2:"},
		{"ringbell-tune 1\n\nput host heap warm steam 4K\n", ":3: 'steam'"},
		{"ringbell-tune 1\nput moon heap warm nt 4K\n", "'moon'"},
		{"ringbell-tune 1\n* host heap warm nt 4K\n", "'*'"},
		{"ringbell-tune 1\nput host heap warm nt -4\n", "'-4'"},
		{"ringbell-tune 1\nput host heap warm nt 4Q\n", "'4Q'"},
		{"ringbell-tune 1\nput host heap warm nt 99999999999999999999\n", "size"},
		{"ringbell-tune 1\nput host heap warm nt 1099511627776G\n", "size"},
		{"ringbell-tune 1\nput host heap warm nt 1025G\n", "size"},
		{"ringbell-tune 1\nput host heap warm request 4K\n", "method of get"},
		{"ringbell-tune 1\nget window heap warm dma 4K\n", "method of put"},
		{"ringbell-tune 1\ncache lots\n", "cache 'lots'"},
		{"ringbell-tune 1\nput host heap warm nt 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K "
		 "4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K 4K\n",
		 "longer"},
	};
	size_t i;

	for (i = 0; i < RTE_DIM(bad); i++) {
		int ret = with(bad[i].text);
		bool good = ret == -EINVAL && strstr(rb_error(), bad[i].says) != NULL;

		if (!good)
			printf("\n  %s -> %d, %s\n", bad[i].text, ret, rb_error());
		CU_ASSERT_TRUE(good);
	}
	rb.env.tune = "/nowhere/tune";
	CU_ASSERT_EQUAL(rb_tune_open(), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "RINGBELL_TUNE=/nowhere/tune"));
	rb.env.tune = "/dev/zero";
	CU_ASSERT_EQUAL(rb_tune_open(), -EINVAL);
}

static atomic_bool looking, changed;

/* @return how often private memory of another process would have been copied as if it were mapped
 */
static void *
look(void *arg)
{
	uintptr_t wrong = 0;

	(void)arg;
	atomic_store(&looking, true);
	while (!atomic_load(&changed))
		wrong +=
			rb_method(RB_TUNE_GET, RB_DIST_HOST, RB_MEM_PRIVATE, 4096) != RB_METHOD_CMA;
	return (void *)wrong;
}

/* Another thread chooses methods while the table changes. */
static void
meanwhile(void)
{
	pthread_t thread;
	void *wrong;
	int i;

	rb.env.tune = "none";
	CU_ASSERT_EQUAL(rb_tune_open(), 0);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, look, NULL), 0);
	while (!atomic_load(&looking))
		sched_yield();
	for (i = 0; i < 100000; i++)
		CU_ASSERT_EQUAL(rb_tune_change("none"), 0);
	atomic_store(&changed, true);
	pthread_join(thread, &wrong);
	CU_ASSERT_PTR_NULL(wrong);
}

/* Every alignment and length near a line, by the method that treats lines apart. */
static void
copies(void)
{
	static uint8_t from[1024], to[1024], want[1024];
	size_t d, s, n, i;

	rb_copy_open();
	rb.env.tune = "none";
	CU_ASSERT_EQUAL(rb_tune_open(), 0);
	CU_ASSERT_EQUAL(rb_tune_line("put host heap * nt 0"), 0);
	for (i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)(i * 7 + i / 256);
	for (d = 0; d < 64; d += 3) {
		for (s = 0; s < 64; s += 5) {
			for (n = 0; n < 330; n++) {
				memset(to, 0xee, sizeof(to));
				memset(want, 0xee, sizeof(want));
				memcpy(want + d, from + s, n);
				rb_copy_put(to + d, from + s, n, RB_DIST_HOST, RB_MEM_HEAP, NULL);
				if (memcmp(to, want, sizeof(to)) != 0)
					break;
			}
			CU_ASSERT_EQUAL(n, 330);
		}
	}
	/* overlap: as memmove */
	memcpy(want, from, sizeof(want));
	memmove(want + 8, want, 512);
	rb_copy_put(from + 8, from, 512, RB_DIST_HOST, RB_MEM_HEAP, NULL);
	CU_ASSERT_EQUAL(memcmp(from, want, sizeof(want)), 0);
}

int
main(void)
{
	static const struct test_case cases[] = {
		{"built in", built_in},	  {"from a file", from_file},	   {"bad files", bad_files},
		{"meanwhile", meanwhile}, {"non-temporal copies", copies},
	};

	return run_suite("tune", cases, RTE_DIM(cases));
}
