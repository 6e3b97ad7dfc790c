/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LITMUS_H
#define LITMUS_H

/**
 * @file
 * shmem-litmus: small concurrent programs whose outcomes show which orders a library keeps. It uses
 * the public header of OpenSHMEM 1.4 or later only.
 *
 * A *row* (rows.c) describes a family of tests: words of symmetric memory, what each of up to four
 * PEs does with them, and the outcome that is looked for. A *role* is a PE of a test. A role that
 * has no code only owns memory.
 *
 * A word holds `n * LITMUS_UNIT`, n from 0 to LITMUS_VALUES - 1: all bytes of a value are alike, so
 * a value that was read in two parts shows.
 */

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LITMUS_ROLES = 4,
	LITMUS_VARS = 4,
	LITMUS_REGS = 4,
	LITMUS_STEPS = 10,
	LITMUS_ALTS = 4,
	LITMUS_TERMS = 6,
	LITMUS_VALUES = 7,     /* and one more stands for a value that nobody wrote */
	LITMUS_WORDS = 8192,   /* of the largest block */
	LITMUS_INSTANCES = 64, /* of a test in one batch */
	LITMUS_OUTCOMES = 32,  /* different ones that are counted */
	LITMUS_NAME = 64,
	LITMUS_CODE = 96,
	LITMUS_PES = 256,
	LITMUS_NO_END = 3, /* the status where a test does not end */
};

/* Words are uint64_t, and the calls those of unsigned long: not every library has both. */
_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "needs longs of 64 bits");

#define LITMUS_UNIT UINT64_C(0x0101010101010101)

/** A family of tests. */
struct litmus_row {
	const char *name;
	/** "x@1 b:600@0": word x of role 1, block b of 600 words of role 0. */
	const char *vars;
	/** Steps of each role, separated by ';'. $W stands for one of the alternatives of W. */
	const char *code[LITMUS_ROLES];
	/** "W=p,put,set": a test for each combination. */
	const char *alt[LITMUS_ALTS];
	/** The outcome: "a=1 b=0", a register or, as [x], a word at the end. */
	const char *outcome;
	bool standard; /**< OpenSHMEM forbids it */
	bool ringbell; /**< Ringbell forbids it */
	bool by_name;  /**< runs only where it is named */
};

extern const struct litmus_row litmus_rows[]; /**< ends with a row without a name */

/** What a step works on. */
struct litmus_at {
	shmem_ctx_t ctx;
	uint64_t *at; /**< symmetric address */
	size_t words;
	int pe;
	uint64_t value;
	uint64_t *reg; /**< of this instance */
	uint64_t *sig; /**< the signal word of a put with signal */
	uint64_t sig_value;
};

enum litmus_op_flag {
	LITMUS_BARE = 1,    /**< no operand */
	LITMUS_VALUE = 2,   /**< a value follows the word */
	LITMUS_READS = 4,   /**< needs a register */
	LITMUS_MAY = 8,	    /**< may have a register */
	LITMUS_SIGNAL = 16, /**< a signal word and its value follow */
	LITMUS_OWN = 32,    /**< on words of the role that does it */
	LITMUS_PTR = 64,    /**< needs shmem_ptr() */
	LITMUS_BLOCK = 128, /**< on blocks too */
	LITMUS_NONE = 256,  /**< nothing at all */
};

struct litmus_op {
	const char *name;
	unsigned int flags;
	void (*run)(const struct litmus_at *at); /**< NULL: not in this version of OpenSHMEM */
};

extern const struct litmus_op litmus_ops[]; /**< ends with an operation without a name */
void litmus_ops_open(void);

struct litmus_step {
	const struct litmus_op *op;
	bool ctx;	   /**< on a context of its own, not the default one */
	int var, sig, reg; /**< -1: none */
	uint64_t value, sig_value;
};

struct litmus_var {
	char name;
	int home;
	size_t words;
};

/** A register or a word at the end, and its value. */
struct litmus_term {
	int reg, var; /**< -1: not that */
	unsigned int value;
};

struct litmus_test {
	const struct litmus_row *row;
	char name[LITMUS_NAME];
	char code[LITMUS_ROLES][LITMUS_CODE];
	int roles, vars, terms;
	struct litmus_var var[LITMUS_VARS];
	int steps[LITMUS_ROLES];
	struct litmus_step step[LITMUS_ROLES][LITMUS_STEPS];
	struct litmus_term term[LITMUS_TERMS];
	int reg_role[LITMUS_REGS]; /**< who fills it, -1: nobody */
	bool needs_ptr;
	const char *missing; /**< the operation that this version lacks, or NULL */
};

/** Make a test of a row: @p pick says which alternative of each. @return NULL, or what is wrong
 *  with the row */
const char *litmus_parse(struct litmus_test *test, const struct litmus_row *row,
			 const unsigned int pick[LITMUS_ALTS]);
/** How many alternatives has @p alt? 1 where there are none. */
unsigned int litmus_alternatives(const char *alt);

enum litmus_layout {
	LITMUS_LINE,   /**< all words of an instance in one cache line, as far as they fit */
	LITMUS_LINES,  /**< each in a line of its own */
	LITMUS_PAGES,  /**< each in pages of its own, beside those of other instances */
	LITMUS_STATIC, /**< the first word in the heap, the others in static data */
	LITMUS_HEAP,   /**< the reverse */
	LITMUS_LAYOUTS
};

extern const char *const litmus_layout_names[LITMUS_LAYOUTS];

struct litmus_args {
	char *const *names; /**< patterns, NULL-terminated */
	double seconds;
	long rounds;
	long seed;     /**< -1: not given */
	int instances; /**< of a batch, at most */
	int limit;     /**< seconds for a batch */
	bool list, verbose;
};

/** @return 0, or 1 + the status to exit with */
int litmus_args_read(struct litmus_args *a, int argc, char **argv, bool speak);

struct litmus_tally;

struct litmus_run {
	struct litmus_args args;
	int me, npes;
	struct litmus_test *test;
	int tests;
	struct litmus_tally *tally; /**< symmetric, by test */
	bool is_ringbell;
	uint64_t batches;
};

/** Run all tests until the time is over. @return 0, or -1: no memory */
int litmus_run(struct litmus_run *run);
/** PE 0: print all. @return how often something forbidden was seen, -1: nothing ran */
long litmus_report(const struct litmus_run *run);

#endif /* LITMUS_H */
