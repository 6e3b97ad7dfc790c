/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "copy/tune.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "base/state.h"

/*
 * The table of copy methods. A tune file is text with one setting a line, as shmem-perf --tune
 * writes it:
 *
 *     ringbell-tune 1
 *     machine node1
 *     cache 512K
 *     put window heap cold nt 1M
 *
 * `*` stands for any distance, memory kind or warmth. Each line is checked, because the file is
 * untrusted.
 */
struct rb_tune rb_tune;

/* What is read is put together here, and published whole: other threads of the program and service
 * lcores choose methods meanwhile, and without its own method private memory of another process
 * would be copied as if it were mapped here. */
static struct rb_tune draft;

static const char *const ops[] = {"put", "get"};
static const char *const dists[] = {"host", "window", "bridge", "far"};
static const char *const memkinds[] = {"heap", "static", "private"};
static const char *const warmths[] = {"warm", "cold"};
static const char *const methods[] = {"memcpy", "nt", "cma", "dma", "request"};

enum {
	FORMAT = 1,
	LINE_MAX_BYTES = 128,
	FILE_MAX_BYTES = 64 * 1024,
	ANY = -1,
};

/* Index of @p word in @p list; ANY for `*`; ANY - 1: not in the list. */
static int
find_word(const char *word, const char *const *list, int n)
{
	int i;

	if (strcmp(word, "*") == 0)
		return ANY;
	for (i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return i;
	return ANY - 1;
}

#define MOST (1ull << 40)

static int
parse_size(const char *word, uint64_t *ret)
{
	static const char units[] = "KMG";
	unsigned int shift;
	const char *unit;
	char *end;
	uint64_t v;

	*ret = RB_NEVER;
	if (strcmp(word, "never") == 0)
		return 0;
	errno = 0;
	v = strtoull(word, &end, 10);
	if (end == word || *word == '-' || *word == '+' || errno != 0)
		return -EINVAL;
	unit = *end == '\0' ? NULL : strchr(units, *end);
	if (*end != '\0' && (unit == NULL || end[1] != '\0'))
		return -EINVAL;
	shift = unit == NULL ? 0 : 10 * (unsigned int)(unit - units + 1);
	if (v > MOST >> shift)
		return -EINVAL;
	*ret = v << shift;
	return 0;
}

/* Why a method does not fit an operation or a kind of memory; NULL: it fits. */
static const char *
misfit_reason(int op, int buf, int method)
{
	if (method == RB_METHOD_REQUEST && op != RB_TUNE_GET)
		return "request is a method of get";
	if (method == RB_METHOD_DMA && op != RB_TUNE_PUT)
		return "dma is a method of put";
	if (method == RB_METHOD_NT && op != RB_TUNE_PUT)
		return "nt is a method of put";
	if ((method == RB_METHOD_CMA) != (buf == RB_MEM_PRIVATE))
		return "cma is the method of private buffers, and of no others";
	return NULL;
}

static void
set_from(const int key[5], uint64_t from)
{
	int d, b, w;

	for (d = 0; d < RB_DISTS; d++)
		for (b = 0; b < RB_MEM_KINDS; b++)
			for (w = 0; w < RB_WARMTHS; w++)
				if ((key[1] == ANY || key[1] == d) &&
				    (key[2] == ANY || key[2] == b) &&
				    (key[3] == ANY || key[3] == w))
					draft.from[key[0]][d][b][w][key[4]] = from;
}

static int
parse_setting(char *const word[6])
{
	const int key[5] = {
		find_word(word[0], ops, RTE_DIM(ops)),
		find_word(word[1], dists, RTE_DIM(dists)),
		find_word(word[2], memkinds, RTE_DIM(memkinds)),
		find_word(word[3], warmths, RTE_DIM(warmths)),
		find_word(word[4], methods, RTE_DIM(methods)),
	};
	const char *why;
	uint64_t from;
	int i;

	for (i = 0; i < 5; i++)
		if (key[i] < ANY || (key[i] == ANY && (i == 0 || i == 4)))
			return rb_fail(-EINVAL,
				       "'%.16s' in '%.8s ...': want put|get host|window|bridge|far "
				       "heap|static|private warm|cold "
				       "memcpy|nt|cma|dma|request SIZE|never",
				       word[i], word[0]);
	if (parse_size(word[5], &from) < 0)
		return rb_fail(-EINVAL, "invalid size '%.16s'; use for example 64K, or never",
			       word[5]);
	why = misfit_reason(key[0], key[2], key[4]);
	if (why != NULL)
		return rb_fail(-EINVAL, "'%s %s' for '%s': %s", word[0], word[4], word[2], why);
	set_from(key, from);
	return 0;
}

static int
parse_line(const char *line)
{
	char text[LINE_MAX_BYTES], *word[7], *save = NULL, *at;
	int n = 0;

	if (strlen(line) >= sizeof(text))
		return rb_fail(-EINVAL, "'%.16s...': longer than %d bytes", line,
			       LINE_MAX_BYTES - 1);
	strcpy(text, line);
	text[strcspn(text, "#")] = '\0';
	for (at = strtok_r(text, " \t\r\n", &save); at != NULL && n < 7;
	     at = strtok_r(NULL, " \t\r\n", &save))
		word[n++] = at;
	if (n == 0 || strcmp(word[0], "machine") == 0)
		return 0;
	if (n == 2 && strcmp(word[0], "cache") == 0)
		return parse_size(word[1], &draft.cache) == 0
			       ? 0
			       : rb_fail(-EINVAL,
					 "cache '%.16s': invalid size; use for example 512K",
					 word[1]);
	if (n != 6)
		return rb_fail(-EINVAL, "'%.16s ...': %d words, want 6", word[0], n);
	return parse_setting(word);
}

/* Relaxed: each word is right by itself, next to any others; rb_method() loads one after the other.
 */
static void
publish_draft(void)
{
	uint64_t *to = &rb_tune.from[0][0][0][0][0];
	const uint64_t *from = &draft.from[0][0][0][0][0];
	size_t i;

	for (i = 0; i < sizeof(draft.from) / sizeof(*from); i++)
		__atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
	__atomic_store_n(&rb_tune.cache, draft.cache, __ATOMIC_RELAXED);
	memcpy(rb_tune.path, draft.path, sizeof(draft.path));
}

int
rb_tune_line(const char *line)
{
	int ret;

	draft = rb_tune;
	ret = parse_line(line);
	if (ret == 0)
		publish_draft();
	return ret;
}

/* Does the line name this machine, or no machine? Home folders are shared, so a file may be of
 * another machine. */
static bool
is_this_machine(const char *line)
{
	struct utsname name;
	char machine[LINE_MAX_BYTES];

	if (sscanf(line, " machine %127s", machine) != 1)
		return true;
	return uname(&name) < 0 || strcmp(machine, name.nodename) == 0;
}

static void
set_defaults(void)
{
	long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
	unsigned int w, b;

	memset(&draft, 0, sizeof(draft));
	memset(draft.from, 0xff, sizeof(draft.from)); /* RB_NEVER */
	draft.cache = l2 > 0 ? (uint64_t)l2 : 512 * 1024;
	for (w = 0; w < RB_WARMTHS; w++) {
		for (b = RB_MEM_HEAP; b <= RB_MEM_STATIC; b++) {
			/* A write-combining buffer that is not full leaves in pieces. A load
			 * through a bridge costs a round trip of a microsecond for each line. A
			 * device that the user named is meant to be used. */
			draft.from[RB_TUNE_PUT][RB_DIST_BRIDGE][b][w][RB_METHOD_NT] = 128;
			draft.from[RB_TUNE_GET][RB_DIST_BRIDGE][b][w][RB_METHOD_REQUEST] = 65;
			draft.from[RB_TUNE_PUT][RB_DIST_WINDOW][b][w][RB_METHOD_DMA] = 256 * 1024;
			draft.from[RB_TUNE_PUT][RB_DIST_BRIDGE][b][w][RB_METHOD_DMA] = 64 * 1024;
		}
		draft.from[RB_TUNE_PUT][RB_DIST_HOST][RB_MEM_PRIVATE][w][RB_METHOD_CMA] = 0;
		draft.from[RB_TUNE_GET][RB_DIST_HOST][RB_MEM_PRIVATE][w][RB_METHOD_CMA] = 0;
	}
}

/* @return 1: the file was read; 0: it is of another machine; or -errno */
static int
read_lines(FILE *f, const char *path, bool any_machine)
{
	char line[LINE_MAX_BYTES + 1], why[256];
	unsigned int n = 0, format;
	int ret;

	while (fgets(line, sizeof(line), f) != NULL) {
		n++;
		if (n == 1 && (sscanf(line, "ringbell-tune %u", &format) != 1 || format != FORMAT))
			return rb_fail(-EINVAL, "%s:1: want 'ringbell-tune %d'", path, FORMAT);
		if (n == 1)
			continue;
		if (!any_machine && !is_this_machine(line)) {
			set_defaults();
			return 0;
		}
		ret = parse_line(line);
		if (ret < 0) {
			snprintf(why, sizeof(why), "%s", rb_error());
			return rb_fail(ret, "%s:%u: %s", path, n, why);
		}
	}
	if (ferror(f) || n == 0)
		return rb_fail(-EINVAL, "%s: the file is empty or cannot be read", path);
	return 1;
}

static int
read_file(const char *path, bool named)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret;
	struct stat st;
	FILE *f;

	if (fd < 0 && !named && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
		return 0;
	if (fd < 0)
		return rb_fail(-errno, "RINGBELL_TUNE=%s: %s", path, strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX_BYTES) {
		close(fd);
		return rb_fail(-EINVAL, "%s: not a regular file of at most %d bytes", path,
			       FILE_MAX_BYTES);
	}
	f = fdopen(fd, "r");
	if (f == NULL) {
		close(fd);
		return rb_fail(-ENOMEM, "%s: %s", path, strerror(errno));
	}
	ret = read_lines(f, path, named);
	fclose(f);
	if (ret == 1)
		snprintf(draft.path, sizeof(draft.path), "%s", path);
	return ret;
}

/* Where no file is named. */
static int
read_usual_files(void)
{
	const char *home = getenv("HOME"), *config = getenv("XDG_CONFIG_HOME");
	char path[512];
	int ret = 0;

	path[0] = '\0';
	if (config != NULL && *config != '\0')
		snprintf(path, sizeof(path), "%s/ringbell/tune", config);
	else if (home != NULL && *home != '\0')
		snprintf(path, sizeof(path), "%s/.config/ringbell/tune", home);
	if (path[0] != '\0')
		ret = read_file(path, false);
	return ret != 0 ? ret : read_file("/etc/ringbell/tune", false);
}

/* "none": built-in values */
static int
read_table(const char *path)
{
	int ret = 0;

	set_defaults();
	if (*path == '\0')
		ret = read_usual_files();
	else if (strcmp(path, "none") != 0)
		ret = read_file(path, true);
	if (ret < 0)
		return ret;
	publish_draft();
	return 0;
}

int
rb_tune_open(void)
{
	return read_table(rb.env.tune);
}

int
rb_tune_change(const char *path)
{
	return *path == '\0' ? rb_fail(-EINVAL, "no path of a file, nor none") : read_table(path);
}
