/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef REPORT_H
#define REPORT_H

/** @file Shared by both measuring programs: samples, and their way into a table and JSON. */

#include <stddef.h>
#include <stdio.h>

enum report_unit {
	REPORT_US,  /**< microseconds for one operation: less is better */
	REPORT_MBS, /**< 10^6 bytes a second */
	REPORT_OPS, /**< operations a second */
};

enum {
	REPORT_SAMPLES_MAX = 101,
};

/** The subject of a row. */
struct report_key {
	const char *bench;
	const char *buffer; /**< where the data is: "heap", "static", ... */
	int target;	    /**< PE, -1: none in particular */
	int hops;	    /**< links crossed, -1: unknown or none in particular */
	size_t size;	    /**< bytes, 0: no such dimension */
};

/** Times of one row: each sample is the time that @p ops operations took. */
struct report_samples {
	double seconds[REPORT_SAMPLES_MAX];
	unsigned int n;
	double ops;   /**< operations in a sample */
	double bytes; /**< bytes moved in a sample */
};

struct report;

struct report_options {
	const char *tool;
	int samples, ms;  /**< of a figure; of a sample, about */
	const char *json; /**< file to write, "-" for standard output, NULL for none */
};

#define REPORT_SIZES "8,64,512,4K,16K,64K,256K,1M,4M"

/** What a program's table has of these options; the place and the range follow. */
#define REPORT_SAMPLES \
	"samples", 'r', CLI_INT, "N", "7", "samples of each figure; the median counts"
#define REPORT_TIME "time", 'T', CLI_INT, "MS", "5", "milliseconds of a sample, about"
#define REPORT_JSON                          \
	"json", 'j', CLI_TEXT, "FILE", NULL, \
		"write JSON too; - is standard output, and then no tables"
#define REPORT_LIST \
	"list", 'l', CLI_FLAG, NULL, NULL, "print the names and titles of the benchmarks"

/**
 * How many operations fill a sample: @p take does @p n of them and returns its seconds. The
 * shortest of three tries is to be long enough: another program's time slice must not look like a
 * slow operation. A negative time ends it.
 */
long report_calibrate(const struct report_options *opts, double (*take)(void *what, long n),
		      void *what);

/** @return NULL, after a line on stderr, where a file cannot be read or written */
struct report *report_open(const struct report_options *opts);

/** A setting that the figures depend on, kept in the JSON. */
void report_setting(struct report *r, const char *name, const char *value);

/** Start a table. */
void report_table(struct report *r, const char *title, enum report_unit unit);

/** Add a row to the table and to the files. */
void report_row(struct report *r, const struct report_key *key, struct report_samples *s);

/** Write the files and free @p r. @return 0 or -errno, after a line on stderr */
int report_close(struct report *r);

#endif /* REPORT_H */
