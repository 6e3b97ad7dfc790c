/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Address space of a window: reserved once, at its natural alignment, and what lies in it where
 * no memory does. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plxm_priv.h"

#define ONES_MIN (256u * 1024)
#define ALIGN_MAX (1ull << 30) /* largest huge page that a window can be mapped with */

/* Loads from nowhere give ones: a file of ones, mapped privately over and over. Its size bounds
 * the number of mappings to 128 a window. */
static int
ones_open(struct plxm_port *p)
{
	uint64_t most = p->win[0].size > p->win[1].size ? p->win[0].size : p->win[1].size;
	uint64_t len = most / 128 > ONES_MIN ? most / 128 : ONES_MIN;
	void *va;
	int fd, rc;

	fd = memfd_create("plxm-ones", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)len) != 0)
		goto fail;
	va = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (va == MAP_FAILED)
		goto fail;
	memset(va, 0xFF, len);
	munmap(va, len);
	p->ones_fd = fd;
	p->ones_len = len;
	return 0;
fail:
	rc = -errno;
	close(fd);
	return rc;
}

int
plxm_map_ones(struct plxm_port *p, struct plxm_win *w, uint64_t off, uint64_t len)
{
	for (uint64_t n; len != 0; off += n, len -= n) {
		n = len < p->ones_len ? len : p->ones_len;
		if (mmap(w->va + off, n, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, p->ones_fd, 0) == MAP_FAILED)
			return -errno;
	}
	return 0;
}

static uint8_t *
reserve(uint64_t size)
{
	uint64_t align = size < ALIGN_MAX ? size : ALIGN_MAX;
	uint8_t *va, *at;

	va = mmap(NULL, size + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		  0);
	if (va == MAP_FAILED)
		return NULL;
	at = (uint8_t *)(((uintptr_t)va + align - 1) & ~(uintptr_t)(align - 1));
	if (at != va)
		munmap(va, (size_t)(at - va));
	munmap(at + size, (size_t)(va + align - at));
	return at;
}

/* First mapping of window @p w: all dead, then as the chips say. */
static int
first_map(struct plxm_port *p, struct plxm_win *w)
{
	int rc = -ENOMEM;

	if (p->ones_fd < 0) {
		rc = ones_open(p);
		if (rc != 0)
			return rc;
	}
	w->run = malloc(sizeof(*w->run));
	if (w->run == NULL)
		return -ENOMEM;
	w->va = reserve(w->size);
	if (w->va == NULL)
		goto free_run;
	rc = plxm_map_ones(p, w, 0, w->size);
	if (rc != 0)
		goto unmap;
	*w->run = (struct plxm_run){.len = w->size, .dram = -1};
	w->runs = 1;
	w->dead = true;
	return 0;
unmap:
	munmap(w->va, w->size);
	w->va = NULL;
free_run:
	free(w->run);
	w->run = NULL;
	return rc;
}

void *
plxm_win_map(struct plxm_port *p, unsigned int bar, uint64_t *len)
{
	struct plxm_win *w = &p->win[bar == 4];
	bool fresh = false;
	void *va;

	if ((bar != 2 && bar != 4) || w->size == 0)
		return NULL;
	pthread_mutex_lock(&p->mu);
	if (w->va == NULL && first_map(p, w) == 0) {
		fresh = true;
		/* any other value makes the refresh below look at the new window */
		atomic_fetch_sub(&p->seen_gen, 1);
	}
	va = w->va;
	pthread_mutex_unlock(&p->mu);
	if (fresh)
		plxm_refresh(p);
	if (va != NULL && len != NULL)
		*len = w->size;
	return va;
}

void
plxm_map_drop(struct plxm_port *p)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct plxm_win *w = &p->win[i];

		if (w->va != NULL)
			munmap(w->va, w->size);
		free(w->run);
		w->va = NULL;
		w->run = NULL;
	}
	if (p->ones_fd >= 0)
		close(p->ones_fd);
}
