/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum {
	ROWS_MAX = 64,
	COLUMN = 24, /* of the help, where texts begin */
	WIDTH = 80,
	LONG = 256, /* first value of getopt_long() for a row */
	SIZES_LIMIT_BITS = 32,
};

static const struct cli_option common[] = {
	{"help", 'h', .help = "this text"},
	{"version", .help = "the version"},
};

/* ---- lines ---- */

static void
say_line(const char *fmt, va_list ap)
{
	char line[8192]; /* one write, also of a value that is long */

	vsnprintf(line, sizeof(line), fmt, ap);
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
}

void
cli_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say_line(fmt, ap);
	va_end(ap);
}

void
cli_fail(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say_line(fmt, ap);
	va_end(ap);
	exit(status);
}

/* ---- values ---- */

/* A number at the head of @p text; @p ret_end points after it. */
static bool
number_at(const char *text, bool sizes, long *ret, char **ret_end)
{
	long v;
	int shift;

	errno = 0;
	v = strtol(text, ret_end, 10);
	if (errno != 0 || *ret_end == text)
		return false;
	shift = **ret_end == 'K' ? 10 : **ret_end == 'M' ? 20 : **ret_end == 'G' ? 30 : 0;
	if (sizes && shift != 0) {
		if (v < 0 || v > INT64_MAX >> shift)
			return false;
		v <<= shift;
		(*ret_end)++;
	}
	*ret = v;
	return true;
}

bool
cli_number(const char *text, double least, double most, bool sizes, long *ret)
{
	char *end;
	long v;

	if (!number_at(text, sizes, &v, &end) || *end != '\0' || (double)v < least ||
	    (double)v > most)
		return false;
	*ret = v;
	return true;
}

static bool
real_of(const char *text, double least, double most, double *ret)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || *end != '\0' || !(v >= least && v <= most))
		return false;
	*ret = v;
	return true;
}

bool
cli_list(const char *text, struct cli_sizes *ret)
{
	char *end;
	long v;

	for (ret->n = 0; ret->n < CLI_SIZES_MAX; text = end + 1) {
		if (!number_at(text, true, &v, &end) || v < 1 || v > 1L << SIZES_LIMIT_BITS)
			return false;
		ret->v[ret->n++] = (size_t)v;
		if (*end != ',')
			return *end == '\0';
	}
	return false;
}

bool
cli_match(char *const *patterns, const char *name)
{
	char *const *pattern;

	for (pattern = patterns; *pattern; pattern++)
		if (fnmatch(*pattern, name, 0) == 0)
			return true;
	return patterns[0] == NULL;
}

/* ---- reading ---- */

static bool
takes_value(const struct cli_option *o)
{
	return o->kind != CLI_FLAG && !(o->kind == CLI_READ && o->value == NULL);
}

static bool
read_choice(const struct cli_option *o, int *at, const char *text)
{
	int i;

	for (i = 0; o->words[i] != NULL; i++) {
		if (strcmp(text, o->words[i]) == 0) {
			*at = i;
			return true;
		}
	}
	return false;
}

/* @return NULL, or what is wrong, where the kind alone does not say it; "" where it does */
static const char *
store_value(const struct cli_option *o, void *args, const char *text)
{
	void *at = (char *)args + o->at;
	bool ok = true;
	long v = 0;

	switch (o->kind) {
	case CLI_FLAG:
		*(bool *)at = true;
		break;
	case CLI_INT:
		ok = cli_number(text, o->least, o->most, false, &v);
		*(int *)at = ok ? (int)v : *(int *)at;
		break;
	case CLI_NUMBER:
	case CLI_SIZE:
		ok = cli_number(text, o->least, o->most, o->kind == CLI_SIZE, at);
		break;
	case CLI_REAL:
		ok = real_of(text, o->least, o->most, at);
		break;
	case CLI_CHOICE:
		ok = read_choice(o, at, text);
		break;
	case CLI_TEXT:
		*(const char **)at = text;
		break;
	case CLI_SIZES:
		ok = cli_list(text, at);
		break;
	case CLI_READ:
		return o->read(args, text);
	case CLI_HEAD:
		break;
	}
	return ok ? NULL : "";
}

