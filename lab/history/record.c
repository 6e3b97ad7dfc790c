/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The file of a PE.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record.h"

#define VARIABLE "RINGBELL_HISTORY"

enum {
	ENTRIES = 1 << 23, /* the file is sparse */
	PAGE = 4096
};

struct header {
	char magic[8];
	uint32_t pe, npes;
	uint32_t ended; /* 1: the process came to its end, or to one that it chose */
	uint32_t lost;	/* calls that the file has no room for */
	char boot[40];	/* of the kernel whose clock it is */
	char kinds[PAGE - 64];
};

#define KIND_NAME(name) #name " "

/* Set once by the first thread that sets up the library. A forked child has none. */
static _Atomic(struct header *) header;
static char path[PAGE];
static atomic_uint entries, threads;
static _Thread_local unsigned int thread;

static uintptr_t static_start, static_end;
static _Atomic uintptr_t heap_base, heap_low, heap_high;

struct pending {
	struct entry *entry;
	shmem_ctx_t ctx;
	const void *fetch;
};
static pthread_mutex_t pending_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pending *pending;
static size_t pending_count, pending_room;

static void
record_fail(const char *what, const char *why)
{
	fprintf(stderr, "history: %s: %s\n", what, why);
	pshmem_global_exit(1);
}

uint64_t
record_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The program itself comes first; static data of other objects is not symmetric. */
static int
find_static(struct dl_phdr_info *info, size_t size, void *arg)
{
	int i;

	(void)size;
	(void)arg;
	static_start = info->dlpi_addr;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			static_end = static_start + info->dlpi_phdr[i].p_vaddr +
				     info->dlpi_phdr[i].p_memsz;
	return 1;
}

static void
forget_file(void)
{
	atomic_store(&header, NULL);
}

static void __attribute__((destructor)) end_file(void)
{
	struct header *h = atomic_load(&header);

	if (h == NULL)
		return;
	h->ended = 1;
	if (truncate(path, PAGE + (off_t)sizeof(struct entry) * atomic_load(&entries)) < 0)
		perror("history: cannot shorten the file");
}

static struct header *
map_file(int pe)
{
	size_t size = PAGE + sizeof(struct entry) * ENTRIES;
	const char *folder = getenv(VARIABLE);
	void *map;
	int fd;

	if (folder == NULL) {
		fprintf(stderr, "history: set " VARIABLE " to a folder\n");
		pshmem_global_exit(1);
	}
	mkdir(folder, 0777);
	snprintf(path, sizeof(path), "%s/%d.history", folder, pe);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		record_fail(path, errno == EEXIST ? "give each run a folder of its own"
						  : strerror(errno));
	map = ftruncate(fd, (off_t)size) < 0
		      ? MAP_FAILED
		      : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (map == MAP_FAILED)
		record_fail(path, strerror(errno));
	close(fd);
	return map;
}

void
record_open(void)
{
	struct header *h;
	int fd;

	if (atomic_load(&header))
		return;
	dl_iterate_phdr(find_static, NULL);
	h = map_file(pshmem_my_pe());
	memcpy(h->magic, "RBHIST1", 8);
	h->pe = (uint32_t)pshmem_my_pe();
	h->npes = (uint32_t)pshmem_n_pes();
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, h->boot, sizeof(h->boot) - 1) < 0)
		record_fail("/proc/sys/kernel/random/boot_id", strerror(errno));
	close(fd);
	snprintf(h->kinds, sizeof(h->kinds), "%s", RECORD_KINDS(KIND_NAME));
	pthread_atfork(NULL, NULL, forget_file);
	atomic_store(&header, h);
}

void
record_block(void *block, size_t size)
{
	uintptr_t at = (uintptr_t)block, none = 0;

	if (block == NULL)
		return;
	/* the same block on all PEs, as these calls are collective */
	if (atomic_compare_exchange_strong(&heap_base, &none, at))
		atomic_store(&heap_low, at);
	if (at < atomic_load(&heap_low))
		atomic_store(&heap_low, at);
	if (at + size > atomic_load(&heap_high))
		atomic_store(&heap_high, at + size);
}

