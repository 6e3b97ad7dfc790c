/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Ports: power-on, leaving, host memory, counters. */

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "plxm_priv.h"

static int
power_on(struct plxm_port *p, const struct plxm_eeprom *e)
{
	struct plxm_cable *c = p->cable;
	struct plxm_chip *chip = p->chip;
	int rc = 0;

	plxm_lock(c);
	if (chip->owner != 0) {
		if (plxm_owner_alive(chip)) {
			rc = -EBUSY;
			goto unlock;
		}
		plxm_owner_gone(c, chip);
	}
	/* a chip that was left powered: its peer sees the link go and come */
	atomic_store(&chip->powered, 0);
	plxm_link_update(c);
	chip->eeprom = *e;
	plxm_power_on(chip);
	atomic_store(&c->delay_ns[p->end], 0);
	chip->owner_start = plxm_proc_start(getpid());
	atomic_store(&chip->owner, getpid());
	atomic_store(&chip->powered, 1);
	plxm_gen_bump(c);
	plxm_link_update(c);
unlock:
	plxm_unlock(c);
	return rc;
}

int
plxm_port_open(int fd, unsigned int end, const struct plxm_eeprom *e, struct plxm_port **ret_port)
{
	struct plxm_port *p;
	int rc;

	if (end >= PLXM_ENDS || plxm_eeprom_check(e) != 0)
		return -EINVAL;
	p = calloc(1, sizeof(*p));
	if (p == NULL)
		return -ENOMEM;
	rc = plxm_cable_map(fd, &p->cable);
	if (rc != 0)
		goto free_port;
	p->end = end;
	p->chip = &p->cable->chip[end];
	p->peer = &p->cable->chip[!end];
	p->ones_fd = -1;
	p->win[0].size = e->bar2_size;
	p->win[1].size = e->bar4_size;
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++)
		p->dram_fd[i] = -1;
	pthread_mutex_init(&p->mu, NULL);
	rc = power_on(p, e);
	if (rc != 0)
		goto unmap;
	plxm_refresh(p);
	*ret_port = p;
	return 0;
unmap:
	pthread_mutex_destroy(&p->mu);
	munmap(p->cable, sizeof(*p->cable));
free_port:
	free(p);
	return rc;
}

void
plxm_port_close(struct plxm_port *p)
{
	if (p == NULL)
		return;
	plxm_lock(p->cable);
	if (p->chip->owner == getpid())
		plxm_owner_gone(p->cable, p->chip);
	plxm_unlock(p->cable);
	plxm_map_drop(p);
	plxm_peer_drop(p);
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++) {
		if (p->dram_fd[i] >= 0)
			close(p->dram_fd[i]);
	}
	pthread_mutex_destroy(&p->mu);
	munmap(p->cable, sizeof(*p->cable));
	free(p);
}

/* What must divide offset and length of a range: the page size of the file behind it. */
static uint64_t
file_align(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) == 0 && fs.f_type == HUGETLBFS_MAGIC)
		return (uint64_t)fs.f_bsize;
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static int
range_check(const struct plxm_dram *d)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), align;
	struct stat st;

	if (fstat(d->fd, &st) != 0)
		return -errno;
	align = file_align(d->fd);
	if (d->len == 0 || d->bus % page != 0 || d->len % align != 0 || d->fd_off % align != 0)
		return -EINVAL;
	if (d->bus + (d->len - 1) < d->bus || d->fd_off + d->len < d->fd_off)
		return -EINVAL;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size < d->fd_off + d->len)
		return -EINVAL;
	return 0;
}

static int
range_slot(const struct plxm_chip *chip, const struct plxm_dram *d)
{
	int slot = -ENOSPC;

	for (int i = PLXM_DRAM_RANGES - 1; i >= 0; i--) {
		const struct plxm_dram *o = &chip->dram[i];

		if (!o->used)
			slot = i;
		else if (d->bus <= o->bus + (o->len - 1) && o->bus <= d->bus + (d->len - 1))
			return -EINVAL;
	}
	return slot;
}

int
plxm_dram_add(struct plxm_port *p, uint64_t bus, uint64_t len, int fd, uint64_t fd_off)
{
	struct plxm_dram d = {.bus = bus, .len = len, .fd_off = fd_off, .fd = fd};
	struct stat st;
	int slot, rc;

	rc = range_check(&d);
	if (rc != 0)
		return rc;
	/* the caller may close or reuse its number while the peer still looks for it */
	d.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (d.fd < 0 || fstat(d.fd, &st) != 0)
		return -errno;
	d.dev = st.st_dev;
	d.ino = st.st_ino;
	plxm_lock(p->cable);
	slot = range_slot(p->chip, &d);
	if (slot >= 0) {
		p->dram_fd[slot] = d.fd;
		p->chip->dram[slot] = d;
		p->chip->dram[slot].used = 1;
		plxm_gen_bump(p->cable);
	}
	plxm_unlock(p->cable);
	if (slot < 0)
		close(d.fd);
	plxm_check(p);
	return slot < 0 ? slot : 0;
}

int
plxm_dram_del(struct plxm_port *p, uint64_t bus)
{
	int rc = -ENOENT;

	plxm_lock(p->cable);
	for (unsigned int i = 0; i < PLXM_DRAM_RANGES; i++) {
		struct plxm_dram *d = &p->chip->dram[i];

		if (!d->used || d->bus != bus)
			continue;
		d->used = 0;
		if (p->dram_fd[i] >= 0)
			close(p->dram_fd[i]);
		p->dram_fd[i] = -1;
		plxm_gen_bump(p->cable);
		rc = 0;
	}
	plxm_unlock(p->cable);
	plxm_check(p);
	return rc;
}

uint32_t *
plxm_irq_word(struct plxm_port *p)
{
	return (uint32_t *)&p->chip->irq;
}

void
plxm_stats_get(struct plxm_port *p, struct plxm_stats *s)
{
	struct plxm_chip *chip = p->chip;

	*s = (struct plxm_stats){
		.ur_rid = atomic_load(&chip->count.ur[PLXM_UR_RID]),
		.ur_bar = atomic_load(&chip->count.ur[PLXM_UR_BAR]),
		.ur_alut = atomic_load(&chip->count.ur[PLXM_UR_ALUT]),
		.ur_dram = atomic_load(&chip->count.ur[PLXM_UR_DRAM]),
		.ur_link = atomic_load(&chip->count.ur[PLXM_UR_LINK]),
		.db_set = atomic_load(&chip->db_set),
		.db_dropped = atomic_load(&chip->db_dropped),
		.link_downs = atomic_load(&chip->count.link_downs),
		.remaps = atomic_load(&p->remaps),
	};
}