static void
size_text(char text[32], double value)
{
	static const char units[] = " KMG";
	long v = (long)value;
	int i;

	for (i = 0; i < 3 && v >= 1024 && v % 1024 == 0; i++)
		v /= 1024;
	snprintf(text, 32, "%ld%.*s", v, i > 0, &units[i]);
}

/* What a value of this kind has to be. */
static void
describe_value(const struct cli_option *o, char *text, size_t size)
{
	char least[32], most[32];
	size_t used;
	int i;

	switch (o->kind) {
	case CLI_CHOICE:
		used = (size_t)snprintf(text, size, "must be one of ");
		for (i = 0; o->words[i] != NULL && used < size; i++)
			used += (size_t)snprintf(text + used, size - used, "%s%s",
						 i > 0 ? ", " : "", o->words[i]);
		break;
	case CLI_SIZES:
		snprintf(text, size, "must be sizes such as 8,4K,1M");
		break;
	case CLI_SIZE:
		size_text(least, o->least);
		size_text(most, o->most);
		snprintf(text, size, "must be a size from %s to %s", least, most);
		break;
	default:
		snprintf(text, size, "must be a number from %.15g to %.15g", o->least, o->most);
	}
}

static int
refuse_value(const struct cli *cli, const struct cli_option *o, const char *text, const char *why)
{
	char kind[256];

	if (cli->quiet)
		return -1 - CLI_USAGE;
	if (*why == '\0') {
		describe_value(o, kind, sizeof(kind));
		why = kind;
	}
	if (text == NULL)
		text = "";
	if (o->name != NULL)
		cli_say("--%s%s%s: %s", o->name, *text != '\0' ? " " : "", text, why);
	else
		cli_say("-%c %s: %s", o->letter, text, why);
	return -1 - CLI_USAGE;
}

/* ---- help ---- */

/* Words of @p text, on lines that begin at @p column; the first one is there already. */
static void
print_wrapped(const char *text, size_t column)
{
	size_t at = column, len;

	while (*text != '\0') {
		len = strcspn(text, " ");
		if (at > column && at + 1 + len > WIDTH) {
			printf("\n%*s", (int)column, "");
			at = column;
		}
		at += (size_t)printf("%s%.*s", at > column ? " " : "", (int)len, text);
		text += len + (text[len] == ' ');
	}
}

static void
print_option(const struct cli_option *o)
{
	char left[128], text[768];
	int n;

	if (o->kind == CLI_HEAD) {
		printf("\n%s\n", o->help);
		return;
	}
	n = snprintf(left, sizeof(left), "  %c%c%s%s%s%s%s", o->letter ? '-' : ' ',
		     o->letter ? o->letter : ' ',
		     o->name == NULL ? ""
		     : o->letter     ? ", "
				     : "  ",
		     o->name ? "--" : "", o->name ? o->name : "", o->value ? " " : "",
		     o->value ? o->value : "");
	snprintf(text, sizeof(text), o->def ? "%s (default %s)" : "%s", o->help, o->def);
	fputs(left, stdout);
	if (n > COLUMN - 2)
		printf("\n%*s", COLUMN, "");
	else
		printf("%*s", COLUMN - n, "");
	print_wrapped(text, COLUMN);
	putchar('\n');
}

