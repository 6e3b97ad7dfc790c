/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifdef SHMEMI_LIBDW
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#endif

#include "rb.h"
#include "where.h"

/* The program's headers say where it was loaded, without the loader's lock. */
struct image {
	uintptr_t base, size;
};

static struct image
find_image(void)
{
	const ElfW(Phdr) *p = (const void *)(uintptr_t)getauxval(AT_PHDR);
	unsigned long i, n = p == NULL ? 0 : getauxval(AT_PHNUM);
	struct image m = {0, 0};

	for (i = 0; i < n; i++) {
		if (p[i].p_type == PT_PHDR)
			m.base = (uintptr_t)p - p[i].p_vaddr;
		if (p[i].p_type == PT_LOAD && p[i].p_vaddr + p[i].p_memsz > m.size)
			m.size = p[i].p_vaddr + p[i].p_memsz;
	}
	return m;
}

/*
 * libdw of elfutils reads debug information. It is loaded when the first place is asked for, so
 * that a program without errors does not load it, and one runs where there is none.
 */
#ifdef SHMEMI_LIBDW
#define DW_CALLS(X)               \
	X(dwfl_begin)             \
	X(dwfl_linux_proc_report) \
	X(dwfl_report_end)        \
	X(dwfl_addrmodule)        \
	X(dwfl_module_addrname)   \
	X(dwfl_module_info)       \
	X(dwfl_module_addrdie)    \
	X(dwfl_module_nextcu)     \
	X(dwarf_haspc)            \
	X(dwarf_getsrc_die)       \
	X(dwarf_lineno)           \
	X(dwarf_linesrc)          \
	X(dwarf_getscopes)        \
	X(dwarf_getscopes_die)    \
	X(dwarf_tag)              \
	X(dwarf_attr)             \
	X(dwarf_formudata)        \
	X(dwarf_getsrcfiles)      \
	X(dwarf_filesrc)          \
	X(dwfl_linux_proc_find_elf) X(dwfl_build_id_find_debuginfo) X(dwfl_module_addrinfo)

static struct {
#define DW_POINTER(name) __typeof__(name) *name;
	DW_CALLS(DW_POINTER)
	Dwfl *session;
} dw;

static void
open_session(void)
{
	static Dwfl_Callbacks calls;
	void *lib = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
	int missing = lib == NULL;

	if (missing)
		return;
#define DW_FIND(name) missing |= (*(void **)&dw.name = dlsym(lib, #name)) == NULL;
	DW_CALLS(DW_FIND)
	if (missing)
		return;
	calls.find_elf = dw.dwfl_linux_proc_find_elf;
	/* of files here: debug information that lies on a server is not waited for */
	calls.find_debuginfo = dw.dwfl_build_id_find_debuginfo;
	dw.session = dw.dwfl_begin(&calls);
	if (dw.session != NULL && (dw.dwfl_linux_proc_report(dw.session, getpid()) != 0 ||
				   dw.dwfl_report_end(dw.session, NULL, NULL) != 0))
		dw.session = NULL;
}

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static Dwarf_Word
number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Word v = 0;
	Dwarf_Attribute a;

	(void)dw.dwarf_formudata(dw.dwarf_attr(die, name, &a), &v);
	return v;
}

static bool
is_our_header(const char *file)
{
	return file != NULL && strncmp(last_part(file), "shmem", strlen("shmem")) == 0 &&
	       strstr(last_part(file), ".h") != NULL;
}

/* A line of such a header is in an overload of C++, or in a call that is compiled in: what is meant
 * is the line that calls it. */
static const char *
leave_headers(Dwarf_Die *unit, Dwarf_Addr pc, const char *file, int *line)
{
	Dwarf_Die *inner = NULL, *scope = NULL;
	Dwarf_Files *files;
	int i, n = 0;

	/* of an inlined call the former has what is around its definition, the latter its caller */
	if (is_our_header(file) && dw.dwarf_getsrcfiles(unit, &files, NULL) == 0 &&
	    dw.dwarf_getscopes(unit, pc, &inner) > 0)
		n = dw.dwarf_getscopes_die(inner, &scope);
	for (i = 0; i < n && is_our_header(file); i++) {
		if (dw.dwarf_tag(&scope[i]) != DW_TAG_inlined_subroutine)
			continue;
		file = dw.dwarf_filesrc(files, number_of(&scope[i], DW_AT_call_file), NULL, NULL);
		*line = (int)number_of(&scope[i], DW_AT_call_line);
	}
	free(scope);
	free(inner);
	return file;
}

