/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* ringbell-eeprom: images for the EEPROM of adapters. */

#include <stdio.h>
#include <stdlib.h>

#include "adapter.h"
#include "check.h"
#include "file.h"
#include "options.h"
#include "print.h"
#include "say.h"

static int
make_image(const struct options *o)
{
	struct image *image = o->base != NULL ? file_load(o->base) : calloc(1, sizeof(*image));
	static uint8_t bytes[IMAGE_MAX];
	int ret = STATUS_TROUBLE;
	size_t len;

	if (image == NULL) {
		if (o->base == NULL)
			complain("no memory");
		return STATUS_TROUBLE;
	}
	if (settings_apply(&o->settings, o->part, image) == 0) {
		if (image_check(image, o->part, stderr, true) > 0) {
			complain("%s is not written", o->output);
		} else {
			len = image_pack(image, bytes);
			if (file_write(o->output, bytes, len) == 0)
				ret = STATUS_FINE;
		}
	}
	free(image);
	return ret;
}

static int
show_image(const struct options *o)
{
	struct image *image = file_load(o->operand[0]);

	if (image == NULL)
		return STATUS_TROUBLE;
	print_image(image);
	free(image);
	return STATUS_FINE;
}

static int
check_file(const struct options *o)
{
	struct image *image = file_load(o->operand[0]);
	unsigned int faults;

	if (image == NULL)
		return STATUS_TROUBLE;
	faults = image_check(image, o->part, stdout, false);
	printf("%zu records, %u fault%s\n", image->n, faults, faults == 1 ? "" : "s");
	free(image);
	return faults == 0 ? STATUS_FINE : STATUS_FOUND;
}

static int
compare_images(const struct options *o)
{
	struct image *a = file_load(o->operand[0]), *b = a ? file_load(o->operand[1]) : NULL;
	int ret = STATUS_TROUBLE;

	if (b != NULL)
		ret = print_difference(a, b) ? STATUS_FOUND : STATUS_FINE;
	free(a);
	free(b);
	return ret;
}

int
main(int argc, char **argv)
{
	static int (*const run[])(const struct options *) = {
		[COMMAND_MAKE] = make_image,	   [COMMAND_SHOW] = show_image,
		[COMMAND_DIFF] = compare_images,   [COMMAND_CHECK] = check_file,
		[COMMAND_READ] = adapter_read,	   [COMMAND_WRITE] = adapter_write,
		[COMMAND_LOADED] = adapter_loaded,
	};
	struct options o;
	int ret = options_read(&o, argc, argv);

	if (ret != 0)
		return ret > 0 ? STATUS_FINE : STATUS_TROUBLE;
	ret = run[o.command](&o);
	if (fflush(stdout) != 0) {
		complain("standard output: not all could be written");
		ret = STATUS_TROUBLE;
	}
	return ret;
}