static int
print_help(const struct cli *cli)
{
	const char *line = cli->usage, *lead = "Usage:";
	const struct cli_option *o;
	size_t len, i;

	for (; *line != '\0'; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		printf("%s %s %.*s\n", lead, program_invocation_short_name, (int)len, line);
		lead = "      ";
	}
	printf("\n%s%s", cli->about, cli->options[0].kind == CLI_HEAD ? "" : "\n");
	for (o = cli->options; o->help != NULL; o++)
		print_option(o);
	for (i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		print_option(&common[i]);
	if (cli->end != NULL)
		printf("\n%s", cli->end);
	return -1 - (fflush(stdout) == 0 ? 0 : 1);
}

/* ---- the whole line ---- */

static int
refuse_option(const struct cli *cli, char **argv, int c)
{
	const char *program = program_invocation_short_name, *arg = argv[optind - 1];

	if (cli->quiet)
		return -1 - CLI_USAGE;
	if (c == ':')
		cli_say("option %s needs a value; see %s --help", arg, program);
	else if (optopt != 0 && optopt < LONG)
		cli_say("unknown option -%c; see %s --help", optopt, program);
	else if (optopt != 0)
		cli_say("option %s takes no value; see %s --help", arg, program);
	else
		cli_say("unknown option %s; see %s --help", arg, program);
	return -1 - CLI_USAGE;
}

static int
add_row(const struct cli_option *o, int value, struct option *ret_long, char *letters)
{
	bool valued = takes_value(o);

	if (o->letter != '\0') {
		letters += strlen(letters);
		*letters++ = o->letter;
		*letters++ = valued ? ':' : '\0';
		*letters = '\0';
	}
	if (o->name == NULL)
		return 0;
	*ret_long = (struct option){o->name, valued ? required_argument : no_argument, NULL, value};
	return 1;
}

static int
take_option(const struct cli *cli, void *args, const struct cli_option *o, const char *text)
{
	const char *why = store_value(o, args, text);

	return why == NULL ? 0 : refuse_value(cli, o, text, why);
}

/* getopt takes -np 4, as other launchers have it, for -n with the value p. */
static bool
is_long_name(const struct cli_option *o, const char *arg)
{
	return o->letter != '\0' && o->name != NULL && strlen(o->name) > 1 && arg[0] == '-' &&
	       strcmp(arg + 1, o->name) == 0;
}

static int
take_argument(const struct cli *cli, void *args, const struct cli_option *o, char **argv)
{
	const char *text = optarg;

	if (text != NULL && is_long_name(o, argv[optind - 1])) {
		text = argv[optind++];
		if (text == NULL && !cli->quiet)
			cli_say("option -%s needs a value; see %s --help", o->name,
				program_invocation_short_name);
		if (text == NULL)
			return -1 - CLI_USAGE;
	}
	return take_option(cli, args, o, text);
}

int
cli_read(const struct cli *cli, void *args, int argc, char **argv)
{
	struct option longs[ROWS_MAX + 3] = {0};
	char letters[3 * ROWS_MAX] = "";
	int rows = 0, n = 0, c, ret = 0;

	strcpy(letters, cli->stops ? "+:" : ":");
	for (; cli->options[rows].help != NULL; rows++) {
		const struct cli_option *o = &cli->options[rows];

		if (o->kind != CLI_HEAD)
			n += add_row(o, LONG + rows, &longs[n], letters);
		if (o->def != NULL)
			store_value(o, args, o->def);
	}
	n += add_row(&common[0], LONG + rows, &longs[n], letters);
	add_row(&common[1], LONG + rows + 1, &longs[n], letters);
	opterr = 0;
	optind = 0; /* glibc begins anew: a command has read the words before */
	while (ret == 0 && (c = getopt_long(argc, argv, letters, longs, NULL)) >= 0) {
		if (c == '?' || c == ':')
			return refuse_option(cli, argv, c);
		if (c < LONG) {
			int letter = c;

			for (c = 0; c < rows && cli->options[c].letter != letter; c++)
				;
			c += LONG;
		}
		if (c - LONG < rows)
			ret = take_argument(cli, args, &cli->options[c - LONG], argv);
		else if (cli->quiet)
			ret = -1;
		else if (c - LONG == rows)
			ret = print_help(cli);
		else
			ret = printf("%s (Ringbell) " RINGBELL_VERSION "\n",
				     program_invocation_short_name) < 0
				      ? -2
				      : -1;
	}
	return ret != 0 ? ret : optind;
}

int
cli_read_or_exit(const struct cli *cli, void *args, int argc, char **argv)
{
	int ret = cli_read(cli, args, argc, argv);

	if (ret < 0)
		exit(-1 - ret);
	return ret;
}
