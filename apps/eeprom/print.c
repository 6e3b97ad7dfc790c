/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Images in words. */

#include <stdio.h>
#include <string.h>

#include "fields.h"
#include "place.h"
#include "print.h"

static void
print_record(const struct image *image, const struct record *r)
{
	struct field field[FIELDS_MAX];
	unsigned int n = fields_of(image, r, field), i;
	char place[PLACE_NAME];

	place_name(RECORD_PLACE(r->address), place);
	printf("%-22s 0x%03x  0x%08x  %s\n", place, RECORD_REG(r->address), r->value,
	       *reg_name(r->address) != '\0' ? reg_name(r->address) : "(unknown register)");
	for (i = 0; i < n; i++)
		printf("       %s: %s\n", field[i].label, field[i].text);
}

static const char *
checksum_words(const struct image *image)
{
	if (image->flags & IMAGE_FLAG_CRC)
		return "on, right";
	if (!image->has_crc)
		return "off, none";
	return image->crc == image->right_crc ? "off, right" : "off, wrong";
}

void
print_image(const struct image *image)
{
	size_t i;

	printf("records: %zu, checksum: %s (0x%08x)\n", image->n, checksum_words(image),
	       image->crc);
	if (image->rest > 0)
		printf("%zu bytes follow that are not part of the image\n", image->rest);
	if (image->flags & ~IMAGE_FLAG_CRC)
		printf("flags: 0x%02x; only 0x80 has a known meaning\n", image->flags);
	for (i = 0; i < image->n; i++) {
		printf("%4zu  ", i);
		print_record(image, &image->record[i]);
	}
}

static void
print_where(const struct record *r)
{
	const char *name = reg_name(r->address);
	char place[PLACE_NAME];

	place_name(RECORD_PLACE(r->address), place);
	printf("%s, 0x%03x%s%s", place, RECORD_REG(r->address), *name != '\0' ? " " : "", name);
}

/* The fields that differ, one a line. */
static void
print_fields(const struct image *a, const struct record *ra, const struct image *b,
	     const struct record *rb)
{
	struct field fa[FIELDS_MAX], fb[FIELDS_MAX];
	unsigned int na = ra ? fields_of(a, ra, fa) : 0, nb = rb ? fields_of(b, rb, fb) : 0, i;

	for (i = 0; i < na || i < nb; i++) {
		const char *label = i < na ? fa[i].label : fb[i].label;
		const char *before = i < na ? fa[i].text : "-", *after = i < nb ? fb[i].text : "-";

		if (strcmp(before, after) != 0)
			printf("       %s: %s -> %s\n", label, before, after);
	}
}

/* A record that decides in @p from, against what @p other has for it. */
static bool
print_pair(const struct image *a, const struct image *b, uint16_t address)
{
	const struct record *ra = image_find(a, address), *rb = image_find(b, address);

	if (ra != NULL && rb != NULL && ra->value == rb->value)
		return false;
	print_where(ra != NULL ? ra : rb);
	if (ra == NULL)
		printf(": none -> 0x%08x\n", rb->value);
	else if (rb == NULL)
		printf(": 0x%08x -> none\n", ra->value);
	else
		printf(": 0x%08x -> 0x%08x\n", ra->value, rb->value);
	print_fields(a, ra, b, rb);
	return true;
}

/* The order in which registers are set, where the registers and values are the same. */
static bool
same_order(const struct image *a, const struct image *b)
{
	size_t i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++) {
		if (a->record[i].address != b->record[i].address ||
		    a->record[i].value != b->record[i].value)
			return false;
	}
	return true;
}

bool
print_difference(const struct image *a, const struct image *b)
{
	bool differ = false;
	size_t i;

	if (a->flags != b->flags) {
		printf("flags: 0x%02x -> 0x%02x (checksum %s -> %s)\n", a->flags, b->flags,
		       a->flags & IMAGE_FLAG_CRC ? "on" : "off",
		       b->flags & IMAGE_FLAG_CRC ? "on" : "off");
		differ = true;
	}
	for (i = 0; i < a->n; i++) {
		if (image_find(a, a->record[i].address) == &a->record[i])
			differ |= print_pair(a, b, a->record[i].address);
	}
	for (i = 0; i < b->n; i++) {
		if (image_find(b, b->record[i].address) == &b->record[i] &&
		    image_find(a, b->record[i].address) == NULL)
			differ |= print_pair(a, b, b->record[i].address);
	}
	if (!differ && !same_order(a, b)) {
		puts("the same registers and values, in another order or set more than once");
		differ = true;
	}
	return differ;
}
