/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef OPTIONS_H
#define OPTIONS_H

/* The command line. */

#include <stdbool.h>

#include "part.h"
#include "settings.h"

enum {
	OPERANDS_MAX = 2,
};

enum command {
	COMMAND_MAKE,
	COMMAND_SHOW,
	COMMAND_DIFF,
	COMMAND_CHECK,
	COMMAND_READ,
	COMMAND_WRITE,
	COMMAND_LOADED,
};

struct options {
	enum command command;
	const char *operand[OPERANDS_MAX];
	const char *output, *base, *save;
	const struct part *part;
	unsigned int address_bytes; /* 0: as the chip found them */
	bool write, new_upstream;
	struct settings settings;
};

/* 0; 1 where all is done (--help, --version); -EINVAL, with a line that says why. */
int options_read(struct options *o, int argc, char **argv);

#endif /* OPTIONS_H */
