/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/*
 * Mistakes end the program with one line that names call, argument and value, and a non-zero
 * status. Each is made by a child of this program: misuse_test CASE.
 */

static int x[8];
static long l;
static uint64_t sig;

static void
pe_range(void)
{
	shmem_int_p(x, 1, 5);
}

static void
pe_negative(void)
{
	(void)shmem_long_atomic_fetch_inc(&l, -3);
}

static void
on_stack(void)
{
	char here[8] = "";

	shmem_putmem(here, x, 8, 0);
}

static void
null_dest(void)
{
	shmem_double_put(NULL, NULL, 1, 0);
}

static void
over_the_end(void)
{
	shmem_getmem(x, shmem_malloc(8), (size_t)1 << 40, 0);
}

static void
too_many(void)
{
	shmem_int_put(x, x, SIZE_MAX / 2, 0);
}

static void
no_ctx(void)
{
	shmem_ctx_int_put(SHMEM_CTX_INVALID, x, x, 1, 0);
}

static void
bad_sig_op(void)
{
	shmem_putmem_signal(x, x + 4, 4, &sig, 1, 9, 0);
}

static void
bad_cmp(void)
{
	shmem_int_wait_until(x, 0, 0);
}

static void
stride_zero(void)
{
	shmem_int_iput(x, x + 4, 0, 1, 2, 0);
}

static void
stride_short(void)
{
	shmem_int_ibget(x, x, 3, 2, 3, 2, 0);
}

static void
unaligned_amo(void)
{
	shmem_int_atomic_inc((int *)(void *)((char *)x + 2), 0);
}

static void
bad_quiet(void)
{
	int pes[2] = {0, 7};

	shmem_pe_quiet(pes, 2);
}

static void
finalized(void)
{
	shmem_finalize();
	shmem_quiet();
}

/* Undefined, but other implementations answer, and so do we unless SHMEM_CHECK=1. */
static void
who_was_it(void)
{
	int n = shmem_n_pes();

	shmem_finalize();
	exit(shmem_my_pe() == 0 && shmem_n_pes() == n ? 0 : 2);
}

static void
finalized_twice(void)
{
	shmem_finalize();
	shmem_finalize();
	exit(0);
}

/* Names with raw_ are called without shmem_init. */

static void
raw_early(void)
{
	(void)shmem_my_pe();
}

static void
raw_start_pes(void)
{
	start_pes(0);
	start_pes(0);
	if (_my_pe() == 0 && _num_pes() == 1 && shmalloc(8) != NULL)
		exit(0);
	exit(2);
}

/* No data to move, but a valid PE is needed all the same. */
static void
pe_for_nothing(void)
{
	shmem_int_put(NULL, NULL, 0, 5);
}

static void
nothing(void)
{
	shmem_int_put(x + 8, NULL, 0, 0);
	shmem_putmem(NULL, NULL, 0, 0);
	shmem_int_get_nbi(NULL, x, 0, 0);
	shmem_int_iput(NULL, NULL, 0, 0, 0, 0);
	shmem_int_ibget(x + 8, x + 8, 0, 0, 0, 3, 0);
	shmem_int_ibget(x + 8, x + 8, 0, 0, 3, 0, 0);
	shmem_putmem_signal(NULL, NULL, 0, &sig, 1, SHMEM_SIGNAL_SET, 0);
	/* strided arrays may interleave, and be one */
	shmem_int_iput(x, x + 1, 2, 2, 4, 0);
	shmem_int_iget(x, x, 2, 2, 4, 0);
	shmem_finalize();
}

static void
default_ctx_destroyed(void)
{
	shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
}

static void
exit_status(void)
{
	shmem_global_exit(7);
}

static void
no_finalize(void)
{
	exit(0);
}

static void
no_finalize_failed(void)
{
	exit(3);
}

/* Only with SHMEM_CHECK=1. */

