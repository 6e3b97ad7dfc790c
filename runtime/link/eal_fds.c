/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/eal_fds.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"

/*
 * The EAL opens its memory, pipes and timers without close-on-exec. Programs that a PE starts must
 * not inherit them: a helper that outlives the PE would keep the memory. With several threads
 * nothing is changed, because another thread of the program may open descriptors of its own
 * meanwhile.
 */

static void
each_fd(void (*fn)(struct rb_fds *fds, unsigned int fd), struct rb_fds *fds)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		unsigned long fd = strtoul(entry->d_name, NULL, 10);

		if (entry->d_name[0] != '.' && fd < RB_FDS)
			fn(fds, (unsigned int)fd);
	}
	if (dir != NULL)
		closedir(dir);
}

static void
note_fd(struct rb_fds *fds, unsigned int fd)
{
	fds->open[fd] = true;
}

static void
keep_new(struct rb_fds *fds, unsigned int fd)
{
	if (!fds->open[fd])
		fcntl((int)fd, F_SETFD, FD_CLOEXEC);
}

void
rb_fds_before(struct rb_fds *fds)
{
	memset(fds, 0, sizeof(*fds));
	fds->alone = rb_threads_alone();
	if (fds->alone)
		each_fd(note_fd, fds);
}

void
rb_fds_after(struct rb_fds *fds)
{
	if (fds->alone)
		each_fd(keep_new, fds);
}
