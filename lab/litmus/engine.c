/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * All PEs run the same batches. A batch is one test, many instances of it, each with words of its
 * own that nobody has used. A random permutation deals the PEs to groups, and each group runs the
 * batch by itself. Between two batches is one barrier, so three sets of memory take turns: one is
 * in use, of the one before the outcomes are counted, and the third is cleared.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "litmus.h"
#include "place.h"
#include "tally.h"

enum {
	SETS = 3,
	HEAP = 5 << 19,
	DATA = 1 << 19,
	PAGE = 4096,
	STOP_EVERY = 16, /* batches, then PE 0 looks at the time */
	TICK_NS = 2000,	 /* between two instances that begin at the same time */
	START_NS = 100000,
	SPREAD_NS = 400,
	SPIN = 256,    /* turns of an empty loop, at most, before one step in */
	SPIN_ODDS = 4, /* so many */
	SAY_FIRST = 3, /* forbidden outcomes that are printed as they happen */
};

/* A value for each register, and one that nobody looks at. */
typedef uint64_t regs[LITMUS_REGS + 1];

static char static_data[SETS][DATA] __attribute__((aligned(PAGE)));
static long told; /* symmetric: does PE 0 want to go on? */
static regs mine[LITMUS_INSTANCES];

static struct {
	struct litmus_memory mem[SETS];
	size_t heap_used[SETS], data_used[SETS];
	regs *result[SETS]; /* symmetric: what each role found, at the first role of its group */
	uint8_t *reach;	    /* symmetric: can one PE store to the other by shmem_ptr()? */
	uint64_t last[LITMUS_TERMS][LITMUS_INSTANCES];
	shmem_ctx_t ctx;
	uint64_t shared; /* random numbers that all PEs draw alike */
	uint64_t own;
	int said;
	char under_way[2 * LITMUS_NAME]; /* for no_end() */
} engine;

struct batch {
	const struct litmus_test *test;
	enum litmus_layout layout;
	struct litmus_place place;
	bool ticks;
	unsigned int set, n;
	int pe[LITMUS_ROLES]; /* of my group */
	int role;	      /* mine, -1: none */
};

