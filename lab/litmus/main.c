/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * shmem-litmus: which orders does an OpenSHMEM library keep?
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "litmus.h"

static bool
is_wanted(const struct litmus_args *a, const struct litmus_test *t)
{
	char *const *name;

	for (name = a->names; *name != NULL; name++)
		if (strcmp(*name, t->row->name) == 0 || fnmatch(*name, t->name, 0) == 0)
			return true;
	return a->names[0] == NULL && !t->row->by_name;
}

static int
add_test(struct litmus_run *run, const struct litmus_row *row, const unsigned int *pick)
{
	struct litmus_test *more =
		realloc(run->test, (size_t)(run->tests + 1) * sizeof(*run->test));
	const char *wrong;

	if (more == NULL)
		return -1;
	run->test = more;
	wrong = litmus_parse(&more[run->tests], row, pick);
	if (wrong != NULL) {
		if (run->me == 0)
			fprintf(stderr, "shmem-litmus: row %s: %s\n", more[run->tests].name, wrong);
		return -1;
	}
	run->tests += is_wanted(&run->args, &more[run->tests]);
	return 0;
}

/* The next combination of alternatives. @return false behind the last one */
static bool
next_pick(const struct litmus_row *row, unsigned int *pick)
{
	int i;

	for (i = 0; i < LITMUS_ALTS; i++) {
		if (++pick[i] < litmus_alternatives(row->alt[i]))
			return true;
		pick[i] = 0;
	}
	return false;
}

static int
make_tests(struct litmus_run *run)
{
	const struct litmus_row *row;

	for (row = litmus_rows; row->name != NULL; row++) {
		unsigned int pick[LITMUS_ALTS] = {0};

		do {
			if (add_test(run, row, pick) < 0)
				return -1;
		} while (next_pick(row, pick));
	}
	if (run->tests != 0)
		return 0;
	if (run->me == 0)
		fputs("shmem-litmus: no test of that name; --list shows them\n", stderr);
	return -1;
}

static void
list_tests(const struct litmus_run *run)
{
	int i, role;

	for (i = 0; i < run->tests; i++) {
		const struct litmus_test *t = &run->test[i];

		printf("%s: %s:", t->name, t->row->vars);
		for (role = 0; role < LITMUS_ROLES; role++)
			if (t->code[role][0] != '\0')
				printf(" { %s }", t->code[role]);
		printf(" %s: %s, Ringbell %s\n", t->row->outcome,
		       t->row->standard ? "forbidden" : "allowed",
		       t->row->ringbell ? "forbids it" : "allows it");
	}
}

/* The time of PE 0, for all. */
static uint64_t
common_seed(const struct litmus_run *run)
{
	static long seed;
	int pe;

	for (pe = 0; run->me == 0 && pe < run->npes; pe++)
		shmem_long_p(&seed, (long)time(NULL), pe);
	shmem_barrier_all();
	return (uint64_t)__atomic_load_n(&seed, __ATOMIC_RELAXED);
}

static int
run_tests(struct litmus_run *run)
{
	char name[SHMEM_MAX_NAME_LEN];
	long forbidden = 0;

	shmem_info_get_name(name);
	run->is_ringbell = strstr(name, "Ringbell") != NULL;
	if (run->npes < 2 || run->npes > LITMUS_PES) {
		if (run->me == 0)
			fprintf(stderr, "shmem-litmus: needs 2 to %d PEs, and has %d\n", LITMUS_PES,
				run->npes);
		return 2;
	}
	if (run->args.seed < 0)
		run->args.seed = (long)(common_seed(run) >> 1);
	litmus_ops_open();
	if (litmus_run(run) < 0) {
		if (run->me == 0)
			fputs("shmem-litmus: no memory: set SHMEM_SYMMETRIC_SIZE to 32M or more\n",
			      stderr);
		return 2;
	}
	if (run->me == 0)
		forbidden = litmus_report(run);
	return forbidden == 0 ? 0 : forbidden < 0 ? 2 : 1;
}

int
main(int argc, char **argv)
{
	struct litmus_run run = {0};
	int ret;

	shmem_init();
	run.me = shmem_my_pe();
	run.npes = shmem_n_pes();
	ret = litmus_args_read(&run.args, argc, argv, run.me == 0);
	if (ret != 0) {
		ret--;
	} else if (make_tests(&run) < 0) {
		ret = 2;
	} else if (run.args.list) {
		if (run.me == 0)
			list_tests(&run);
	} else {
		ret = run_tests(&run);
	}
	free(run.test);
	shmem_finalize();
	return ret;
}