static void
overlapping(void)
{
	shmem_int_put(x + 1, x, 4, 0);
}

static void
overlapping_strides(void)
{
	/* element 4 is the third of one, and the second of the other */
	shmem_int_iput(x, x + 1, 2, 3, 3, 0);
}

static void
overlapping_blocks(void)
{
	shmem_int_ibget(x + 2, x, 4, 4, 2, 2, 0);
	shmem_int_ibget(x + 1, x, 4, 4, 2, 1, 0);
}

static void
unaligned(void)
{
	shmem_int_put(x, (const int *)(const void *)((const char *)x + 17), 1, 0);
}

static void
wait_on_stack(void)
{
	int here = 0;

	shmem_int_wait_until(&here, SHMEM_CMP_EQ, 0);
}

static void
signal_in_data(void)
{
	static uint64_t data[4], from[4];

	shmem_uint64_put_signal(data, from, 4, &data[1], 1, SHMEM_SIGNAL_SET, 0);
}

static void *
run_put(void *arg)
{
	shmem_ctx_int_put(*(shmem_ctx_t *)arg, x, x + 4, 1, 0);
	return NULL;
}

static void
other_thread(void)
{
	shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
	pthread_t t;

	pthread_create(&t, NULL, run_put, &ctx);
	pthread_join(t, NULL);
}

static void
destroyed_ctx(void)
{
	shmem_ctx_t ctx;

	shmem_ctx_create(0, &ctx);
	shmem_ctx_destroy(ctx);
	shmem_ctx_quiet(ctx);
}

static void
destroyed_team_ctx(void)
{
	shmem_team_t team;
	shmem_ctx_t ctx;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
	shmem_team_create_ctx(team, 0, &ctx);
	shmem_team_destroy(team);
	shmem_ctx_int_p(ctx, x, 1, 0);
}

static void
team_of_destroyed_ctx(void)
{
	shmem_team_t team;
	shmem_ctx_t ctx;

	shmem_ctx_create(0, &ctx);
	shmem_ctx_destroy(ctx);
	(void)shmem_ctx_get_team(ctx, &team);
}

static void
left_private_in_team(void)
{
	shmem_team_t team;
	shmem_ctx_t ctx;

	shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
	shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &ctx);
	shmem_team_destroy(team);
}

static void *
run_quiet(void *arg)
{
	shmem_ctx_quiet(*(shmem_ctx_t *)arg);
	return NULL;
}

static void
other_private(void)
{
	shmem_ctx_t ctx;
	pthread_t t;
	int level;

	/* the program starts at the lowest level: begin anew */
	shmem_finalize();
	shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
	shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
	pthread_create(&t, NULL, run_quiet, &ctx);
	pthread_join(t, NULL);
}

static void
left_private(void)
{
	shmem_ctx_t ctx;

	shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
	shmem_finalize();
}

struct misuse {
	const char *name;
	void (*run)(void);
	const char *set; /* a variable of the environment */
	int status;
	const char *words[3];
};

