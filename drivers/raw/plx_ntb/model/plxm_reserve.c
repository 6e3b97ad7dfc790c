/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Address space of a window, reserved once at its natural alignment, and the ones that fill it
 * where there is no memory. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plxm_chip.h"
#include "plxm_path.h"

#define ONES_MIN (256u * 1024)
#define ONES_MOST (4u * 1024 * 1024)
#define PIECES 64	       /* mappings that fill a window of up to 256 MiB */
#define PIECES_MAX 2048	       /* and any other: a process may have 65530 */
#define ALIGN_MAX (1ull << 30) /* largest huge page that a window can be mapped with */

/* Loads from nowhere give ones: a file of ones, mapped privately over and over. A page of the file
 * costs as much as a mapping, some microseconds, so the process has one file. A longer one takes
 * its place for larger windows; mappings of the shorter one stay what they are. */
static pthread_mutex_t ones_lock = PTHREAD_MUTEX_INITIALIZER;
static struct plxm_dram ones = {.fd = -1};

static uint64_t
ones_length(uint64_t window)
{
	uint64_t len = window / PIECES;

	if (len > ONES_MOST)
		len = window / PIECES_MAX > ONES_MOST ? window / PIECES_MAX : ONES_MOST;
	return len > ONES_MIN ? len : ONES_MIN;
}

/* Written, not mapped and set: whole pages are then neither cleared nor faulted in one by one. */
static int
ones_fill(int fd, uint64_t len)
{
	char *buf = malloc(ONES_MIN);
	int rc = 0;

	if (buf == NULL)
		return -ENOMEM;
	memset(buf, 0xFF, ONES_MIN);
	for (uint64_t off = 0; off < len && rc == 0;) {
		ssize_t n = pwrite(fd, buf, ONES_MIN, (off_t)off);

		if (n > 0)
			off += (uint64_t)n;
		else if (n == 0 || errno != EINTR)
			rc = n == 0 ? -ENOSPC : -errno;
	}
	free(buf);
	return rc;
}

static int
ones_make(uint64_t len)
{
	int fd = memfd_create("plxm-ones", MFD_CLOEXEC), rc;
	struct stat st;

	if (fd < 0)
		return -errno;
	rc = fstat(fd, &st) != 0 ? -errno : ones_fill(fd, len);
	if (rc != 0) {
		close(fd);
		return rc;
	}
	plxm_dram_close(ones.fd, &ones);
	ones = (struct plxm_dram){.fd = fd, .len = len, .dev = st.st_dev, .ino = st.st_ino};
	return 0;
}

int
plxm_map_ones(const struct plxm_win *w, uint64_t off, uint64_t len)
{
	uint64_t want = ones_length(w->size), n;
	int rc = 0;

	pthread_mutex_lock(&ones_lock);
	/* a new file, also where the program has closed the first one: what it opened by that
	 * number must not get into a window */
	if (ones.len < want || !plxm_dram_open(ones.fd, &ones))
		rc = ones_make(ones.len < want ? want : ones.len);
	for (; len != 0 && rc == 0; off += n, len -= n) {
		n = len < ones.len ? len : ones.len;
		if (mmap(w->va + off, n, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, ones.fd, 0) == MAP_FAILED)
			rc = -errno;
	}
	pthread_mutex_unlock(&ones_lock);
	return rc;
}

static uint8_t *
reserve_aligned(uint64_t size)
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

int
plxm_reserve(struct plxm_win *w)
{
	int rc = -ENOMEM;

	w->run = malloc(sizeof(*w->run));
	if (w->run == NULL)
		return -ENOMEM;
	w->va = reserve_aligned(w->size);
	if (w->va == NULL)
		goto free_run;
	rc = plxm_map_ones(w, 0, w->size);
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

void
plxm_map_drop(struct plxm_port *p)
{
	if (p->win.va != NULL)
		munmap(p->win.va, p->win.size);
	free(p->win.run);
	p->win.va = NULL;
	p->win.run = NULL;
}
