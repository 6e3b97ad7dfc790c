/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* A guest's memory, mapped from the file descriptors that its emulator sends. */

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"

void
sysmem_clear(struct sysmem *s)
{
	for (unsigned int i = 0; i < s->n; i++) {
		if (s->range[i].va != NULL)
			munmap(s->range[i].va, s->range[i].size);
		close(s->range[i].fd);
	}
	s->n = 0;
}

/* A range is mapped only where the file has as many bytes: one page less would cause a SIGBUS. */
static bool
range_fits(const struct message *m, unsigned int i)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t gpa = m->u.sysmem.gpa[i], size = m->u.sysmem.size[i], off = m->u.sysmem.off[i];
	struct stat st;

	return size != 0 && (gpa | size | off) % page == 0 && gpa + (size - 1) >= gpa &&
	       off + size > off && fstat(m->fds[i], &st) == 0 && S_ISREG(st.st_mode) &&
	       (uint64_t)st.st_size >= off + size;
}

int
sysmem_set(struct sysmem *s, struct message *m, bool map)
{
	unsigned int i;
	int ret = 0;

	sysmem_clear(s);
	for (i = 0; i < m->n_fds; i++) {
		uint8_t *va = NULL;

		if (!range_fits(m, i)) {
			ret = -EINVAL;
			break;
		}
		if (map) {
			va = mmap(NULL, m->u.sysmem.size[i], PROT_READ | PROT_WRITE, MAP_SHARED,
				  m->fds[i], (off_t)m->u.sysmem.off[i]);
			if (va == MAP_FAILED) {
				ret = -errno;
				break;
			}
		}
		s->range[i].gpa = m->u.sysmem.gpa[i];
		s->range[i].size = m->u.sysmem.size[i];
		s->range[i].off = m->u.sysmem.off[i];
		s->range[i].fd = m->fds[i];
		s->range[i].va = va;
		s->n++;
	}
	for (; i < m->n_fds; i++)
		close(m->fds[i]);
	m->n_fds = 0;
	return ret;
}

bool
sysmem_same(const struct sysmem *s, const struct message *m)
{
	unsigned int i = 0;

	if (m->n_fds != s->n)
		return false;
	while (i < s->n && s->range[i].gpa == m->u.sysmem.gpa[i] &&
	       s->range[i].size == m->u.sysmem.size[i] && s->range[i].off == m->u.sysmem.off[i])
		i++;
	return i == s->n;
}

void *
sysmem_find(const struct sysmem *s, uint64_t gpa, uint64_t *len)
{
	for (unsigned int i = 0; i < s->n; i++) {
		uint64_t at = gpa - s->range[i].gpa, left;

		if (gpa < s->range[i].gpa || at >= s->range[i].size || s->range[i].va == NULL)
			continue;
		left = s->range[i].size - at;
		*len = *len < left ? *len : left;
		return s->range[i].va + at;
	}
	return NULL;
}