static const struct misuse misuses[] = {
	{"pe_range", pe_range, NULL, 1, {"shmem_int_p: ", "PE 5", "0..0"}},
	{"pe_negative", pe_negative, NULL, 1, {"shmem_long_atomic_fetch_inc: ", "PE -3"}},
	{"on_stack", on_stack, NULL, 1, {"shmem_putmem: ", "not symmetric", "0x"}},
	{"null_dest", null_dest, NULL, 1, {"shmem_double_put: ", "NULL", "8 bytes"}},
	{"over_the_end", over_the_end, NULL, 1, {"shmem_getmem: ", "1099511627776", "end"}},
	{"too_many", too_many, NULL, 1, {"shmem_int_put: ", "nelems is 9223372036854775807"}},
	{"no_ctx", no_ctx, NULL, 1, {"shmem_ctx_int_put: ", "SHMEM_CTX_INVALID"}},
	{"bad_sig_op", bad_sig_op, NULL, 1, {"shmem_putmem_signal: ", "sig_op is 9"}},
	{"bad_cmp", bad_cmp, NULL, 1, {"shmem_int_wait_until: ", "cmp is 0"}},
	{"stride_zero", stride_zero, NULL, 1, {"shmem_int_iput: ", "dst is 0"}},
	{"stride_short", stride_short, NULL, 1, {"shmem_int_ibget: ", "sst is 2", "block of 3"}},
	{"unaligned_amo", unaligned_amo, NULL, 1, {"shmem_int_atomic_inc: ", "aligned to 4"}},
	{"bad_quiet", bad_quiet, NULL, 1, {"shmem_pe_quiet: ", "PE 7"}},
	{"pe_for_nothing", pe_for_nothing, NULL, 1, {"shmem_int_put: ", "PE 5", "0..0"}},
	{"nothing", nothing, "SHMEM_CHECK=1", 0, {""}},
	{"default_ctx_destroyed",
	 default_ctx_destroyed,
	 NULL,
	 1,
	 {"shmem_ctx_destroy: ", "SHMEM_CTX_DEFAULT"}},
	{"finalized", finalized, NULL, 1, {"shmem_quiet: ", "outside"}},
	{"who_was_it", who_was_it, NULL, 0, {""}},
	{"who_checked", who_was_it, "SHMEM_CHECK=1", 1, {"shmem_my_pe: ", "outside"}},
	{"finalized_twice", finalized_twice, NULL, 0, {""}},
	{"twice_checked", finalized_twice, "SHMEM_CHECK=1", 1, {"shmem_finalize: ", "outside"}},
	{"raw_early", raw_early, NULL, 1, {"shmem_my_pe: ", "outside"}},
	{"raw_start_pes", raw_start_pes, NULL, 0, {""}},
	{"exit_status", exit_status, NULL, 7, {""}},
	{"no_finalize", no_finalize, NULL, 0, {""}},
	{"no_finalize_failed", no_finalize_failed, NULL, 3, {""}},
	{"no_size", no_finalize, "SHMEM_SYMMETRIC_SIZE=12q", 1, {"shmem_init: ", "=12q"}},
	{"huge_size", no_finalize, "SHMEM_SYMMETRIC_SIZE=900T", 1, {"shmem_init: ", "=900T"}},
	{"older_size", no_finalize, "SMA_SYMMETRIC_SIZE=-1", 1, {"shmem_init: ", "=-1"}},
	{"version", no_finalize, "SHMEM_VERSION=1", 0, {RINGBELL_VERSION ", OpenSHMEM 1.6"}},
	{"info", no_finalize, "SMA_INFO=1", 0, {"SHMEM_SYMMETRIC_SIZE", "SHMEM_CHECK"}},
	{"debug", no_finalize, "SHMEM_DEBUG=1", 0, {"shmem_init: PE 0 of 1", "bytes of heap"}},
	{"overlapping", overlapping, "SHMEM_CHECK=1", 1, {"shmem_int_put: ", "overlap"}},
	{"overlap_off", overlapping, "SHMEM_CHECK=0", 0, {""}},
	{"overlapping_strides",
	 overlapping_strides,
	 "SHMEM_CHECK=1",
	 1,
	 {"shmem_int_iput: ", "overlap"}},
	{"overlapping_blocks",
	 overlapping_blocks,
	 "SHMEM_CHECK=1",
	 1,
	 {"shmem_int_ibget: ", "overlap", "1 blocks"}},
	{"unaligned", unaligned, "SHMEM_CHECK=1", 1, {"shmem_int_put: ", "aligned to 4"}},
	{"wait_on_stack", wait_on_stack, "SHMEM_CHECK=1", 1, {"shmem_int_wait_until: ", "0x"}},
	{"signal_in_data",
	 signal_in_data,
	 "SHMEM_CHECK=1",
	 1,
	 {"shmem_uint64_put_signal: ", "sig_addr"}},
	{"other_thread",
	 other_thread,
	 "SHMEM_CHECK=1",
	 1,
	 {"shmem_ctx_int_put: ", "SHMEM_THREAD_SINGLE"}},
	{"destroyed_ctx", destroyed_ctx, "SHMEM_CHECK=1", 1, {"shmem_ctx_quiet: ", "destroyed"}},
	{"destroyed_team_ctx",
	 destroyed_team_ctx,
	 "SHMEM_CHECK=1",
	 1,
	 {"shmem_ctx_int_p: ", "destroyed"}},
	{"team_of_destroyed_ctx",
	 team_of_destroyed_ctx,
	 "SHMEM_CHECK=1",
	 1,
	 {"shmem_ctx_get_team: ", "destroyed"}},
	{"left_private_in_team",
	 left_private_in_team,
	 "SHMEM_CHECK=1",
	 1,
	 {"shmem_ctx_destroy: ", "private"}},
	{"other_private", other_private, "SHMEM_CHECK=1", 1, {"shmem_ctx_quiet: ", "private"}},
	{"left_private", left_private, "SHMEM_CHECK=1", 1, {"shmem_ctx_destroy: ", "private"}},
};

