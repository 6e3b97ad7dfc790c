/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Settings by name, and how they become records. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "say.h"
#include "settings.h"
#include "window.h"

#define BAR0_32BIT 2u
#define BAR0_64BIT 3u
#define BAR2_DEFAULT (1ull << 30)
#define BAR4_DEFAULT (1ull << 20)
#define WINDOW_MAX (1ull << 40)

static bool
parse_port(const char *text, int *ret)
{
	char *end;
	long v = strtol(text, &end, 10);

	if (end == text || *end != '\0' || v < 0 || v >= PLACE_PORTS)
		return false;
	*ret = (int)v;
	return true;
}

static bool
parse_size(const char *text, uint64_t *ret)
{
	char *end;
	unsigned long long v = strtoull(text, &end, 10);
	const char *units = "KMGT", *unit = *end != '\0' ? strchr(units, *end) : NULL;
	unsigned int shift = unit != NULL ? 10 * (unsigned int)(unit - units + 1) : 0;

	if (end == text || *text == '-' || end[unit != NULL] != '\0' || v > WINDOW_MAX >> shift)
		return false;
	v <<= shift;
	*ret = v;
	return v >= BAR_MIN && (v & (v - 1)) == 0;
}

/* One of a few words, by its place in the list. */
static bool
parse_word(const char *text, const char *const *words, uint32_t *ret)
{
	uint32_t i;

	for (i = 0; words[i] != NULL; i++) {
		if (strcmp(text, words[i]) == 0) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static bool
parse_switch(const char *text, bool *ret)
{
	static const char *const words[] = {"off", "on", NULL};
	uint32_t v;

	if (!parse_word(text, words, &v))
		return false;
	*ret = v != 0;
	return true;
}

static bool
take_nt(struct settings *s, unsigned int nt, const char *value)
{
	s->given.nt[nt] = true;
	s->nt[nt] = NT_ABSENT;
	return strcmp(value, "off") == 0 || parse_port(value, &s->nt[nt]);
}

static bool
take_nt0(struct settings *s, const char *value)
{
	return take_nt(s, 0, value);
}

static bool
take_nt1(struct settings *s, const char *value)
{
	return take_nt(s, 1, value);
}

static bool
take_upstream(struct settings *s, const char *value)
{
	s->given.upstream = true;
	return parse_port(value, &s->upstream);
}

static bool
take_bar0(struct settings *s, const char *value)
{
	static const char *const words[] = {"32", "64", NULL};
	uint32_t v = 0;

	s->given.bar0 = parse_word(value, words, &v);
	s->bar0 = v == 0 ? BAR0_32BIT : BAR0_64BIT;
	return s->given.bar0;
}

static bool
take_bar2(struct settings *s, const char *value)
{
	s->given.bar2 = true;
	return parse_size(value, &s->bar2);
}

static bool
take_bar4(struct settings *s, const char *value)
{
	s->given.bar4 = true;
	s->bar4 = SIZE_OFF;
	return strcmp(value, "off") == 0 || parse_size(value, &s->bar4);
}

static bool
take_alut(struct settings *s, const char *value)
{
	s->given.alut = true;
	return parse_switch(value, &s->alut);
}

static bool
take_dma(struct settings *s, const char *value)
{
	static const char *const words[] = {"four", "one", "two", NULL};

	s->given.dma = true;
	return parse_word(value, words, &s->dma);
}

static bool
take_crc(struct settings *s, const char *value)
{
	s->given.crc = true;
	return parse_switch(value, &s->crc);
}

static const struct {
	const char *name;
	bool (*take)(struct settings *s, const char *value);
	const char *want;
} names[] = {
	{"upstream", take_upstream, "a port number"},
	{"nt0", take_nt0, "a port number, or off"},
	{"nt1", take_nt1, "a port number, or off"},
	{"bar0", take_bar0, "32 or 64"},
	{"bar2", take_bar2, "a power of two, 1M to 1T"},
	{"bar4", take_bar4, "a power of two, 1M to 1T, or off"},
	{"alut", take_alut, "on or off"},
	{"dma", take_dma, "four, two or one"},
	{"crc", take_crc, "on or off"},
};

int
settings_take(struct settings *s, const char *text)
{
	const char *equals = strchr(text, '=');
	size_t len = equals != NULL ? (size_t)(equals - text) : strlen(text), i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) != len || strncmp(names[i].name, text, len) != 0)
			continue;
		if (equals != NULL && names[i].take(s, equals + 1))
			return 0;
		complain("%s: %s is needed", text, names[i].want);
		return -EINVAL;
	}
	complain("%s: unknown setting; settings are upstream, nt0, nt1, bar0, bar2, bar4, alut, "
		 "dma and crc",
		 text);
	return -EINVAL;
}

