/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <inttypes.h>
#include <stdio.h>

#include "litmus.h"
#include "tally.h"

enum {
	TEXT = 64,
};

static const char *
verdict_text(bool forbids)
{
	return forbids ? "forbids" : "allows";
}

static uint64_t
forbidden_of(const struct litmus_run *run, int test)
{
	const struct litmus_tally *t = &run->tally[test];

	return t->torn + (litmus_forbids(run, &run->test[test]) ? t->seen : 0);
}

static void
print_line(const struct litmus_run *run, const char *name, const struct litmus_row *row,
	   const struct litmus_tally *sum, uint64_t forbidden)
{
	printf("%-30s %-24s %-9s %-9s %10" PRIu64 " %10" PRIu64 "%s\n", name, row->outcome,
	       verdict_text(row->standard), verdict_text(row->ringbell), sum->runs, sum->seen,
	       forbidden != 0					     ? "  FORBIDDEN"
	       : !row->standard && run->is_ringbell && row->ringbell ? "  beyond the standard"
								     : "");
	if (sum->torn != 0)
		printf("  a value that nobody wrote: %" PRIu64 " times\n", sum->torn);
}

static void
print_outcomes(const struct litmus_test *t, const struct litmus_tally *sum)
{
	char text[TEXT];
	int i;

	for (i = 0; i < LITMUS_OUTCOMES && sum->outcome[i].times != 0; i++) {
		litmus_key_text(t, sum->outcome[i].key, text, sizeof(text));
		printf("    %-26s %10" PRIu64 "%s\n", text, sum->outcome[i].times,
		       litmus_is_outcome(t, sum->outcome[i].key) ? "  *" : "");
	}
	if (sum->lost != 0)
		printf("    others                     %10" PRIu64 "\n", sum->lost);
}

/* The tests of a row follow one another. */
static void
print_family(const struct litmus_run *run, int first, int behind)
{
	struct litmus_tally sum = {0};
	uint64_t forbidden = 0;
	int i;

	for (i = first; i < behind; i++) {
		litmus_add(&sum, &run->tally[i]);
		forbidden += forbidden_of(run, i);
	}
	if (sum.runs != 0)
		print_line(run, run->test[first].row->name, run->test[first].row, &sum, forbidden);
	for (i = first; i < behind; i++) {
		if (run->tally[i].runs == 0 || (!run->args.verbose && forbidden_of(run, i) == 0))
			continue;
		printf("  %-38s %10" PRIu64 " of %" PRIu64 "\n", run->test[i].name,
		       run->tally[i].seen, run->tally[i].runs);
		print_outcomes(&run->test[i], &run->tally[i]);
	}
}

static void
print_skipped(const struct litmus_run *run)
{
	int i, lacking = 0, large = 0, far = 0, rest = 0;

	for (i = 0; i < run->tests; i++) {
		if (run->test[i].missing != NULL)
			lacking++;
		else if (run->test[i].roles > run->npes)
			large++;
		else if (run->tally[i].runs == 0 && run->test[i].needs_ptr)
			far++;
		else if (run->tally[i].runs == 0)
			rest++;
	}
	if (lacking != 0)
		printf("%d tests need a later version of OpenSHMEM than %d.%d\n", lacking,
		       SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
	if (large != 0)
		printf("%d tests need more PEs than %d\n", large, run->npes);
	if (far != 0)
		printf("%d tests need PEs that shmem_ptr() reaches, and met none\n", far);
	if (rest != 0)
		printf("%d tests were not drawn in this time\n", rest);
}

static void
print_text(const struct litmus_run *run, uint64_t instances, uint64_t forbidden)
{
	int i, k;

	printf("%-30s %-24s %-9s %-9s %10s %10s\n", "test", "outcome", "standard", "Ringbell",
	       "instances", "seen");
	for (i = 0; i < run->tests; i = k) {
		for (k = i; k < run->tests && run->test[k].row == run->test[i].row; k++)
			;
		print_family(run, i, k);
	}
	print_skipped(run);
	printf("%d tests, %" PRIu64 " instances on %d PEs, seed %" PRIu64 ": %" PRIu64
	       " forbidden outcomes\n",
	       run->tests, instances, run->npes, run->args.seed, forbidden);
}

long
litmus_report(const struct litmus_run *run)
{
	uint64_t instances = 0, forbidden = 0;
	int i;

	for (i = 0; i < run->tests; i++) {
		instances += run->tally[i].runs;
		forbidden += forbidden_of(run, i);
	}
	print_text(run, instances, forbidden);
	if (instances == 0) {
		fputs("shmem-litmus: none of these tests can run in this job\n", stderr);
		return -1;
	}
	return (long)forbidden;
}
