/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

enum {
	FILE_MAX = 64 << 20,
	DEPTH_MAX = 32, /* a hostile file must not exhaust the stack */
};

struct reader {
	const char *at;
	unsigned int line;
	struct json_row *rows;
	int n;
};

void
json_string(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', f);
		if ((unsigned char)*s < ' ')
			fprintf(f, "\\u%04x", (unsigned char)*s);
		else
			fputc(*s, f);
	}
	fputc('"', f);
}

static void
skip_space(struct reader *r)
{
	for (; isspace((unsigned char)*r->at); r->at++)
		r->line += *r->at == '\n';
}

static int
expect_char(struct reader *r, char c)
{
	skip_space(r);
	if (*r->at != c)
		return -EINVAL;
	r->at++;
	return 0;
}

/* True where one more element follows in a list that ends with @p end. */
static int
has_more(struct reader *r, char end)
{
	skip_space(r);
	if (*r->at == ',') {
		r->at++;
		return 1;
	}
	return expect_char(r, end);
}

/* Escapes other than a literal next character become a question mark: names that this program
 * compares have none. Characters beyond the buffer are dropped. */
static int
read_string(struct reader *r, char *buf, size_t size)
{
	size_t n = 0;
	char c;

	if (expect_char(r, '"') < 0)
		return -EINVAL;
	while ((c = *r->at++) != '"') {
		if (c == '\\') {
			c = *r->at++;
			if (c && !strchr("\"\\/", c))
				c = '?';
		}
		if (c == '\0' || c == '\n')
			return -EINVAL;
		if (n + 1 < size)
			buf[n++] = c;
	}
	buf[n] = '\0';
	return 0;
}

static int
read_number(struct reader *r, double *ret)
{
	char *end;

	skip_space(r);
	*ret = strtod(r->at, &end);
	if (end == r->at)
		return -EINVAL;
	r->at = end;
	return 0;
}

static int
skip_value(struct reader *r, unsigned int depth)
{
	char text[JSON_TEXT_MAX], end;
	double number;
	int ret;

	skip_space(r);
	if (depth == DEPTH_MAX)
		return -EINVAL;
	if (*r->at == '"')
		return read_string(r, text, sizeof(text));
	if (*r->at != '{' && *r->at != '[') {
		if (!isalpha((unsigned char)*r->at))
			return read_number(r, &number);
		while (isalpha((unsigned char)*r->at)) /* true, false, null */
			r->at++;
		return 0;
	}
	end = *r->at++ == '{' ? '}' : ']';
	if (expect_char(r, end) == 0)
		return 0;
	do {
		ret = 0;
		if (end == '}')
			ret = read_string(r, text, sizeof(text));
		if (ret == 0 && end == '}')
			ret = expect_char(r, ':');
		if (ret == 0)
			ret = skip_value(r, depth + 1);
		if (ret == 0)
			ret = has_more(r, end);
	} while (ret > 0);
	return ret;
}

static int
read_member(struct reader *r, struct json_row *row)
{
	const struct {
		const char *name;
		char *text;
		double *number;
	} members[] = {
		{"bench", row->bench, NULL},	{"buffer", row->buffer, NULL},
		{"target", NULL, &row->target}, {"size", NULL, &row->size},
		{"value", NULL, &row->value},
	};
	char name[JSON_TEXT_MAX];
	size_t i;

	if (read_string(r, name, sizeof(name)) < 0 || expect_char(r, ':') < 0)
		return -EINVAL;
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(members[i].name, name) != 0)
			continue;
		return members[i].text ? read_string(r, members[i].text, JSON_TEXT_MAX)
				       : read_number(r, members[i].number);
	}
	return skip_value(r, 0);
}

static int
read_row(struct reader *r)
{
	struct json_row *rows = realloc(r->rows, (size_t)(r->n + 1) * sizeof(*rows));
	int ret = expect_char(r, '{');

	if (!rows)
		return -ENOMEM;
	r->rows = rows;
	rows[r->n] = (struct json_row){.target = -1};
	do {
		if (ret >= 0)
			ret = read_member(r, &rows[r->n]);
		if (ret >= 0)
			ret = has_more(r, '}');
	} while (ret > 0);
	if (ret == 0)
		r->n++;
	return ret;
}

static int
read_top(struct reader *r)
{
	char name[JSON_TEXT_MAX];
	int ret = expect_char(r, '{');

	while (ret >= 0) {
		if (read_string(r, name, sizeof(name)) < 0 || expect_char(r, ':') < 0)
			return -EINVAL;
		if (strcmp(name, "rows") != 0) {
			ret = skip_value(r, 0);
		} else {
			ret = expect_char(r, '[');
			if (ret == 0 && expect_char(r, ']') < 0)
				do {
					ret = read_row(r);
					if (ret == 0)
						ret = has_more(r, ']');
				} while (ret > 0);
		}
		if (ret == 0)
			ret = has_more(r, '}');
		if (ret == 0)
			return 0;
	}
	return ret;
}

static int
read_file(const char *path, char **ret_text)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	long size = -1;
	int ret = -EIO;

	if (!f)
		return -errno;
	if (fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	if (size < 0 || size > FILE_MAX)
		goto close;
	text = calloc(1, (size_t)size + 1);
	ret = text ? 0 : -ENOMEM;
	rewind(f);
	if (ret == 0 && fread(text, 1, (size_t)size, f) != (size_t)size)
		ret = -EIO;
close:
	fclose(f);
	if (ret < 0)
		free(text);
	else
		*ret_text = text;
	return ret;
}

int
json_read_rows(const char *path, struct json_row **ret_rows, unsigned int *ret_line)
{
	struct reader r = {.line = 1};
	char *text = NULL;
	int ret;

	*ret_line = 0;
	ret = read_file(path, &text);
	if (ret < 0)
		return ret;
	r.at = text;
	ret = read_top(&r);
	free(text);
	if (ret < 0) {
		*ret_line = r.line;
		free(r.rows);
		return ret;
	}
	*ret_rows = r.rows;
	return r.n;
}
