/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef JSON_H
#define JSON_H

/**
 * @file
 * As much JSON as the measuring programs write, and a reader of it that takes any member order and
 * any members that it does not know.
 */

#include <stdio.h>

enum {
	JSON_TEXT_MAX = 64,
};

/** A row as it was read. */
struct json_row {
	char bench[JSON_TEXT_MAX];
	char buffer[JSON_TEXT_MAX];
	double target;
	double size;
	double value;
};

/** Write @p s as a JSON string. */
void json_string(FILE *f, const char *s);

/**
 * Read the "rows" of a JSON file.
 *
 * @param ret_rows  to free(); set on success only
 * @return number of rows; -errno of the file; -EINVAL for anything that is not such JSON, with the
 * line number in @p ret_line
 */
int json_read_rows(const char *path, struct json_row **ret_rows, unsigned int *ret_line);

#endif /* JSON_H */
