/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef OUTPUT_H
#define OUTPUT_H

/** @file Rows of results: a table, and JSON where wanted. */

#include <stdio.h>

#include "scene.h"

struct output {
	FILE *table, *json; /**< NULL: not wanted */
	const char *name;   /**< of the JSON */
	struct json_t *settings, *rows;
	enum scene_id scene; /**< of the last row */
};

/** JSON goes to the named file; "-" is standard output, and then no table. @return 0, or -errno
 * after a line on stderr */
int output_open(struct output *o, const char *name);
void output_settings(struct output *o, const struct sim_params *p);
void output_row(struct output *o, const struct sim_params *p, const struct scene *sc,
		const struct scene_row *row);
/** @return 0, or -errno after a line on stderr */
int output_close(struct output *o);

#endif /* OUTPUT_H */
