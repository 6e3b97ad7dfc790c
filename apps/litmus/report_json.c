/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "litmus.h"
#include "tally.h"

enum {
	TEXT = 64,
};

static const char *
truth_text(bool v)
{
	return v ? "true" : "false";
}

/* No text of a row has a character that JSON escapes; a library's name may have. */
static void
write_test(FILE *f, const struct litmus_run *run, int n)
{
	const struct litmus_test *t = &run->test[n];
	const struct litmus_tally *sum = &run->tally[n];
	char text[TEXT];
	int i;

	fprintf(f, "  {\"test\": \"%s\", \"family\": \"%s\", \"words\": \"%s\", \"code\": [",
		t->name, t->row->name, t->row->vars);
	for (i = 0; i < t->roles; i++)
		fprintf(f, "%s\"%s\"", i == 0 ? "" : ", ", t->code[i]);
	fprintf(f,
		"],\n   \"outcome\": \"%s\", \"standard_forbids\": %s, \"ringbell_forbids\": %s,\n"
		"   \"missing\": \"%s\", \"instances\": %" PRIu64 ", \"seen\": %" PRIu64
		", \"torn\": %" PRIu64 ",\n   \"outcomes\": {",
		t->row->outcome, truth_text(t->row->standard), truth_text(t->row->ringbell),
		t->missing != NULL ? t->missing : "", sum->runs, sum->seen, sum->torn);
	for (i = 0; i < LITMUS_OUTCOMES && sum->outcome[i].times != 0; i++) {
		litmus_key_text(t, sum->outcome[i].key, text, sizeof(text));
		fprintf(f, "%s\"%s\": %" PRIu64, i == 0 ? "" : ", ", text, sum->outcome[i].times);
	}
	fputs("}", f);
	for (i = 0; run->has_hops && i < LITMUS_HOPS; i++)
		fprintf(f, "%s[%" PRIu64 ", %" PRIu64 "]%s", i == 0 ? ",\n   \"hops\": [" : ", ",
			sum->at[i], sum->seen_at[i], i == LITMUS_HOPS - 1 ? "]" : "");
	fprintf(f, "}%s\n", n + 1 < run->tests ? "," : "");
}

int
litmus_report_json(const struct litmus_run *run, const char *path, long forbidden)
{
	FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	char name[SHMEM_MAX_NAME_LEN];
	int i, failed;

	if (f == NULL) {
		fprintf(stderr, "shmem-litmus: %s: %s\n", path, strerror(errno));
		return -1;
	}
	shmem_info_get_name(name);
	fputs("{\"tool\": \"shmem-litmus\", \"library\": ", f);
	json_string(f, name);
	fprintf(f,
		", \"version\": \"%d.%d\", \"pes\": %d, \"seed\": %" PRIu64
		", \"forbidden\": %ld,\n \"tests\": [\n",
		SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION, run->npes, run->args.seed, forbidden);
	for (i = 0; i < run->tests; i++)
		write_test(f, run, i);
	fputs(" ]}\n", f);
	failed = fflush(f) != 0;
	if (f != stdout)
		failed |= fclose(f) != 0;
	if (failed != 0)
		fprintf(stderr, "shmem-litmus: %s: cannot write\n", path);
	return failed != 0 ? -1 : 0;
}