enum {
	MISUSES = sizeof(misuses) / sizeof(misuses[0])
};

static void
check(const struct misuse *m)
{
	char self[4096] = "", command[5000], out[4096];
	int status, i;
	FILE *f;

	/* its name: under an emulator /proc/PID/exe leads to that one */
	CU_ASSERT_FATAL(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(command, sizeof(command), "env %s %s %s 2>&1", m->set ? m->set : "", self,
		 m->name);
	f = popen(command, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	out[fread(out, 1, sizeof(out) - 1, f)] = '\0';
	status = pclose(f);
	CU_ASSERT(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), m->status);
	if (WEXITSTATUS(status) != m->status)
		fprintf(stderr, "%s: status %d, output: %s\n", m->name, WEXITSTATUS(status), out);
	for (i = 0; i < 3 && m->words[i] != NULL; i++) {
		CU_ASSERT_PTR_NOT_NULL(strstr(out, m->words[i]));
		if (strstr(out, m->words[i]) == NULL)
			fprintf(stderr, "%s: no \"%s\" in: %s\n", m->name, m->words[i], out);
	}
	/* one line and no more */
	if (m->status == 1)
		CU_ASSERT(out[0] != '\0' && strchr(out, '\n') == out + strlen(out) - 1);
}

static void
all(void)
{
	int i;

	for (i = 0; i < MISUSES; i++)
		check(&misuses[i]);
}

/* Calls that return a status do so. */
static void
refused(void)
{
	int level = -1;

	CU_ASSERT_NOT_EQUAL(shmem_init_thread(77, &level), 0);
	CU_ASSERT_EQUAL(level, -1);
	setenv("SHMEM_SYMMETRIC_SIZE", "much", 1);
	CU_ASSERT_NOT_EQUAL(shmem_init_thread(SHMEM_THREAD_SINGLE, &level), 0);
	unsetenv("SHMEM_SYMMETRIC_SIZE");
	CU_ASSERT_EQUAL_FATAL(shmem_init_thread(SHMEM_THREAD_SINGLE, &level), 0);
	shmem_finalize();
}

static CU_TestInfo tests[] = {
	{"mistakes", all},
	{"refused", refused},
	CU_TEST_INFO_NULL,
};

int
main(int argc, char **argv)
{
	int i;

	if (argc < 2)
		return suite_run("misuse", tests);
	for (i = 0; i < MISUSES; i++) {
		if (strcmp(argv[1], misuses[i].name) != 0)
			continue;
		if (strncmp(argv[1], "raw_", 4) != 0)
			shmem_init();
		misuses[i].run();
		return 0;
	}
	return 2;
}
