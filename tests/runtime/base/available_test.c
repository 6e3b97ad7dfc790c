/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem/available.h"
#include "cases.h"

/* How much memory there is, read from made-up trees of proc and sys: the machine, groups of both
 * versions, containers that see a part of them. */

enum {
	MIB = 1 << 20
};

static char root[] = "/tmp/ringbell-room-XXXXXX";

static void
put(const char *path, const char *text)
{
	char full[512], *at;
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (at = full + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		CU_ASSERT_FATAL(mkdir(full, 0700) == 0 || errno == EEXIST);
		*at = '/';
	}
	f = fopen(full, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_FATAL(fputs(text, f) >= 0);
	CU_ASSERT_FATAL(fclose(f) == 0);
}

static void
tree(const char *cgroup, const char *mountinfo)
{
	char command[64];

	if (strstr(root, "XXXXXX") == NULL) {
		snprintf(command, sizeof(command), "rm -rf %s", root);
		CU_ASSERT_EQUAL_FATAL(system(command), 0);
		strcpy(root + strlen(root) - 6, "XXXXXX");
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
	put("/proc/meminfo", "MemTotal:       8192000 kB\nMemFree:  1 kB\n"
			     "MemAvailable:   4096000 kB\nSwapFree:        1024 kB\n");
	put("/proc/self/cgroup", cgroup);
	put("/proc/self/mountinfo", mountinfo);
}

static struct rb_available
look(void)
{
	struct rb_available room;

	rb_available_look(root, &room);
	return room;
}

static void
machine(void)
{
	struct rb_available room;

	tree("0::/a\n", "25 1 0:2 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	room = look();
	CU_ASSERT_EQUAL(room.limit, 8192000ull * 1024);
	/* 1/32 of it stays free */
	CU_ASSERT_EQUAL(room.left, (4096000ull + 1024) * 1024 - 8192000ull * 1024 / 32);
	CU_ASSERT_STRING_EQUAL(room.bound, "the machine");
	rb_available_look("/nonexistent", &room);
	CU_ASSERT_EQUAL(room.left, UINT64_MAX);
	CU_ASSERT_EQUAL(room.limit, UINT64_MAX);
}

/* The tightest group on the way up counts, and file cache does not. */
static void
version2(void)
{
	struct rb_available room;

	tree("0::/job/step\n", "30 25 0:2 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n");
	put("/sys/fs/cgroup/job/step/memory.max", "max\n");
	put("/sys/fs/cgroup/job/step/memory.current", "4096\n");
	put("/sys/fs/cgroup/job/memory.max", "209715200\n");
	put("/sys/fs/cgroup/job/memory.current", "104857600\n");
	put("/sys/fs/cgroup/job/memory.stat", "anon 5\nfile 7\ninactive_file 20971520\n");
	room = look();
	CU_ASSERT_EQUAL(room.limit, 200 * MIB);
	CU_ASSERT_EQUAL(room.left, 120 * MIB - 200 * MIB / 32);
	CU_ASSERT_STRING_EQUAL(room.bound, "memory cgroup /job/");
	CU_ASSERT_EQUAL(room.bound_of, 200 * MIB);
	put("/sys/fs/cgroup/job/step/memory.max", "10485760\n");
	/* at least 4 MiB */
	CU_ASSERT_EQUAL(look().left, 6 * MIB - 4096);
	put("/sys/fs/cgroup/job/step/memory.current", "20971520\n"); /* over its limit */
	CU_ASSERT_EQUAL(look().left, 0);
	CU_ASSERT_EQUAL(look().killed_here, 0);
	put("/sys/fs/cgroup/job/step/memory.events", "low 0\noom 5\noom_kill 2\n");
	put("/proc/vmstat", "pgfault 17\noom_kill 3\n");
	CU_ASSERT_EQUAL(look().killed_here, 2);
	CU_ASSERT_EQUAL(look().killed, 3);
}

static void
version1(void)
{
	struct rb_available room;

	tree("9:name=systemd:/\n5:cpuset,memory:/user/x\n0::/\n",
	     "31 25 0:3 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
	     "32 25 0:4 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,cpuset,memory\n");
	put("/sys/fs/cgroup/memory/user/x/memory.limit_in_bytes", "104857600\n");
	put("/sys/fs/cgroup/memory/user/x/memory.usage_in_bytes", "52428800\n");
	put("/sys/fs/cgroup/memory/user/x/memory.stat", "inactive_file 1\ntotal_inactive_file 0\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "52428800\n");
	room = look();
	CU_ASSERT_EQUAL(room.limit, 100 * MIB);
	CU_ASSERT_EQUAL(room.left, 46 * MIB);
	CU_ASSERT_STRING_EQUAL(room.bound, "memory cgroup /user/x/");
	put("/sys/fs/cgroup/memory/user/x/memory.oom_control",
	    "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
	CU_ASSERT_EQUAL(look().killed_here, 4);
}

/* A container sees its group where the whole tree is as a rule; the path names it from outside. */
static void
container(void)
{
	tree("4:memory:/docker/abc\n",
	     "32 25 0:4 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "104857600\n");
	put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "0\n");
	CU_ASSERT_EQUAL(look().limit, 100 * MIB);
	/* with a namespace of its own, after a move to outside of it */
	tree("0::/../other\n", "30 25 0:2 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	put("/sys/fs/cgroup/memory.max", "104857600\n");
	put("/sys/fs/cgroup/memory.current", "0\n");
	CU_ASSERT_EQUAL(look().limit, 100 * MIB);
	/* no groups to be seen at all */
	tree("0::/\n", "");
	CU_ASSERT_EQUAL(look().limit, 8192000ull * 1024);
}

static void
clean_up(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	CU_ASSERT_EQUAL(system(command), 0);
}

TEST_PROGRAM("available", NULL, NULL, {"machine", machine}, {"version 2", version2},
	     {"version 1", version1}, {"container", container}, {"clean up", clean_up})
