/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The process that owns an NT port: is it alive, and what ends with it. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plxm_chip.h"

/* Start time in clock ticks: a later process of the same number has another one. A zombie counts as
 * dead, because its parent may reap it late. */
uint64_t
plxm_proc_start(int32_t pid)
{
	char path[64], buf[512], *field;
	ssize_t n;
	int fd;

	if (pid <= 0 || (kill(pid, 0) != 0 && errno == ESRCH))
		return 0;
	/* of its first thread: QEMU's user mode makes up the /proc/PID/stat of its own process */
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : 1; /* /proc hidden: alive, start time unknown */
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	buf[n] = '\0';
	/* the second field is the name, which may hold anything; fields resume after it */
	field = strrchr(buf, ')');
	if (field == NULL || field[1] != ' ' || field[2] == 'Z' || field[2] == 'X')
		return 0;
	for (unsigned int i = 0; i < 20; i++) {
		field = strchr(field + 1, ' ');
		if (field == NULL)
			return 1;
	}
	return strtoull(field, NULL, 10);
}

bool
plxm_owner_alive(const struct plxm_nt *nt)
{
	uint64_t start = plxm_proc_start(nt->owner);

	return start != 0 && start == nt->owner_start;
}

/* When the software of its host ends, an adapter is no bus master any more. The chip stays powered
 * and keeps its link. */
void
plxm_owner_gone(const struct plxm_rig *r, const struct plxm_side *s)
{
	uint32_t cmd = s->base + HW_CMD;

	plxm_put(s->chip, cmd, plxm_get(s->chip, cmd) & ~HW_CMD_MASTER);
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++)
		s->nt->dram[i].used = 0;
	atomic_store(&s->nt->owner, 0);
	plxm_gen_bump_chip(r, s->chip);
}
