/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Registers by name, and their values in words. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fields.h"
#include "place.h"
#include "window.h"

struct list {
	struct field *field;
	unsigned int n;
};

__attribute__((format(printf, 3, 4))) static void
add_field(struct list *list, const char *label, const char *fmt, ...)
{
	struct field *f = &list->field[list->n++];
	va_list ap;

	snprintf(f->label, sizeof(f->label), "%s", label);
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
}

static void
config_fields(struct list *list, uint32_t v)
{
	unsigned int nt;

	add_field(list, "upstream", "port %u", NT_CONFIG_UPSTREAM(v));
	for (nt = 0; nt < 2; nt++) {
		char label[FIELD_LABEL];

		snprintf(label, sizeof(label), "NT%u", nt);
		if (NT_CONFIG_ON(v, nt))
			add_field(list, label, "on, port %u", NT_CONFIG_PORT(v, nt));
		else
			add_field(list, label, "off");
	}
	for (nt = 0; nt < 2; nt++) {
		char label[FIELD_LABEL];

		snprintf(label, sizeof(label), "A-LUT of NT%u", nt);
		add_field(list, label, "%s",
			  NT_CONFIG_ALUT(v, nt) ? "on (the window has slices)" : "off");
	}
	add_field(list, "DMA mode", "%u (bit 24; its meaning is not certain)", NT_CONFIG_DMA(v));
}

static void
bar0_fields(struct list *list, uint32_t v)
{
	add_field(list, "BAR0", "%s%s",
		  (v & 3) == 2	 ? "32-bit"
		  : (v & 3) == 3 ? "64-bit"
				 : "off",
		  v & BAR_PREFETCH ? ", prefetchable" : "");
}

static void
window_fields(struct list *list, const struct image *image, unsigned int place, unsigned int bar)
{
	struct window w = window_of(image, (place - PLACE_NT) / 2, bar);
	char size[SIZE_TEXT], label[FIELD_LABEL];

	snprintf(label, sizeof(label), w.wide ? "BAR%u/%u" : "BAR%u", bar, bar + 1);
	if (!w.on) {
		add_field(list, label, "off");
		return;
	}
	size_text(w.size, size);
	add_field(list, label, "%s, %s-bit, %sprefetchable%s", size, w.wide ? "64" : "32",
		  w.prefetch ? "" : "not ", w.solid ? "" : "; the size mask is not contiguous");
}

static bool
is_virtual(unsigned int place)
{
	return place == PLACE_NT_VIRTUAL(0) || place == PLACE_NT_VIRTUAL(1);
}

static bool
is_link(unsigned int place)
{
	return place == PLACE_NT_LINK(0) || place == PLACE_NT_LINK(1);
}

struct reg {
	unsigned int reg;
	const char *name;
};

static const char *
look_up(const struct reg *regs, size_t n, unsigned int reg)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (regs[i].reg == reg)
			return regs[i].name;
	}
	return "";
}

static const struct reg nt_regs[] = {
	{0x04, "command: decoding, bus mastering"},
	{0x2c, "subsystem ids"},
	{0x70, "device control: payload, reads"},
	{REG_BAR0_SETUP, "BAR0/1 setup: the registers"},
	{REG_BAR_SETUP(2), "BAR2 setup: data window"},
	{REG_BAR_SETUP(3), "BAR2 setup, upper half, or BAR3"},
	{REG_BAR_SETUP(4), "BAR4 setup: the peer's registers"},
	{REG_BAR_SETUP(5), "BAR4 setup, upper half, or BAR5"},
	{0xc3c, "BAR2 translation"},
	{0xc40, "BAR2 translation, upper half, or BAR3"},
	{0xc44, "BAR4 translation"},
	{0xc48, "BAR4 translation, upper half, or BAR5"},
	{0xc94, "A-LUT control"},
};

static const struct reg port_regs[] = {
	{0x04, "command: decoding, bus mastering"},
	{0x2c, "subsystem ids"},
	{0x70, "device control: payload, reads"},
	{0x98, "link control 2: target speed"},
};

static const struct reg chip_regs[] = {
	{0x208, "port control: links that are disabled"},
	{0x300, "widths of the ports"},
	{0x30c, "reference clocks of the ports"},
	{0x358, "virtual switches that are on"},
	{REG_NT_CONFIG, "upstream port, NT ports, A-LUT, DMA mode"},
	{0x380, "ports of virtual switch 0"},
	{0x600, "GPIO direction"},
	{0x604, "GPIO direction"},
	{0x624, "GPIO output"},
	{0xa30, "debug control"},
	{0xf60, "ingress control"},
};

#define LOOK_UP(regs, reg) look_up(regs, sizeof(regs) / sizeof((regs)[0]), reg)

const char *
reg_name(uint16_t address)
{
	unsigned int place = RECORD_PLACE(address), reg = RECORD_REG(address);
	const char *name = "";

	if (is_virtual(place) || is_link(place))
		return LOOK_UP(nt_regs, reg);
	if (place == PLACE_DMA && reg == REG_DMA_GLOBAL)
		return "number of DMA functions";
	if (place % 8 == 0 && place < PLACE_PORTS && (reg == 0x208 || place == 0))
		name = LOOK_UP(chip_regs, reg);
	if (*name == '\0' && place < PLACE_PORTS)
		name = LOOK_UP(port_regs, reg);
	return name;
}

unsigned int
fields_of(const struct image *image, const struct record *record, struct field field[FIELDS_MAX])
{
	unsigned int place = RECORD_PLACE(record->address), reg = RECORD_REG(record->address);
	struct list list = {field, 0};
	uint32_t v = record->value;

	if (place == 0 && reg == REG_NT_CONFIG)
		config_fields(&list, v);
	else if (is_virtual(place) && reg == REG_BAR0_SETUP)
		bar0_fields(&list, v);
	else if (is_virtual(place) && reg >= REG_BAR_SETUP(2) && reg <= REG_BAR_SETUP(5))
		window_fields(&list, image, place, reg < REG_BAR_SETUP(4) ? 2 : 4);
	else if (place == PLACE_DMA && reg == REG_DMA_GLOBAL)
		add_field(&list, "DMA", "%s",
			  v == 0   ? "four functions of a channel each"
			  : v == 1 ? "one function"
			  : v == 2 ? "two functions"
				   : "unknown mode");
	return list.n;
}
