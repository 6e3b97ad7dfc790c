/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * What calls do where a host is lost and the job goes on. Usage: survivors DEAD WHAT
 *
 * PE DEAD kills itself (-1: none does) while the others are in WHAT again and again: a call that
 * needs others. Then they agree, and use all that they have left. HOW they do it without an
 * agreement: ignore: they do not look at errors, and end; leave: PE 0 ends alone, the others try to
 * agree; twice: a PE of another host dies behind the agreement.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmem.h>
#include <shmemx.h>

enum {
	ROUNDS = 30, /* before the death */
	WORDS = 5000,
	MOST = 64,
	OPEN = 100, /* requests at a time */
};

static long word, sum, never, lock, lent;
static long in[MOST], out[MOST], big[WORDS];
static uint64_t flag;
static int me, npes, dead, faults;

#define EXPECT(cond)                                                               \
	do {                                                                       \
		if (!(cond)) {                                                     \
			printf("BROKEN PE %d line %d: %s\n", me, __LINE__, #cond); \
			faults++;                                                  \
		}                                                                  \
	} while (0)

/* A loss is noted, and it is that of the dead PE's host. */
static int
failed(void)
{
	int pe = -2;

	if (shmemx_last_error(&pe) == 0)
		return 0;
	EXPECT(pe >= 0 && shmemx_pe_host(pe) == shmemx_pe_host(dead));
	EXPECT(shmemx_pe_alive(pe) == 0);
	return 1;
}

static long buffer[WORDS];

/* Many requests at a time, little and much data, waited for at once, when others have gone on, or
 * by tests. @return whether one has failed; those behind it do, too, and none is left */
static int
go_posted(int how)
{
	static long part[OPEN], all[OPEN];
	shmemx_req_h r[OPEN + 1];
	int i, ret = 0, one;

	for (i = 0; i < OPEN; i++) {
		part[i] = i;
		EXPECT(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, &all[i], &part[i], 1, &r[i]) ==
		       0);
	}
	EXPECT(shmemx_long_max_reduce_nb(SHMEM_TEAM_WORLD, big, buffer, WORDS, &r[OPEN]) == 0);
	if (how == 2)
		usleep(1000);
	if (how > 0)
		return shmemx_req_wait_all(r, OPEN + 1);
	for (i = 0; i <= OPEN; i++) {
		while ((one = shmemx_req_test(&r[i])) == 1)
			;
		EXPECT(ret == 0 || one != 0);
		EXPECT(r[i] == SHMEMX_REQ_INVALID);
		ret |= one;
	}
	return ret;
}

static int
go_at_once(void)
{
	shmemx_req_h r;
	int ret;

	EXPECT(shmemx_long_sum_reduce_nb(SHMEM_TEAM_WORLD, &sum, &word, 1, &r) == 0);
	ret = shmemx_req_wait(&r);
	EXPECT(r == SHMEMX_REQ_INVALID);
	return ret;
}

/* One round of @p what. @return whether it has failed by its result */
static int
go_round(const char *what, long round)
{
	int next = (me + 1) % npes, i;
	int ret = 0;

	if (strcmp(what, "barrier") == 0) {
		shmem_barrier_all();
	} else if (strcmp(what, "reduce") == 0) {
		word = round;
		ret = shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &word, 1);
	} else if (strcmp(what, "large") == 0) {
		ret = shmem_long_max_reduce(SHMEM_TEAM_WORLD, big, buffer, WORDS);
	} else if (strcmp(what, "collect") == 0) {
		ret = shmem_long_collect(SHMEM_TEAM_WORLD, out, in, 1);
	} else if (strcmp(what, "alltoall") == 0) {
		ret = shmem_long_alltoall(SHMEM_TEAM_WORLD, out, in, 1);
	} else if (strcmp(what, "broadcast") == 0) {
		ret = shmem_long_broadcast(SHMEM_TEAM_WORLD, big, buffer, WORDS, (int)round % npes);
	} else if (strcmp(what, "posted") == 0) {
		ret = go_posted((int)round % 3);
	} else if (strcmp(what, "at_once") == 0) {
		ret = go_at_once();
	} else if (strcmp(what, "split") == 0) {
		shmem_team_t team;

		ret = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team);
		if (ret == 0)
			shmem_team_destroy(team);
	} else if (strcmp(what, "malloc") == 0) {
		shmem_free(shmem_malloc(1000));
	} else if (strcmp(what, "atomics") == 0) {
		for (i = 0; i < npes; i++) {
			shmem_long_atomic_inc(&word, i);
			(void)shmem_long_atomic_fetch_add(&sum, 1, i);
		}
		shmem_quiet();
	} else if (strcmp(what, "rma") == 0) {
		for (i = 0; i < npes; i++) {
			shmem_long_put_nbi(big, buffer, WORDS, i);
			shmem_long_get(buffer, big, WORDS, i);
		}
		shmem_quiet();
	} else if (strcmp(what, "ring") == 0) {
		shmem_long_p(&in[0], round, next);
		shmem_long_wait_until(&in[0], SHMEM_CMP_GE, round);
	} else if (strcmp(what, "signal") == 0) {
		shmem_long_put_signal(big, buffer, WORDS, &flag, (uint64_t)round, SHMEM_SIGNAL_SET,
				      next);
		shmem_signal_wait_until(&flag, SHMEM_CMP_GE, (uint64_t)round);
	} else if (strcmp(what, "lock") == 0) {
		shmem_set_lock(&lock);
		if (shmemx_last_error(NULL) != 0)
			return 1;
		lent++;
		shmem_clear_lock(&lock);
	} else {
		fprintf(stderr, "unknown: %s\n", what);
		exit(2);
	}
	return ret;
}

