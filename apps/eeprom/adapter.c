/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Commands on the EEPROM of an adapter: save it, change it, ask whether it acts. */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "check.h"
#include "controller.h"
#include "file.h"
#include "image.h"
#include "place.h"
#include "print.h"
#include "say.h"
#include "transfer.h"

#define REG_ID 0u /* of port 0: the part's number in the upper half */

/* What there is in the EEPROM, and what shall be. */
struct exchange {
	struct device dev;
	struct controller c;
	uint8_t old[IMAGE_MAX], new[IMAGE_MAX];
	struct image old_image, new_image;
	size_t new_len;
	bool old_valid;
};

static int
open_device(struct device *dev, const char *name)
{
	int ret = device_open(dev, name);

	if (ret < 0 || dev->read(dev->ctx, REG_ID) != UINT32_MAX)
		return ret;
	complain("%s: registers read all ones: memory decoding is off (write 1 to its file "
		 "\"enable\"), or the function sleeps in D3",
		 name);
	device_close(dev);
	return -ENXIO;
}

static int
load_new(struct exchange *x, const char *path)
{
	struct image *image = file_load(path);

	if (image == NULL)
		return -1;
	x->new_image = *image;
	free(image);
	x->new_len = image_pack(&x->new_image, x->new);
	return 0;
}

/* @p path: of the image that shall be, or NULL. Complains, and returns NULL. */
static struct exchange *
exchange_open(const struct options *o, const char *path)
{
	struct exchange *x = calloc(1, sizeof(*x));

	if (x == NULL) {
		complain("no memory");
		return NULL;
	}
	/* the file first: nothing is asked of an adapter for the sake of a bad one */
	if ((path != NULL && load_new(x, path) < 0) || open_device(&x->dev, o->operand[0]) < 0)
		goto free_exchange;
	if (controller_open(&x->c, &x->dev, o->address_bytes) < 0)
		goto close_device;
	return x;
close_device:
	device_close(&x->dev);
free_exchange:
	free(x);
	return NULL;
}

static void
exchange_close(struct exchange *x)
{
	controller_close(&x->c);
	device_close(&x->dev);
	free(x);
}

/* Into a file; what is no image as well, whose bytes may be all that is left of one. */
static int
save_old(struct exchange *x, const char *path, size_t least)
{
	char why[IMAGE_WHY];
	long len = transfer_out(&x->c, x->old, least);

	if (len < 0)
		return (int)len;
	x->old_valid = image_parse(&x->old_image, x->old, (size_t)len, why) == 0;
	if (file_write(path, x->old, (size_t)len) < 0)
		return -1;
	printf("saved %ld bytes of the EEPROM in %s\n", len, path);
	if (!x->old_valid)
		complain("%s: no valid image in the EEPROM: %s", x->dev.name, why);
	return 0;
}

int
adapter_read(const struct options *o)
{
	struct exchange *x = exchange_open(o, NULL);
	int ret = STATUS_TROUBLE;

	if (x == NULL)
		return STATUS_TROUBLE;
	if (save_old(x, o->output, 0) == 0)
		ret = x->old_valid ? STATUS_FINE : STATUS_FOUND;
	exchange_close(x);
	return ret;
}

/* An image that makes another port the upstream one takes the adapter away from its slot. */
static bool
upstream_stays(struct exchange *x)
{
	const struct record *r = image_find(&x->new_image, RECORD_ADDRESS(0, REG_NT_CONFIG));
	uint32_t now = x->dev.read(x->dev.ctx, REG_NT_CONFIG);

	if (r == NULL || NT_CONFIG_UPSTREAM(r->value) == NT_CONFIG_UPSTREAM(now))
		return true;
	complain("%s: the upstream port is %u, the image makes it %u: the host would not find the "
		 "adapter in this slot again (--new-upstream writes it all the same)",
		 x->dev.name, NT_CONFIG_UPSTREAM(now), NT_CONFIG_UPSTREAM(r->value));
	return false;
}

/* Faults of the image for this chip prevent no write: an old image goes back the same way. */
static void
print_faults(struct exchange *x)
{
	const struct part *part = part_find(x->dev.read(x->dev.ctx, REG_ID) >> 16);

	image_check(&x->new_image, part, stdout, true);
}

static int
write_new(struct exchange *x, const struct options *o)
{
	long written;

	if (!o->write) {
		puts("not written: --write was not given");
		return STATUS_FINE;
	}
	if (!o->new_upstream && !upstream_stays(x))
		return STATUS_TROUBLE;
	written = transfer_in(&x->c, x->old, x->new, x->new_len);
	if (written < 0) {
		complain("%s: not written. The EEPROM may have no signature now; then the chip "
			 "starts with the settings of its straps. The old image is in %s",
			 x->dev.name, o->save);
		return STATUS_TROUBLE;
	}
	if (written == 0)
		puts("nothing to write: the EEPROM has this image");
	else
		printf("wrote %ld dwords and read all %zu bytes back; the chip loads the image "
		       "at its next power-on\n",
		       written, x->new_len);
	return STATUS_FINE;
}

int
adapter_write(const struct options *o)
{
	struct exchange *x = exchange_open(o, o->operand[1]);
	int ret = STATUS_TROUBLE;

	if (x == NULL)
		return STATUS_TROUBLE;
	if (save_old(x, o->save, x->new_len) == 0) {
		if (x->old_valid)
			print_difference(&x->old_image, &x->new_image);
		print_faults(x);
		ret = write_new(x, o);
	}
	exchange_close(x);
	return ret;
}

static bool
print_unlike(const struct device *dev, const struct record *r)
{
	char place[PLACE_NAME];
	uint32_t off, now;

	if (!place_offset(r->address, &off))
		return false;
	now = dev->read(dev->ctx, off);
	if (now == r->value)
		return false;
	place_name(RECORD_PLACE(r->address), place);
	printf("%s, 0x%03x: the image has 0x%08x, the register 0x%08x\n", place,
	       RECORD_REG(r->address), r->value, now);
	return true;
}

int
adapter_loaded(const struct options *o)
{
	struct image *image = file_load(o->operand[1]);
	size_t i, unlike = 0, asked = 0;
	struct device dev;

	if (image == NULL || open_device(&dev, o->operand[0]) < 0) {
		free(image);
		return STATUS_TROUBLE;
	}
	for (i = 0; i < image->n; i++) {
		const struct record *r = &image->record[i];
		uint32_t off;

		if (image_find(image, r->address) != r || !place_offset(r->address, &off))
			continue;
		asked++;
		unlike += print_unlike(&dev, r);
	}
	printf("%zu of %zu registers have the value of the image\n", asked - unlike, asked);
	device_close(&dev);
	free(image);
	return unlike == 0 ? STATUS_FINE : STATUS_FOUND;
}