static void
note_place(struct entry *entry, uintptr_t at)
{
	if (at >= static_start && at < static_end) {
		entry->flags = RECORD_STATIC;
		entry->place = (int64_t)(at - static_start);
	} else if (at >= atomic_load(&heap_low) && at < atomic_load(&heap_high)) {
		entry->flags = RECORD_HEAP;
		entry->place = (int64_t)(at - atomic_load(&heap_base));
	} else {
		entry->place = (int64_t)at; /* a space, or the number of a team */
	}
}

int
record_world_pe(shmem_ctx_t ctx, int pe)
{
	shmem_team_t team;

	if (ctx == SHMEM_CTX_DEFAULT || pe < 0 || pshmem_ctx_get_team(ctx, &team) != 0)
		return pe;
	return pshmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD);
}

struct entry *
record_begin(const struct call *call)
{
	struct header *h = atomic_load(&header);
	struct entry *entry;
	unsigned int i;

	if (h == NULL)
		return NULL;
	i = atomic_load(&entries);
	do {
		if (i == ENTRIES) {
			h->lost++;
			return NULL;
		}
	} while (!atomic_compare_exchange_weak(&entries, &i, i + 1));
	if (thread == 0)
		thread = atomic_fetch_add(&threads, 1) + 1;
	entry = (struct entry *)((char *)h + PAGE) + i;
	note_place(entry, (uintptr_t)call->at);
	entry->type = (uint8_t)call->type;
	entry->pe = record_world_pe(call->ctx, call->pe);
	entry->a = call->a;
	entry->b = call->b;
	entry->thread = thread;
	entry->ctx = (uint32_t)(uintptr_t)call->ctx;
	entry->invoked = record_now();
	/* a reader of a killed PE's file takes the kind for the sign of a whole entry */
	__atomic_store_n(&entry->kind, (uint8_t)call->kind, __ATOMIC_RELEASE);
	return entry;
}

void
record_end(struct entry *entry)
{
	if (entry)
		entry->returned = record_now();
}

void
record_result(struct entry *entry, uint64_t result)
{
	uint64_t now = record_now();

	if (entry == NULL)
		return;
	entry->result = result;
	entry->flags |= RECORD_RESULT;
	entry->returned = now;
}

void
record_done(const struct call *call, uint64_t invoked, uint64_t result)
{
	struct entry *entry = record_begin(call);

	record_result(entry, result);
	if (entry)
		entry->invoked = invoked;
}

void
record_pending(struct entry *entry, shmem_ctx_t ctx, const void *fetch)
{
	if (entry == NULL)
		return;
	record_end(entry);
	pthread_mutex_lock(&pending_lock);
	if (pending_count == pending_room) {
		pending_room = pending_room * 2 + 64;
		pending = realloc(pending, pending_room * sizeof(*pending));
		if (pending == NULL)
			record_fail("pending fetches", strerror(ENOMEM));
	}
	pending[pending_count++] = (struct pending){entry, ctx, fetch};
	pthread_mutex_unlock(&pending_lock);
}

void
record_quiet(shmem_ctx_t ctx, int pe)
{
	size_t i, left = 0;

	if (atomic_load(&header) == NULL)
		return;
	pthread_mutex_lock(&pending_lock);
	for (i = 0; i < pending_count; i++) {
		struct entry *entry = pending[i].entry;

		if (pending[i].ctx != ctx || (pe != RECORD_ALL_PES && pe != entry->pe)) {
			pending[left++] = pending[i];
			continue;
		}
		entry->result = record_bits(pending[i].fetch, entry->type & 0x1f);
		entry->flags |= RECORD_RESULT;
	}
	pending_count = left;
	pthread_mutex_unlock(&pending_lock);
}