/* While the ring is stopped, no call waits, and none says that it has done its work. */
static void
check_stopped(void)
{
	long value = 7, all[4] = {1, 2, 3, 4};
	size_t one;
	int ret, i;

	for (i = 0; i < npes; i++) {
		if (shmemx_pe_host(i) == shmemx_pe_host(me))
			continue;
		value = shmem_long_atomic_fetch(&word, i);
		EXPECT(value == 0 && failed());
		shmem_long_get(all, big, 4, i);
		EXPECT(all[0] == 0 && all[3] == 0 && failed());
		shmem_long_p(&word, 5, i);
		EXPECT(failed());
	}
	shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
	EXPECT(failed());
	EXPECT(shmem_long_wait_until_any(&never, 1, NULL, SHMEM_CMP_NE, 0) == SIZE_MAX && failed());
	EXPECT(shmem_long_wait_until_some(&never, 1, &one, NULL, SHMEM_CMP_NE, 0) == 0 && failed());
	EXPECT(shmem_signal_wait_until(&flag, SHMEM_CMP_GT, UINT64_MAX - 1) < UINT64_MAX);
	EXPECT(failed());
	EXPECT(shmem_long_test(&never, SHMEM_CMP_NE, 0) == 0 && failed());
	EXPECT(shmem_team_sync(SHMEM_TEAM_WORLD) != 0 && failed());
	ret = shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &word, 1);
	EXPECT(ret != 0 && failed());
	EXPECT(go_posted(1) != 0 && failed());
	EXPECT(shmem_malloc(100) == NULL && failed());
	shmem_barrier_all();
	EXPECT(failed());
}

/* Puts, gets and atomics between all of the team. */
static void
check_pairs(shmem_team_t team)
{
	int n = shmem_team_n_pes(team), rank = shmem_team_my_pe(team), i, pe;
	shmem_ctx_t ctx;

	word = sum = 0;
	memset(out, 0, sizeof(out));
	EXPECT(shmem_team_sync(team) == 0);
	EXPECT(shmem_team_create_ctx(team, 0, &ctx) == 0);
	for (i = 0; i < n; i++) {
		pe = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
		shmem_long_p(&out[me], me + 1000, pe);
		shmem_ctx_long_atomic_inc(ctx, &word, i);
		(void)shmem_long_atomic_fetch_add(&sum, rank, pe);
	}
	shmem_ctx_quiet(ctx);
	shmem_quiet();
	EXPECT(shmem_team_sync(team) == 0);
	EXPECT(word == n);
	EXPECT(sum == (long)n * (n - 1) / 2);
	for (i = 0; i < n; i++) {
		pe = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
		EXPECT(out[pe] == pe + 1000);
		EXPECT(shmem_long_g(&out[pe], pe) == pe + 1000);
	}
	shmem_ctx_destroy(ctx);
	EXPECT(shmem_team_sync(team) == 0);
}

static void
check_collectives(shmem_team_t team)
{
	int n = shmem_team_n_pes(team), rank = shmem_team_my_pe(team), i;
	shmem_team_t odd;
	long *more;

	for (i = 0; i < WORDS; i++)
		buffer[i] = rank + i;
	EXPECT(shmem_long_max_reduce(team, big, buffer, WORDS) == 0);
	EXPECT(big[0] == n - 1 && big[WORDS - 1] == n - 1 + WORDS - 1);
	for (i = 0; i < n; i++)
		in[i] = rank * 100 + i;
	EXPECT(shmem_long_alltoall(team, out, in, 1) == 0);
	for (i = 0; i < n; i++)
		EXPECT(out[i] == i * 100 + rank);
	EXPECT(shmem_long_fcollect(team, out, &in[0], 1) == 0);
	for (i = 0; i < n; i++)
		EXPECT(out[i] == i * 100);
	EXPECT(shmem_team_split_strided(team, 0, 2, (n + 1) / 2, NULL, 0, &odd) == 0);
	if (rank % 2 == 0) {
		word = 1;
		EXPECT(shmem_team_n_pes(odd) == (n + 1) / 2 && shmem_team_my_pe(odd) == rank / 2);
		EXPECT(shmem_long_sum_reduce(odd, &sum, &word, 1) == 0 && sum == (n + 1) / 2);
		shmem_team_destroy(odd);
	}
	more = shmem_malloc(WORDS * sizeof(*more));
	EXPECT(more != NULL);
	if (more == NULL)
		return;
	more[0] = me;
	EXPECT(shmem_team_sync(team) == 0);
	i = shmem_team_translate_pe(team, (rank + 1) % n, SHMEM_TEAM_WORLD);
	EXPECT(shmem_long_g(more, i) == i);
	shmem_free(more);
}

