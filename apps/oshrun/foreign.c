/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oshrun.h"

/*
 * A program that is linked with another OpenSHMEM library does not know oshrun: N PEs are N jobs of
 * one PE each, which end well with wrong results. So where none of the PEs has joined, oshrun
 * checks the program. The file names the libraries that it needs. A program that a script starts
 * shows its libraries while it runs, in the maps of the first PE's processes.
 */

enum {
	CHILDREN = 16, /* processes of a PE that are checked */
};

static char other[64]; /* library that the PEs have instead of Ringbell's; "": none found */

/* Of Sandia OpenSHMEM and Cray; Open MPI; OSSS. Ours is libshmem.so.1. */
static bool
is_other(const char *name)
{
	return strncmp(name, "libsma.so", 9) == 0 || strncmp(name, "liboshmem.so", 12) == 0 ||
	       strncmp(name, "libosss-", 8) == 0;
}

struct image {
	const uint8_t *at;
	size_t size;
	const Elf64_Phdr *ph;
	int n;
};

/* A range of the file, or NULL where it is not all there. */
static const void *
part_of(const struct image *f, uint64_t off, uint64_t len)
{
	return len <= f->size && off <= f->size - len ? f->at + off : NULL;
}

/* The offset in the file of the byte at a virtual address; the end of the file: none. */
static uint64_t
offset_of(const struct image *f, uint64_t addr)
{
	int i;

	for (i = 0; i < f->n; i++)
		if (f->ph[i].p_type == PT_LOAD && addr >= f->ph[i].p_vaddr &&
		    addr - f->ph[i].p_vaddr < f->ph[i].p_filesz)
			return addr - f->ph[i].p_vaddr + f->ph[i].p_offset;
	return f->size;
}

static void
look_at_needed(const struct image *f, const Elf64_Dyn *dyn, size_t n, char *name, size_t size)
{
	uint64_t strings = f->size;
	size_t i, len;

	for (i = 0; i < n; i++)
		if (dyn[i].d_tag == DT_STRTAB)
			strings = offset_of(f, dyn[i].d_un.d_ptr);
	for (i = 0; i < n && dyn[i].d_tag != DT_NULL; i++) {
		uint64_t off = strings + dyn[i].d_un.d_val;
		const char *s;

		if (dyn[i].d_tag != DT_NEEDED || off < strings || off >= f->size)
			continue;
		s = (const char *)f->at + off;
		len = strnlen(s, f->size - off);
		if (len < f->size - off && len < size && is_other(s))
			memcpy(name, s, len + 1);
	}
}

static void
look_at_image(struct image *f, char *name, size_t size)
{
	const Elf64_Ehdr *e = part_of(f, 0, sizeof(*e));
	int i;

	if (e == NULL || memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 ||
	    e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_phentsize != sizeof(Elf64_Phdr) ||
	    e->e_phoff % sizeof(uint64_t) != 0)
		return;
	f->n = e->e_phnum;
	f->ph = part_of(f, e->e_phoff, (uint64_t)f->n * sizeof(Elf64_Phdr));
	for (i = 0; f->ph != NULL && i < f->n; i++) {
		const Elf64_Phdr *p = &f->ph[i];
		const void *dyn = part_of(f, p->p_offset, p->p_filesz);

		if (p->p_type == PT_DYNAMIC && dyn != NULL && p->p_offset % sizeof(uint64_t) == 0)
			look_at_needed(f, dyn, p->p_filesz / sizeof(Elf64_Dyn), name, size);
	}
}

static void
look_at_file(const char *path, char *name, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct image f = {.n = 0};
	struct stat st;
	void *va;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		va = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (va != MAP_FAILED) {
			f.at = va;
			f.size = (size_t)st.st_size;
			look_at_image(&f, name, size);
			munmap(va, f.size);
		}
	}
	close(fd);
}

static void
look_at_maps(pid_t pid, char *name, size_t size)
{
	char path[64], line[4400];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		const char *base = strrchr(line, '/');

		if (base == NULL || !is_other(base + 1))
			continue;
		snprintf(name, size, "%.*s", (int)strcspn(base + 1, " \n"), base + 1);
		break;
	}
	fclose(f);
}

/* Append the children of @p pid to the list. @return its new length */
static int
add_children(pid_t pid, pid_t list[CHILDREN], int n)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	f = fopen(path, "re");
	if (f == NULL)
		return n;
	while (n < CHILDREN && fscanf(f, "%d", &list[n]) == 1)
		n++;
	fclose(f);
	return n;
}

static bool
anyone_joined(const struct job *job)
{
	int i;

	for (i = 0; i < job->n_pes; i++)
		if (job->pe[i].opened)
			return true;
	return false;
}

void
foreign_look(struct job *job)
{
	pid_t list[CHILDREN];
	int n = 0, i;

	if (job->n_pes < 2 || other[0] != '\0' || !job->pe[0].alive || anyone_joined(job))
		return;
	list[n++] = job->pe[0].pid;
	for (i = 0; i < n && other[0] == '\0'; i++) {
		look_at_maps(list[i], other, sizeof(other));
		n = add_children(list[i], list, n);
	}
}

void
foreign_verdict(struct job *job)
{
	if (job->n_pes < 2 || anyone_joined(job))
		return;
	if (other[0] == '\0')
		look_at_file(job->opt->program, other, sizeof(other));
	if (other[0] == '\0')
		return;
	say("none of the %d PEs joined the job: %s is linked with %s, another OpenSHMEM library, "
	    "so each was a job of one PE; compile it with oshcc, or use that library's launcher",
	    job->n_pes, job->opt->argv[0], other);
	if (job->status == 0)
		job->status = OSHRUN_EXIT_FAULT;
}
