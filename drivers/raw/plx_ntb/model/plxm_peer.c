/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The peer's memory in this process: its ranges reopened through /proc and mapped whole. The
 * peer writes the table, so a file is used only if it is the one that the table names, and only if
 * it is a regular file, which open() cannot block on or disturb. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plxm_chip.h"
#include "plxm_path.h"

#define REAP_NS 10000000u

static void
drop_range(struct plxm_peer_dram *d)
{
	if (d->va != NULL) {
		munmap(d->va, d->id.len);
		plxm_dram_close(d->fd, &d->id);
	}
	memset(d, 0, sizeof(*d));
	d->fd = -1;
}

static bool
numbers_fit(const struct plxm_dram *id)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return id->len != 0 && id->len <= INT64_MAX && id->fd_off <= INT64_MAX - id->len &&
	       id->bus + (id->len - 1) >= id->bus && (id->bus | id->len | id->fd_off) % page == 0;
}

/* -ENOMEM: later, perhaps */
static int
open_range(struct plxm_port *p, struct plxm_peer_dram *d, const struct plxm_dram *id, int32_t pid)
{
	struct stat st;
	char path[48];
	void *va = NULL;
	int fd;

	if (!numbers_fit(id))
		return 0;
	if (pid == getpid())
		snprintf(path, sizeof(path), "/proc/self/fd/%d", id->fd);
	else
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, id->fd);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return 0;
	if (!plxm_dram_open(fd, id) || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size < id->fd_off + id->len)
		goto close_fd;
	va = mmap(NULL, id->len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)id->fd_off);
	if (va == MAP_FAILED)
		goto close_fd;
	*d = (struct plxm_peer_dram){.id = *id, .pid = pid, .fd = fd, .va = va, .seq = ++p->seq};
	d->align = plxm_file_align(fd);
	return 0;
close_fd:
	close(fd);
	return va == MAP_FAILED ? -ENOMEM : 0;
}

/* Looks for a dead owner without the lock: /proc is slow. */
static void
reap_owner(const struct plxm_rig *r, const struct plxm_side *s)
{
	int32_t pid = atomic_load(&s->nt->owner);

	if (pid == 0 || plxm_owner_alive(s->nt))
		return;
	plxm_lock(r, s->chip);
	if (atomic_load(&s->nt->owner) == pid && !plxm_owner_alive(s->nt))
		plxm_owner_gone(r, s);
	plxm_unlock(r);
}

/* Bring p->dram[] up to what the peer announces now. */
int
plxm_peer_sync(struct plxm_port *p)
{
	struct plxm_dram id[PLXM_DRAM_RANGES];
	struct plxm_side far = plxm_far(p);
	uint64_t now = plxm_now_ns();
	int32_t pid;
	int rc = 0;

	/* /proc is slow and programming a chip brings many refreshes */
	if (now - p->reap_ns >= REAP_NS) {
		reap_owner(&p->rig, &far);
		p->reap_ns = now;
	}
	pid = atomic_load(&far.nt->owner);
	plxm_lock(&p->rig, far.chip);
	memcpy(id, far.nt->dram, sizeof(id));
	plxm_unlock(&p->rig);
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++) {
		struct plxm_peer_dram *d = &p->dram[i];

		id[i].used = id[i].used != 0;
		if (d->va != NULL && d->pid == pid && memcmp(&d->id, &id[i], sizeof(id[i])) == 0)
			continue;
		drop_range(d);
		if (id[i].used && pid > 0 && open_range(p, d, &id[i], pid) != 0)
			rc = -ENOMEM;
	}
	return rc;
}

void
plxm_peer_drop(struct plxm_port *p)
{
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++)
		drop_range(&p->dram[i]);
}
