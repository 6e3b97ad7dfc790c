/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CLI_H
#define CLI_H

/**
 * @file
 * A command line as a table of its options: the parser and the text of --help follow from it.
 */

#include <stdbool.h>
#include <stddef.h>

enum {
	CLI_USAGE = 2, /**< exit status for a wrong command line */
	CLI_SIZES_MAX = 64,
};

enum cli_kind {
	CLI_FLAG,   /**< bool: takes no value */
	CLI_INT,    /**< int: a number from least to most */
	CLI_NUMBER, /**< long: likewise */
	CLI_SIZE,   /**< long: likewise, and K, M or G may follow */
	CLI_REAL,   /**< double: likewise */
	CLI_CHOICE, /**< int: which of the words */
	CLI_TEXT,   /**< const char * */
	CLI_SIZES,  /**< struct cli_sizes: sizes with commas between them */
	CLI_READ,   /**< what the function does with it; no value where its name is NULL */
	CLI_HEAD,   /**< no option, but a line of the help */
};

struct cli_sizes {
	unsigned int n;
	size_t v[CLI_SIZES_MAX];
};

struct cli_option {
	const char *name; /**< long name; NULL: only a letter */
	char letter;	  /**< '\0': none */
	enum cli_kind kind;
	const char *value; /**< how the help names the value */
	const char *def;   /**< stored first, and told by the help; NULL: args stay as they are */
	const char *help;
	size_t at; /**< of the place in the arguments */
	double least, most;
	const char *const *words; /**< of CLI_CHOICE, ends with NULL */
	/** Of CLI_READ. @return NULL, or what is wrong with @p text */
	const char *(*read)(void *args, const char *text);
};

struct cli {
	const char *usage;		  /**< lines of it, each without the program's name */
	const char *about;		  /**< text between usage and options */
	const struct cli_option *options; /**< ends with one without help */
	const char *end;		  /**< text behind the options, or NULL */
	bool stops; /**< options end at the first operand: what follows is another program's */
	bool quiet; /**< says nothing: another process does */
};

/**
 * Store what the options say at their places in @p args; --help and --version are known to all
 * programs.
 *
 * @return index of the first operand; a negative number where the program is to end: -1 - its
 * exit status
 */
int cli_read(const struct cli *cli, void *args, int argc, char **argv);

/** As cli_read(), but ends the program itself. */
int cli_read_or_exit(const struct cli *cli, void *args, int argc, char **argv);

/** One line on stderr, after the program's name. */
void cli_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** The same, and the end of the program. */
_Noreturn void cli_fail(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** A whole number, all of @p text. With @p sizes K, M or G may follow. */
bool cli_number(const char *text, double least, double most, bool sizes, long *ret);
bool cli_list(const char *text, struct cli_sizes *ret);

/** Does one of the patterns fit @p name? @p patterns ends with NULL; where there is none, any. */
bool cli_match(char *const *patterns, const char *name);

#endif /* CLI_H */