static uint64_t
draw_number(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Deal the PEs to groups, alike on all of them. */
static void
deal_pes(struct batch *b, int me, int npes)
{
	int pe[LITMUS_PES], i, k, other;

	for (i = 0; i < npes; i++) {
		k = (int)(draw_number(&engine.shared) % (unsigned int)(i + 1));
		pe[i] = pe[k];
		pe[k] = i;
	}
	b->role = -1;
	for (i = 0; i < npes; i++) {
		other = i - i % b->test->roles;
		if (pe[i] != me || other + b->test->roles > npes)
			continue;
		b->role = i - other;
		for (k = 0; k < b->test->roles; k++)
			b->pe[k] = pe[other + k];
	}
}

/* Can the roles reach by pointers what they have to? All of the group find the same. */
static bool
in_reach(const struct batch *b, int npes)
{
	const struct litmus_test *t = b->test;
	int role, i;

	for (role = 0; role < t->roles; role++)
		for (i = 0; i < t->steps[role]; i++) {
			const struct litmus_step *s = &t->step[role][i];

			if ((s->op->flags & LITMUS_PTR) != 0 &&
			    !engine.reach[b->pe[role] * npes + b->pe[t->var[s->var].home]])
				return false;
		}
	return true;
}

static void
wait_tick(uint64_t at)
{
	while (now_ns() < at)
		;
}

static void
spin_a_little(void)
{
	volatile unsigned int turns = 0;
	uint64_t r = draw_number(&engine.own);

	if (r % SPIN_ODDS != 0)
		return;
	for (turns = (unsigned int)(r >> 32) % SPIN; turns != 0; turns--)
		;
}

static uint64_t *
word_of(const struct batch *b, int var, unsigned int instance)
{
	return (uint64_t *)(void *)(b->place.first[var] + b->place.step[var] * instance);
}

static void
do_step(const struct batch *b, const struct litmus_step *s, unsigned int i)
{
	struct litmus_at at = {
		.ctx = s->ctx ? engine.ctx : SHMEM_CTX_DEFAULT,
		.reg = &mine[i][s->reg < 0 ? LITMUS_REGS : s->reg],
		.value = s->value,
		.sig_value = s->sig_value,
	};

	if ((s->op->flags & LITMUS_BARE) == 0) {
		at.at = word_of(b, s->var, i);
		at.words = b->test->var[s->var].words;
		at.pe = b->pe[b->test->var[s->var].home];
	}
	if (s->sig >= 0)
		at.sig = word_of(b, s->sig, i);
	spin_a_little();
	s->op->run(&at);
}

static void
run_role(const struct batch *b)
{
	uint64_t start = (now_ns() / START_NS + 1) * START_NS + START_NS / 4;
	unsigned int i;
	int k;

	memset(mine, 0, sizeof(mine));
	for (i = 0; i < b->n; i++) {
		if (b->ticks)
			wait_tick(start + i * TICK_NS + draw_number(&engine.own) % SPREAD_NS);
		for (k = 0; k < b->test->steps[b->role]; k++)
			do_step(b, &b->test->step[b->role][k], i);
	}
	shmem_ctx_quiet(engine.ctx);
	shmem_quiet();
	shmem_putmem(engine.result[b->set][b->role * LITMUS_INSTANCES], mine,
		     b->n * sizeof(mine[0]), b->pe[0]);
}

static unsigned int
digit_of(uint64_t value)
{
	uint64_t n = value / LITMUS_UNIT;

	return n * LITMUS_UNIT == value && n < LITMUS_VALUES ? (unsigned int)n : LITMUS_VALUES;
}

/* What the words have become that the outcome names: all at once, as an answer may take long. */
static void
get_words(const struct batch *b)
{
	const struct litmus_test *t = b->test;
	unsigned int i;
	int k, var;

	for (k = 0; k < t->terms; k++) {
		var = t->term[k].var;
		for (i = 0; var >= 0 && i < b->n; i++)
			shmem_ulong_get_nbi(&engine.last[k][i], word_of(b, var, i), 1,
					    b->pe[t->var[var].home]);
	}
	shmem_quiet();
}

static uint32_t
outcome_of(const struct batch *b, unsigned int i)
{
	const struct litmus_test *t = b->test;
	unsigned int reg[LITMUS_REGS] = {0}, word[LITMUS_TERMS] = {0};
	int k;

	for (k = 0; k < LITMUS_REGS; k++)
		if (t->reg_role[k] >= 0)
			reg[k] = digit_of(engine.result[b->set][t->reg_role[k] * LITMUS_INSTANCES +
								(int)i][k]);
	for (k = 0; k < t->terms; k++)
		if (t->term[k].var >= 0)
			word[k] = digit_of(engine.last[k][i]);
	return litmus_key(t, reg, word);
}

static void
say_outcome(const struct batch *b, uint32_t key, unsigned int i)
{
	char text[LITMUS_NAME], pes[LITMUS_NAME] = "";
	size_t n = 0;
	int k;

	if (engine.said++ >= SAY_FIRST)
		return;
	litmus_key_text(b->test, key, text, sizeof(text));
	for (k = 0; k < b->test->roles && n < sizeof(pes); k++)
		n += (size_t)snprintf(pes + n, sizeof(pes) - n, " %d", b->pe[k]);
	fprintf(stderr,
		"shmem-litmus: forbidden: %s: %s in instance %u of %u, PEs%s, layout %s%s\n",
		b->test->name, text, i, b->n, pes, litmus_layout_names[b->layout],
		b->ticks ? ", in ticks" : "");
}

/* The first role of a group counts. Behind the barrier: all words are what they will be. */
static void
count_batch(struct litmus_run *run, const struct batch *b)
{
	struct litmus_tally *t = &run->tally[b->test - run->test];
	unsigned int i;
	uint32_t key;

	get_words(b);
	for (i = 0; i < b->n; i++) {
		key = outcome_of(b, i);
		litmus_count(t, b->test, key);
		if (litmus_is_torn(b->test, key) ||
		    (litmus_forbids(run, b->test) && litmus_is_outcome(b->test, key)))
			say_outcome(b, key, i);
	}
}

/* Only what a signal handler may do. */
static void
no_end(int sig)
{
	(void)sig;
	if (write(STDERR_FILENO, engine.under_way, strlen(engine.under_way)) < 0)
		_exit(LITMUS_NO_END + 1);
	_exit(LITMUS_NO_END);
}

/* Each batch has a time limit of its own. */
static void
begin_limit(const struct litmus_run *run, const struct batch *b)
{
	snprintf(engine.under_way, sizeof(engine.under_way),
		 "shmem-litmus: PE %d: no end of %s, role %d, layout %s%s\n", run->me,
		 b->test->name, b->role, litmus_layout_names[b->layout],
		 b->ticks ? ", in ticks" : "");
	alarm((unsigned int)run->args.limit);
}

static void
clear_set(unsigned int set)
{
	memset(engine.mem[set].heap, 0, engine.heap_used[set]);
	memset(engine.mem[set].data, 0, engine.data_used[set]);
}

static void
run_batch(struct litmus_run *run, const struct litmus_test *test)
{
	struct batch b = {.test = test, .set = (unsigned int)(run->batches++ % SETS)};
	uint64_t r = draw_number(&engine.shared);

	b.layout = (enum litmus_layout)((unsigned int)r % LITMUS_LAYOUTS);
	b.ticks = (r >> 32) % 2 != 0;
	deal_pes(&b, run->me, run->npes);
	if (b.role >= 0 && !in_reach(&b, run->npes))
		b.role = -1;
	litmus_place(test, b.layout, &engine.mem[b.set], &b.place);
	b.n = b.place.n;
	if (b.n > (unsigned int)run->args.instances)
		b.n = (unsigned int)run->args.instances;
	engine.heap_used[b.set] = b.place.heap;
	engine.data_used[b.set] = b.place.data;
	begin_limit(run, &b);
	if (b.role >= 0)
		run_role(&b);
	clear_set((b.set + 1) % SETS);
	shmem_barrier_all();
	if (b.role == 0)
		count_batch(run, &b);
}

/* PE 0 says when the time is over: all have to stop alike. */
static bool
goes_on(struct litmus_run *run, bool wish)
{
	int pe;

	if (run->me == 0)
		for (pe = 0; pe < run->npes; pe++)
			shmem_long_p(&told, wish, pe);
	shmem_barrier_all();
	wish = __atomic_load_n(&told, __ATOMIC_RELAXED) != 0;
	shmem_barrier_all();
	return wish;
}

static void
learn_reach(const struct litmus_run *run)
{
	int pe, to;

	for (pe = 0; pe < run->npes; pe++) {
		const uint8_t can = shmem_ptr(engine.mem[0].heap, pe) != NULL &&
				    shmem_ptr(static_data, pe) != NULL;

		for (to = 0; to < run->npes; to++)
			shmem_putmem(&engine.reach[run->me * run->npes + pe], &can, 1, to);
	}
	shmem_barrier_all();
}

static int
open_engine(struct litmus_run *run)
{
	size_t pes = (size_t)run->npes, results = LITMUS_ROLES * LITMUS_INSTANCES * sizeof(regs);
	char *heap = shmem_align(PAGE, (size_t)SETS * HEAP);
	char *result = shmem_malloc(SETS * results);
	unsigned int i;

	run->tally = shmem_malloc((size_t)run->tests * sizeof(*run->tally));
	engine.reach = shmem_malloc(pes * pes);
	if (heap == NULL || result == NULL || run->tally == NULL || engine.reach == NULL)
		return -1;
	if (shmem_ctx_create(0, &engine.ctx) != 0)
		return -1;
	for (i = 0; i < SETS; i++) {
		engine.mem[i] =
			(struct litmus_memory){heap + (size_t)i * HEAP, static_data[i], HEAP, DATA};
		engine.result[i] = (regs *)(void *)(result + i * results);
	}
	memset(heap, 0, (size_t)SETS * HEAP);
	memset(run->tally, 0, (size_t)run->tests * sizeof(*run->tally));
	engine.shared = (uint64_t)run->args.seed;
	engine.own = (uint64_t)run->args.seed + (uint64_t)run->me + 1;
	shmem_barrier_all();
	learn_reach(run);
	return 0;
}

/* Can this test run in this job? */
static bool
runs_here(const struct litmus_run *run, const struct litmus_test *t)
{
	return t->missing == NULL && t->roles <= run->npes;
}

static int
collect_tallies(struct litmus_run *run)
{
	size_t size = (size_t)run->tests * sizeof(*run->tally);
	struct litmus_tally *theirs = malloc(size);
	int pe, i;

	shmem_barrier_all();
	if (theirs == NULL)
		return -1;
	for (pe = 1; run->me == 0 && pe < run->npes; pe++) {
		shmem_getmem(theirs, run->tally, size, pe);
		for (i = 0; i < run->tests; i++)
			litmus_add(&run->tally[i], &theirs[i]);
	}
	free(theirs);
	return 0;
}

/* The tests of a row follow one another. @return the first one behind the row of @p first */
static int
behind_row(const struct litmus_run *run, int first)
{
	int i = first;

	while (i < run->tests && run->test[i].row == run->test[first].row)
		i++;
	return i;
}

/* One test of each row, so that rows of many tests do not take the time of the others. */
static bool
run_sample(struct litmus_run *run, uint64_t until)
{
	int first, behind, i;

	for (first = 0; first < run->tests; first = behind) {
		behind = behind_row(run, first);
		i = first + (int)(draw_number(&engine.shared) % (unsigned int)(behind - first));
		if (!runs_here(run, &run->test[i]))
			continue;
		run_batch(run, &run->test[i]);
		if (run->batches % STOP_EVERY == 0 && !goes_on(run, now_ns() < until))
			return false;
	}
	return goes_on(run, now_ns() < until);
}

static void
run_all(struct litmus_run *run)
{
	int i;

	for (i = 0; i < run->tests; i++)
		if (runs_here(run, &run->test[i]))
			run_batch(run, &run->test[i]);
}

int
litmus_run(struct litmus_run *run)
{
	uint64_t until = now_ns() + (uint64_t)(run->args.seconds * 1e9);
	long round;

	if (open_engine(run) < 0)
		return -1;
	signal(SIGALRM, no_end);
	for (round = 0; round < run->args.rounds; round++)
		run_all(run);
	while (run->args.rounds == 0 && run_sample(run, until))
		;
	alarm(0);
	shmem_ctx_destroy(engine.ctx);
	return collect_tallies(run);
}
