/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "mem/settings.h"

#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "base/env.h"
#include "base/hash.h"
#include "base/modes.h"
#include "base/state.h"
#include "base/wire.h"
#include "mem/layout.h"

/* The linker's build-id is a note. */
static int
main_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint64_t *h = arg;
	int i;

	(void)size;
	*h = rb_hash(RB_HASH_START, info->dlpi_phdr, info->dlpi_phnum * sizeof(*info->dlpi_phdr));
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_NOTE)
			*h = rb_hash(*h, (const uint8_t *)info->dlpi_addr + ph->p_vaddr,
				     ph->p_memsz);
	}
	return 1;
}

/* Fingerprint of the main executable: a hash of its program headers and notes. */
static uint64_t
program_hash(void)
{
	static uint64_t h;

	if (h == 0)
		dl_iterate_phdr(main_object, &h);
	return h;
}

enum {
	HEAP_AT = offsetof(struct rb_layout, heap) / sizeof(uint64_t),
	DATA_AT = offsetof(struct rb_layout, data) / sizeof(uint64_t),
};

void
rb_settings_here(struct rb_settings *s)
{
	uint64_t places = RB_HASH_START;
	int pe;

	_Static_assert(sizeof(s->layout) == offsetof(struct rb_layout, end), "what hosts share");
	for (pe = 0; pe < rb.npes; pe++)
		places = rb_hash(places, &rb.place[pe].host, sizeof(rb.place[pe].host));
	*s = (struct rb_settings){
		.pes = (uint64_t)rb.npes,
		.places = places,
		.statics = rb.env.statics,
		/* static data of different programs does not correspond, but heaps do */
		.program = rb.env.statics == RB_STATICS_NONE ? 0 : program_hash(),
		.data_size = rb_mem.data_size,
		.heap_size = rb_mem.lay.heap_size,
		.huge = rb_mem.huge,
		.lcores = rb.lcores,
		.channels = rb.channels,
		.slots = rb.slots,
		.chunk = rb.chunk,
		.notify = rb.notify,
		.survive = rb.env.survive,
	};
	memcpy(s->layout, &rb_mem.lay, sizeof(s->layout));
	if (rb_mem.by_frames)
		s->layout[HEAP_AT] = s->layout[DATA_AT] = 0; /* no other host goes there */
}

uint32_t
rb_settings_hash_of(const struct rb_settings *s)
{
	uint64_t h = rb_hash(RB_HASH_START, s, sizeof(*s));

	return (uint32_t)(h ^ h >> 32);
}

uint32_t
rb_settings_hash(void)
{
	struct rb_settings s;

	rb_settings_here(&s);
	return rb_settings_hash_of(&s);
}

/* How a difference is printed: before, their value, unit, ", here", our value, after. */
struct row {
	size_t at;
	const char *before, *unit, *after;
	enum {
		NUMBER,
		HEX,
		BARE
	} kind;		     /* BARE: the values are not printed */
	const char *word[4]; /* names of the values; none: it is a number */
};

#define ROW(field, ...) offsetof(struct rb_settings, field), __VA_ARGS__

/* Causes before consequences: only the first difference is printed. */
static const struct row rows[] = {
	{ROW(pes, "", " PEs", "", NUMBER, {NULL})},
	{ROW(places, "PEs on other hosts: give all the same --map-by, or RINGBELL_MAP", "", "",
	     BARE, {NULL})},
	{ROW(statics, "RINGBELL_STATIC=", "", "", NUMBER, {RB_STATICS_MODES(RB_MODE_WORD)})},
	{ROW(program, "another program or build, ", "",
	     ": their static data does not correspond; run the same file everywhere, or set "
	     "RINGBELL_STATIC=none for all",
	     HEX, {NULL})},
	{ROW(data_size, "", " bytes of static data", "", NUMBER, {NULL})},
	{ROW(heap_size, "a symmetric heap of ", " bytes",
	     ": give all the same SHMEM_SYMMETRIC_SIZE", NUMBER, {NULL})},
	{ROW(huge, "a region for ", "", " pages: set RINGBELL_HUGE=never for all", NUMBER,
	     {"small", "huge"})},
	{ROW(lcores, "RINGBELL_LCORES=", "", "", NUMBER, {NULL})},
	{ROW(channels, "RINGBELL_CHANNELS=", "", "", NUMBER, {NULL})},
	{ROW(slots, "RINGBELL_SLOTS=", "", "", NUMBER, {NULL})},
	{ROW(chunk, "RINGBELL_CHUNK=", "", " (less where a window is small): set it for all hosts",
	     NUMBER, {NULL})},
	{ROW(survive, "RINGBELL_SURVIVE=", "", "", NUMBER, {RB_SURVIVE_MODES(RB_MODE_WORD)})},
	{ROW(layout[HEAP_AT],
	     "windows that show more of its region, or less: give all adapters the same BAR2, or a "
	     "larger one",
	     "", "", BARE, {NULL})},
	{ROW(notify, "RINGBELL_NOTIFY=", "", "", NUMBER, {RB_NOTIFY_MODES(RB_MODE_WORD)})},
};

enum {
	VALUE_TEXT = 32
};

static const char *
format_value(const struct row *row, uint64_t v, char text[VALUE_TEXT])
{
	if (row->word[0] != NULL)
		return v < RTE_DIM(row->word) && row->word[v] != NULL ? row->word[v] : "?";
	snprintf(text, VALUE_TEXT, row->kind == HEX ? "%016" PRIx64 : "%" PRIu64, v);
	return text;
}

bool
rb_settings_differ(const struct rb_settings *theirs, char *text, size_t len)
{
	struct rb_settings here;
	char a[VALUE_TEXT], b[VALUE_TEXT];
	size_t i;

	rb_settings_here(&here);
	for (i = 0; i < RTE_DIM(rows); i++) {
		const struct row *row = &rows[i];
		uint64_t their, ours;

		memcpy(&their, (const uint8_t *)theirs + row->at, sizeof(their));
		memcpy(&ours, (const uint8_t *)&here + row->at, sizeof(ours));
		if (their == ours)
			continue;
		if (row->kind == BARE)
			snprintf(text, len, "%s", row->before);
		else
			snprintf(text, len, "%s%s%s, here %s%s", row->before,
				 format_value(row, their, a), row->unit, format_value(row, ours, b),
				 row->after);
		return true;
	}
	snprintf(text, len, "another layout of its region");
	return memcmp(theirs->layout, here.layout, sizeof(here.layout)) != 0;
}