static void
check_lock(shmem_team_t team)
{
	int n = shmem_team_n_pes(team), i,
	    first = shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD);

	lock = lent = 0;
	EXPECT(shmem_team_sync(team) == 0);
	for (i = 0; i < 5; i++) {
		shmem_set_lock(&lock);
		shmem_long_p(&lent, shmem_long_g(&lent, first) + 1, first);
		shmem_quiet();
		shmem_clear_lock(&lock);
	}
	EXPECT(shmem_team_sync(team) == 0);
	EXPECT(shmem_long_g(&lent, first) == 5L * n);
}

static void
check_dead(void)
{
	int pe = -2, i;

	for (i = 0; i < npes; i++)
		EXPECT(shmemx_pe_alive(i) == (shmemx_pe_host(i) != shmemx_pe_host(dead)));
	EXPECT(shmemx_pe_alive(-1) == -1 && shmemx_pe_alive(npes) == -1);
	EXPECT(shmemx_last_error(NULL) == 0);
	EXPECT(shmem_long_g(&word, dead) == 0);
	EXPECT(shmemx_last_error(&pe) == SHMEMX_ERROR_LOST && pe == dead);
	EXPECT(shmemx_last_error(&pe) == 0);
	shmem_barrier_all();
	EXPECT(failed());
	EXPECT(shmem_team_sync(SHMEM_TEAM_WORLD) != 0 && failed());
	EXPECT(shmem_team_sync(SHMEM_TEAM_SHARED) == 0 && !failed());
}

static shmem_team_t
agree(void)
{
	shmem_team_t team = SHMEM_TEAM_WORLD;

	long least = 100 + me;

	if (shmemx_team_survivors(&team, &least) != 0) {
		printf("PE %d: no team\n", me);
		EXPECT(team == SHMEM_TEAM_INVALID && least == 100 + me);
		return SHMEM_TEAM_INVALID;
	}
	EXPECT(least == 100 + shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD));
	(void)shmemx_last_error(NULL);
	return team;
}

static void
go_on(const char *how)
{
	shmem_team_t team, again;
	int n;

	if (strcmp(how, "leave") == 0 && me == 0)
		return;
	team = agree();
	if (team == SHMEM_TEAM_INVALID)
		return;
	n = shmem_team_n_pes(team);
	check_pairs(team);
	check_collectives(team);
	check_lock(team);
	check_dead();
	EXPECT(shmemx_team_survivors(&again, NULL) == 0);
	shmem_team_destroy(again);
	again = agree();
	EXPECT(shmem_team_n_pes(again) == n);
	EXPECT(shmem_team_sync(again) == 0);
	shmem_team_destroy(again);
	printf("PE %d is %d of %d\n", me, shmem_team_my_pe(team), n);
	fflush(stdout);
	if (strcmp(how, "twice") == 0 && shmem_team_my_pe(team) == 0)
		raise(SIGKILL);
	while (strcmp(how, "twice") == 0)
		shmem_team_sync(team);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "barrier", *how = argc > 3 ? argv[3] : "";
	long round;

	dead = argc > 1 ? atoi(argv[1]) : -1;
	shmem_init();
	me = shmem_my_pe();
	npes = shmem_n_pes();
	for (round = 1; dead >= 0; round++) {
		if (me == dead && round == ROUNDS)
			raise(SIGKILL);
		if (go_round(what, round) != 0) {
			EXPECT(strcmp(what, "lock") == 0 || failed());
			break;
		}
		if (failed())
			break;
	}
	if (strcmp(how, "ignore") == 0) {
		shmem_finalize();
		return 0;
	}
	if (dead >= 0)
		check_stopped();
	else
		dead = npes; /* nobody */
	if (argc > 1 && atoi(argv[1]) >= 0)
		go_on(how);
	else if (agree() != SHMEM_TEAM_INVALID)
		printf("PE %d is alone with none dead\n", me);
	fflush(stdout);
	shmem_finalize();
	return faults != 0;
}
