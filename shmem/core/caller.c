/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

#include "caller.h"

/*
 * The name of the API call that a thread is in, for waits that last: found on its stack, so that
 * calls need not leave a mark anywhere. The outermost frame of this library is the call. Names come
 * from the library's own table of exported symbols: dladdr() takes the loader's lock, which another
 * thread may hold for as long as this one waits.
 */

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

struct table {
	const ElfW(Sym) * sym;
	const char *names;
	const uint32_t *hash; /* GNU hash table, which alone says how many symbols there are */
};

/* The loader has made addresses of these offsets, but on machines where it may not write there. */
static const void *
address_of(ElfW(Addr) v)
{
	ElfW(Addr) base = (ElfW(Addr))(uintptr_t)__ehdr_start;

	return (const void *)(uintptr_t)(v < base ? base + v : v);
}

static struct table
find_table(void)
{
	struct table t = {NULL, NULL, NULL};
	const ElfW(Dyn) * d;

	for (d = _DYNAMIC; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			t.sym = address_of(d->d_un.d_ptr);
		else if (d->d_tag == DT_STRTAB)
			t.names = address_of(d->d_un.d_ptr);
		else if (d->d_tag == DT_GNU_HASH)
			t.hash = address_of(d->d_un.d_ptr);
	}
	return t;
}

/* Is it the symbol of the function that @p pc is in? Each call has two names. */
static bool
is_call(const struct table *t, const ElfW(Sym) * sym, uintptr_t pc)
{
	uintptr_t from = (uintptr_t)__ehdr_start + sym->st_value;

	return ELF64_ST_TYPE(sym->st_info) == STT_FUNC && pc >= from && pc < from + sym->st_size &&
	       strncmp(t->names + sym->st_name, "pshmem_", strlen("pshmem_")) != 0;
}

/* Head: buckets, first symbol, words of the filter, shift; then filter, buckets, chains. The last
 * entry of a chain is odd. */
static const char *
name_of(const struct table *t, uintptr_t pc)
{
	uint32_t n = t->hash[0], first = t->hash[1], b, i;
	const uint32_t *bucket = t->hash + 4 + t->hash[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *chain = bucket + n;

	for (b = 0; b < n; b++) {
		if (bucket[b] == 0)
			continue;
		for (i = bucket[b];; i++) {
			if (is_call(t, &t->sym[i], pc))
				return t->names + t->sym[i].st_name;
			if ((chain[i - first] & 1) != 0)
				break;
		}
	}
	return NULL;
}

struct walk {
	struct table table;
	const char *name;  /* of the outermost frame so far that has one */
	uintptr_t end;	   /* of this library's addresses */
	uintptr_t outside; /* found by find_outside() */
};

static _Unwind_Reason_Code
note_frame(struct _Unwind_Context *context, void *arg)
{
	uintptr_t pc = _Unwind_GetIP(context) - 1; /* in the call, not after it */
	struct walk *w = arg;
	const char *name;

	if (pc >= (uintptr_t)__ehdr_start && pc < w->end) {
		name = name_of(&w->table, pc);
		w->name = name == NULL ? w->name : name;
	}
	return _URC_NO_REASON;
}

static uintptr_t
end_of_library(void)
{
	const ElfW(Ehdr) *e = (const void *)__ehdr_start;
	const ElfW(Phdr) *p = (const void *)(__ehdr_start + e->e_phoff);
	uintptr_t end = 0;
	int i;

	for (i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_vaddr + p[i].p_memsz > end)
			end = p[i].p_vaddr + p[i].p_memsz;
	return (uintptr_t)__ehdr_start + end;
}

void
shmemi_caller(char *name, size_t size)
{
	struct walk w = {.table = find_table(), .end = end_of_library()};

	name[0] = '\0';
	if (w.table.sym == NULL || w.table.names == NULL || w.table.hash == NULL)
		return;
	(void)_Unwind_Backtrace(note_frame, &w);
	/* by on_exit() no call of the program is below: that is the finalize which it left out */
	snprintf(name, size, "%s", w.name == NULL ? "shmem_finalize" : w.name);
}

/* Stops at the first frame outside of the library. */
static _Unwind_Reason_Code
find_outside(struct _Unwind_Context *context, void *arg)
{
	uintptr_t pc = _Unwind_GetIP(context) - 1;
	struct walk *w = arg;

	if (pc >= (uintptr_t)__ehdr_start && pc < w->end)
		return _URC_NO_REASON;
	w->outside = pc;
	return _URC_END_OF_STACK;
}

uintptr_t
shmemi_caller_pc(void)
{
	struct walk w = {.end = end_of_library()};

	(void)_Unwind_Backtrace(find_outside, &w);
	return w.outside;
}
