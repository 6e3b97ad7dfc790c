/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "cli.h"
#include "litmus.h"
#include "tally.h"

enum {
	TEXT = 64,
};

static json_t *
outcomes_of(const struct litmus_test *t, const struct litmus_tally *sum)
{
	json_t *all = json_object();
	char text[TEXT];
	int i;

	for (i = 0; i < LITMUS_OUTCOMES && sum->outcome[i].times != 0; i++) {
		litmus_key_text(t, sum->outcome[i].key, text, sizeof(text));
		json_object_set_new(all, text, json_integer((json_int_t)sum->outcome[i].times));
	}
	return all;
}

static json_t *
test_of(const struct litmus_run *run, int n)
{
	const struct litmus_test *t = &run->test[n];
	const struct litmus_tally *sum = &run->tally[n];
	json_t *code = json_array(), *hops, *all;
	int i;

	for (i = 0; i < t->roles; i++)
		json_array_append_new(code, json_string(t->code[i]));
	all = json_pack("{s:s,s:s,s:s,s:o,s:s,s:b,s:b,s:s,s:I,s:I,s:I,s:o}", "test", t->name,
			"family", t->row->name, "words", t->row->vars, "code", code, "outcome",
			t->row->outcome, "standard_forbids", t->row->standard, "ringbell_forbids",
			t->row->ringbell, "missing", t->missing != NULL ? t->missing : "",
			"instances", (json_int_t)sum->runs, "seen", (json_int_t)sum->seen, "torn",
			(json_int_t)sum->torn, "outcomes", outcomes_of(t, sum));
	if (!run->has_hops)
		return all;
	hops = json_array();
	for (i = 0; i < LITMUS_HOPS; i++)
		json_array_append_new(hops, json_pack("[I,I]", (json_int_t)sum->at[i],
						      (json_int_t)sum->seen_at[i]));
	json_object_set_new(all, "hops", hops);
	return all;
}

int
litmus_report_json(const struct litmus_run *run, const char *path, long forbidden)
{
	char name[SHMEM_MAX_NAME_LEN], version[16];
	json_t *tests = json_array(), *all;
	int i, failed;

	shmem_info_get_name(name);
	snprintf(version, sizeof(version), "%d.%d", SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
	for (i = 0; i < run->tests; i++)
		json_array_append_new(tests, test_of(run, i));
	all = json_pack("{s:s,s:s,s:s,s:i,s:I,s:I,s:o}", "tool", "shmem-litmus", "library", name,
			"version", version, "pes", run->npes, "seed", (json_int_t)run->args.seed,
			"forbidden", (json_int_t)forbidden, "tests", tests);
	failed = strcmp(path, "-") == 0 ? json_dumpf(all, stdout, JSON_INDENT(1)) | fflush(stdout)
					: json_dump_file(all, path, JSON_INDENT(1));
	json_decref(all);
	if (failed != 0)
		cli_say("%s: cannot write: %s", path, strerror(errno));
	return failed;
}