/* @return the source file, NULL: unknown */
static const char *
find_line(Dwfl_Module *m, uintptr_t pc, int *line)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = dw.dwfl_module_addrdie(m, pc, &bias);
	Dwarf_Line *l;

	/* clang writes no table of addresses: then each unit is asked */
	if (unit == NULL)
		while ((unit = dw.dwfl_module_nextcu(m, unit, &bias)) != NULL)
			if (dw.dwarf_haspc(unit, pc - bias) > 0)
				break;
	l = unit == NULL ? NULL : dw.dwarf_getsrc_die(unit, pc - bias);
	if (l == NULL || dw.dwarf_lineno(l, line) != 0)
		return NULL;
	return leave_headers(unit, pc - bias, dw.dwarf_linesrc(l, NULL, NULL), line);
}

/* Without debug information: the function, and the file of the program. */
static void
tell_function(Dwfl_Module *m, uintptr_t pc, char *text, size_t size)
{
	const char *function = dw.dwfl_module_addrname(m, pc);
	const char *file = dw.dwfl_module_info(m, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

	file = file == NULL ? "the program" : last_part(file);
	snprintf(text, size, "%s of %s%s", function == NULL ? "a function" : function, file,
		 strstr(file, ".so") != NULL ? "" : "; compile with -g to see the line");
}

void
shmemi_where(uintptr_t pc, char *text, size_t size)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const char *file;
	Dwfl_Module *m;
	int line = 0;

	text[0] = '\0';
	if (pc == 0)
		return;
	pthread_once(&once, open_session);
	pthread_mutex_lock(&lock);
	m = dw.session == NULL ? NULL : dw.dwfl_addrmodule(dw.session, pc);
	file = m == NULL ? NULL : find_line(m, pc, &line);
	if (file != NULL)
		snprintf(text, size, "%s:%d", last_part(file), line);
	else if (m != NULL)
		tell_function(m, pc, text, size);
	pthread_mutex_unlock(&lock);
}

static bool
find_variable(const void *addr, char *text, size_t size)
{
	/* the program's: its data may be mapped from elsewhere by now */
	Dwfl_Module *m =
		dw.session == NULL ? NULL : dw.dwfl_addrmodule(dw.session, find_image().base);
	GElf_Off off = 0;
	GElf_Sym sym;
	const char *name = m == NULL ? NULL
				     : dw.dwfl_module_addrinfo(m, (uintptr_t)addr, &off, &sym, NULL,
							       NULL, NULL);

	if (name == NULL)
		return false;
	if (off == 0)
		snprintf(text, size, "%s", name);
	else
		snprintf(text, size, "%s + %#llx", name, (unsigned long long)off);
	return true;
}
#else
static bool
find_variable(const void *addr, char *text, size_t size)
{
	(void)addr;
	(void)text;
	(void)size;
	return false;
}

void
shmemi_where(uintptr_t pc, char *text, size_t size)
{
	(void)pc;
	snprintf(text, size, "%s", "");
}
#endif

void
shmemi_where_data(const void *addr, char *text, size_t size)
{
	size_t off = (size_t)((const char *)addr - (const char *)rb_heap_base());

	shmemi_where(1, text, size); /* opens the session */
	if (off < rb_heap_size())
		snprintf(text, size, "heap + %#zx", off);
	else if (!find_variable(addr, text, size))
		snprintf(text, size, "%p", addr);
}

uint64_t
shmemi_where_number(uintptr_t pc)
{
	struct image m = find_image();

	return pc - m.base < m.size ? pc - m.base : 0;
}

uintptr_t
shmemi_where_of(uint64_t number)
{
	return number == 0 ? 0 : find_image().base + (uintptr_t)number;
}
