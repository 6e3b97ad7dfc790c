/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/available.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* File names of each version (admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst). */
static const struct version {
	const char *fs, *limit, *usage, *cache, *events;
} versions[] = {
	{"cgroup2", "memory.max", "memory.current", "inactive_file", "memory.events"},
	{"cgroup", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
	 "memory.oom_control"},
};

enum {
	VERSIONS = sizeof(versions) / sizeof(versions[0]),
};

/* Where the groups of a version are mounted, and the group of this process in them. */
struct mount {
	char root[PATH_MAX], point[PATH_MAX];
	char path[PATH_MAX];
};

enum {
	KEEP_SHARE = 32, /* this part of a limit stays free, for other needs of processes */
	KEEP_MOST = 256 << 20,
	KEEP_LEAST = 4 << 20,
	LINE_MAX_BYTES = 8192,
};

static uint64_t
smaller_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static FILE *
open_file(const char *root, const char *dir, const char *name)
{
	char path[3 * PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s%s%s", root, dir, name) >= sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* Reads a file that holds one number. False: it holds a word such as "max", or does not exist. */
static bool
read_number(const char *root, const char *dir, const char *name, uint64_t *ret)
{
	FILE *f = open_file(root, dir, name);
	bool ok = f != NULL && fscanf(f, "%" SCNu64, ret) == 1;

	if (f != NULL)
		fclose(f);
	return ok;
}

/* The number after @p key in a file with lines "key number" or "key: number kB". */
static uint64_t
read_key(FILE *f, const char *key, uint64_t none)
{
	char line[256];
	size_t len = strlen(key);
	uint64_t v;

	if (f == NULL)
		return none;
	rewind(f);
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, key, len) == 0 && (line[len] == ' ' || line[len] == ':') &&
		    sscanf(line + len + 1, "%" SCNu64, &v) == 1)
			return strstr(line, " kB") != NULL ? v * 1024 : v;
	return none;
}

/* Is @p name one of the words of @p list, between commas? */
static bool
list_has(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *comma;

	for (;; list = comma + 1) {
		if (strncmp(list, name, len) == 0 && (list[len] == ',' || list[len] == '\0'))
			return true;
		comma = strchr(list, ',');
		if (comma == NULL)
			return false;
	}
}

/* The group of this process: a line "ID:CONTROLLERS:PATH"; version 2 has no controllers there. */
static bool
find_group(const char *root, bool v2, struct mount *m)
{
	FILE *f = open_file(root, "/proc/self/cgroup", "");
	char line[LINE_MAX_BYTES];
	bool found = false;

	while (f != NULL && !found && fgets(line, sizeof(line), f) != NULL) {
		char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;

		if (path == NULL)
			continue;
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		found = v2 ? list[1] == '\0' : list_has(list + 1, "memory");
		if (found)
			snprintf(m->path, sizeof(m->path), "%s", path);
	}
	if (f != NULL)
		fclose(f);
	return found;
}

/* A line of mountinfo: "ID PARENT DEV ROOT POINT OPTIONS [TAGS] - TYPE SOURCE OPTIONS". */
static bool
find_mount(const char *root, const struct version *v, struct mount *m)
{
	FILE *f = open_file(root, "/proc/self/mountinfo", "");
	char line[LINE_MAX_BYTES], type[64], options[256];
	bool found = false;

	while (f != NULL && !found && fgets(line, sizeof(line), f) != NULL) {
		const char *tail = strstr(line, " - ");

		found = tail != NULL && sscanf(tail, " - %63s %*s %255s", type, options) == 2 &&
			strcmp(type, v->fs) == 0 &&
			(v == &versions[0] || list_has(options, "memory")) &&
			sscanf(line, "%*s %*s %*s %4095s %4095s", m->root, m->point) == 2;
	}
	if (f != NULL)
		fclose(f);
	return found;
}

/* Applies the limit of the machine or of a group, of which @p free bytes are free. */
static void
apply_bound(struct rb_available *room, const char *kind, const char *name, uint64_t limit,
	    uint64_t free)
{
	uint64_t keep = smaller_of(limit / KEEP_SHARE, KEEP_MOST);

	keep = keep < KEEP_LEAST ? KEEP_LEAST : keep;
	free = free > keep ? free - keep : 0;
	if (limit < room->limit) {
		room->limit = limit;
		snprintf(room->limit_of, sizeof(room->limit_of), "%s%s", kind, name);
	}
	if (free >= room->left)
		return;
	room->left = free;
	room->bound_of = limit;
	snprintf(room->bound, sizeof(room->bound), "%s%s", kind, name);
}

/* The number after @p key in a file of such lines; 0: there is none. */
static uint64_t
look_up(const char *root, const char *dir, const char *name, const char *key)
{
	FILE *f = open_file(root, dir, name);
	uint64_t v = read_key(f, key, 0);

	if (f != NULL)
		fclose(f);
	return v;
}

/* Inactive file pages count as free, because the kernel reclaims them. Shared memory does not. */
static void
look_at_group(const char *root, const struct version *v, const char *dir, const char *name,
	      struct rb_available *room)
{
	uint64_t limit, usage, cache;

	room->killed_here += look_up(root, dir, v->events, "oom_kill");
	if (!read_number(root, dir, v->limit, &limit) || !read_number(root, dir, v->usage, &usage))
		return;
	cache = look_up(root, dir, "memory.stat", v->cache);
	usage -= smaller_of(usage, cache);
	apply_bound(room, "memory cgroup ", name, limit, limit > usage ? limit - usage : 0);
}

/* The group of this process and those above it, as far as they are visible. */
static void
look_at_groups(const char *root, const struct version *v, struct rb_available *room)
{
	struct mount m;
	char dir[2 * PATH_MAX + 2];
	const char *below = m.path;
	size_t len;

	if (!find_group(root, v == &versions[0], &m) || !find_mount(root, v, &m))
		return;
	/* a container may see only its own part, mounted where usually the whole tree is */
	len = strcmp(m.root, "/") == 0 ? 0 : strlen(m.root);
	if (strncmp(m.path, m.root, len) != 0 || strstr(m.path, "/..") != NULL)
		below = "/";
	else
		below += len;
	snprintf(dir, sizeof(dir), "%s%s", m.point, below);
	len = strlen(m.point);
	for (;;) {
		size_t end = strlen(dir);

		while (end > len && dir[end - 1] == '/')
			dir[--end] = '\0';
		if (end + 1 >= sizeof(dir))
			return;
		strcpy(dir + end, "/");
		look_at_group(root, v, dir, dir + len, room);
		if (end <= len)
			return;
		while (end > len && dir[end - 1] != '/')
			end--;
		dir[end] = '\0';
	}
}

void
rb_available_look(const char *root, struct rb_available *room)
{
	FILE *f = open_file(root, "/proc/meminfo", "");
	uint64_t total = read_key(f, "MemTotal", UINT64_MAX);
	int i;

	*room = (struct rb_available){.limit = UINT64_MAX, .left = UINT64_MAX};
	if (total != UINT64_MAX)
		apply_bound(room, "the machine", "", total,
			    read_key(f, "MemAvailable", total) + read_key(f, "SwapFree", 0));
	if (f != NULL)
		fclose(f);
	room->killed = look_up(root, "/proc/vmstat", "", "oom_kill");
	for (i = 0; i < VERSIONS; i++)
		look_at_groups(root, &versions[i], room);
}