static uint32_t
with_nt(uint32_t config, unsigned int nt, int port)
{
	unsigned int at = nt == 0 ? 8 : 16;
	uint32_t number = port != NT_ABSENT ? (uint32_t)port : NT_CONFIG_NO_PORT;

	config &= ~(0x3fu << at);
	return config | number << at | (port != NT_ABSENT ? 1u << (at + 5) : 0);
}

static uint32_t
with_alut(uint32_t config, bool on)
{
	unsigned int nt;

	for (nt = 0; nt < 2; nt++) {
		config &= ~(1u << (30 + nt));
		if (on && NT_CONFIG_ON(config, nt))
			config |= 1u << (30 + nt);
	}
	return config;
}

static int
apply_config(const struct settings *s, const struct part *part, struct image *image,
	     uint32_t *ret_config)
{
	uint16_t address = RECORD_ADDRESS(0, REG_NT_CONFIG);
	const struct record *old = image_find(image, address);
	uint32_t config =
		old != NULL ? old->value : with_nt(with_nt(0, 0, NT_ABSENT), 1, NT_ABSENT);
	bool had_nt = NT_CONFIG_ON(config, 0) || NT_CONFIG_ON(config, 1);
	bool had_alut = NT_CONFIG_ALUT(config, 0) || NT_CONFIG_ALUT(config, 1);
	unsigned int nt;

	if (s->given.upstream)
		config = (config & ~0x1fu) | (uint32_t)s->upstream;
	for (nt = 0; nt < 2; nt++) {
		if (s->given.nt[nt])
			config = with_nt(config, nt, s->nt[nt]);
	}
	if (s->given.alut)
		config = with_alut(config, s->alut);
	else if (s->given.nt[0] || s->given.nt[1])
		config = with_alut(config, had_nt ? had_alut : part->newer);
	*ret_config = config;
	return image_set(image, address, config);
}

static int
set_window(struct image *image, unsigned int nt, unsigned int bar, uint64_t size)
{
	unsigned int place = PLACE_NT_VIRTUAL(nt), i;
	uint32_t setup[2];
	int ret = 0;

	window_setup(size, bar == 2, setup);
	for (i = 0; i < 2 && ret == 0; i++)
		ret = image_set(image, RECORD_ADDRESS(place, REG_BAR_SETUP(bar + i)), setup[i]);
	return ret;
}

static int
apply_bars(const struct settings *s, struct image *image, unsigned int nt)
{
	uint16_t bar0 = RECORD_ADDRESS(PLACE_NT_VIRTUAL(nt), REG_BAR0_SETUP);
	int ret = 0;

	if (s->given.bar0 || image_find(image, bar0) == NULL)
		ret = image_set(image, bar0, s->given.bar0 ? s->bar0 : BAR0_32BIT);
	if (ret == 0 && (s->given.bar2 || !window_of(image, nt, 2).known))
		ret = set_window(image, nt, 2, s->given.bar2 ? s->bar2 : BAR2_DEFAULT);
	if (ret == 0 && (s->given.bar4 || !window_of(image, nt, 4).known))
		ret = set_window(image, nt, 4, s->given.bar4 ? s->bar4 : BAR4_DEFAULT);
	return ret;
}

/* What an image says of an NT port that is off is for none. */
static void
forget_bars(struct image *image, unsigned int nt)
{
	uint32_t reg;

	for (reg = REG_BAR0_SETUP; reg <= REG_BAR_SETUP(5); reg += 4)
		image_remove(image, RECORD_ADDRESS(PLACE_NT_VIRTUAL(nt), reg));
}

static int
apply_dma(const struct settings *s, const struct part *part, struct image *image)
{
	uint16_t address = RECORD_ADDRESS(PLACE_DMA, REG_DMA_GLOBAL);

	if (!part->newer) {
		if (!s->given.dma)
			return 0;
		complain("dma: a PEX %04x has no DMA engine", part->number);
		return -EINVAL;
	}
	if (!s->given.dma && image_find(image, address) != NULL)
		return 0;
	return image_set(image, address, s->given.dma ? s->dma : 0);
}

int
settings_apply(const struct settings *s, const struct part *part, struct image *image)
{
	bool empty = image->n == 0;
	unsigned int nt;
	uint32_t config;
	int ret = apply_config(s, part, image, &config);

	for (nt = 0; nt < 2 && ret == 0; nt++) {
		if (NT_CONFIG_ON(config, nt))
			ret = apply_bars(s, image, nt);
		else
			forget_bars(image, nt);
	}
	if (ret == 0)
		ret = apply_dma(s, part, image);
	if (s->given.crc ? s->crc : empty && part->newer)
		image->flags |= IMAGE_FLAG_CRC;
	else if (s->given.crc)
		image->flags &= (uint8_t)~IMAGE_FLAG_CRC;
	if (ret == -ENOSPC)
		complain("more than %d records do not fit into an EEPROM", IMAGE_RECORDS);
	return ret;
}
