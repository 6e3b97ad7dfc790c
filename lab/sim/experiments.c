/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "experiments.h"
#include "papers.h"
#include "scene.h"

enum {
	K = 1024,
	M = 1024 * 1024,
	WINDOW = 8, /* requests of a host under way: as many as P4 has threads at most */
	COUNT = 48, /* requests of a host in all */
	REPEATS = 8,
	SIZES = 5,
	POOLS = 4,
};

static const uint64_t sizes[SIZES] = {4 * K, 16 * K, 64 * K, 256 * K, M};
static const unsigned int pools[POOLS] = {1, 2, 4, 8};

struct report {
	FILE *f;
	unsigned int rows;
	int error;
	const char *what; /* is wrong */
};

static void
print_figure(struct report *r, const char *id, double value)
{
	fprintf(r->f, "%s\n  {\"figure\": \"%s\", \"value\": %.6g}", r->rows++ ? "," : "", id,
		value);
}

/* us of a request of the papers' system. */
static double
measure_us(struct report *r, const struct hardware *h, const struct papers_run *run)
{
	struct papers_result result = {0};
	int error = papers_run(h, run, &result);

	if (error < 0 && r->error == 0) {
		r->error = error;
		r->what = "the papers' system";
	}
	return result.us;
}

static double
rate_of(uint64_t size, double us)
{
	return (double)size / us;
}

static void
report_p2(struct report *r, const struct hardware *h)
{
	double sg8 = papers_dma(h, M, 8);

	print_figure(r, "p2_memcpy", rate_of(M, papers_stores(h, M)));
	print_figure(r, "p2_block", rate_of(M, papers_dma(h, M, 1)));
	print_figure(r, "p2_sg8", rate_of(M, sg8));
	print_figure(r, "p2_sg256", sg8 / papers_dma(h, M, 256));
	print_figure(r, "p2_cross_2k", papers_dma(h, 2 * K, 1) / papers_stores(h, 2 * K));
	print_figure(r, "p2_cross_4k", papers_dma(h, 4 * K, 1) / papers_stores(h, 4 * K));
}

static void
report_p3(struct report *r, const struct hardware *h)
{
	struct papers_run run = {
		.hosts = 3, .threads = 1, .senders = 1, .window = 1, .count = REPEATS};
	double put[3], get[3], worst = 0, least = 1e9, small_put = 0, small_get = 0;

	print_figure(r, "p3_raw_1k", papers_raw(h, K) * 8 / 1e9);
	print_figure(r, "p3_raw_512k", papers_raw(h, 512 * K) * 8 / 1e9);
	for (run.size = K; run.size <= 512 * K; run.size *= 8) {
		for (run.hops = 1; run.hops <= 2; run.hops++) {
			run.hand = true;
			run.get = false;
			put[run.hops] = measure_us(r, h, &run);
			run.hand = false;
			run.get = true;
			get[run.hops] = measure_us(r, h, &run);
		}
		if (run.size == K) {
			small_put = put[1];
			small_get = get[1];
		}
		worst = fmax(worst, fabs(put[2] / put[1] - 1));
		least = fmin(least, get[2] / get[1]);
	}
	print_figure(r, "p3_put_hops", worst * 100);
	print_figure(r, "p3_get_hops", least);
	print_figure(r, "p3_barrier_put", papers_barrier(h, 3) / small_put);
	print_figure(r, "p3_barrier_get", papers_barrier(h, 3) / small_get);
}

/* Turn-around of puts, all hosts at once: by hosts, threads, size. */
static void
report_p4(struct report *r, const struct hardware *h)
{
	struct papers_run put = {.hosts = 2,
				 .threads = 1,
				 .senders = 1,
				 .window = 1,
				 .hops = 1,
				 .count = REPEATS,
				 .size = M,
				 .hand = true};
	double raw = papers_raw(h, M) / 1e6, rate = rate_of(M, measure_us(r, h, &put));
	double us[6][POOLS][SIZES], hosts4 = 0, hosts5 = 0, cut[POOLS] = {0};
	unsigned int n, p, s;

	print_figure(r, "p4_raw", raw);
	print_figure(r, "p4_put", rate);
	print_figure(r, "p4_share", rate / raw * 100);
	for (n = 3; n <= 5; n++)
		for (p = 0; p < POOLS; p++)
			for (s = 0; s < SIZES; s++) {
				const struct papers_run run = {.hosts = n,
							       .threads = pools[p],
							       .senders = n,
							       .window = WINDOW,
							       .count = COUNT,
							       .size = sizes[s]};

				us[n][p][s] = measure_us(r, h, &run);
			}
	for (s = 0; s < SIZES; s++) {
		for (p = 0; p < POOLS; p++) {
			hosts4 += (us[4][p][s] / us[3][p][s] - 1) * 100 / (SIZES * POOLS);
			hosts5 += (us[5][p][s] / us[4][p][s] - 1) * 100 / (SIZES * POOLS);
		}
		for (p = 1; p < POOLS; p++)
			for (n = 3; n <= 5; n++)
				cut[p] += (1 - us[n][p][s] / us[n][p - 1][s]) * 100 / (SIZES * 3);
	}
	print_figure(r, "p4_hosts4", hosts4);
	print_figure(r, "p4_hosts5", hosts5);
	print_figure(r, "p4_threads2", cut[1]);
	print_figure(r, "p4_threads4", cut[2]);
	print_figure(r, "p4_threads8", cut[3]);
}

static int
end_report(struct report *r)
{
	fputs("\n ]}\n", r->f);
	if (r->error < 0) {
		fprintf(stderr, "ringbell-sim: %s: %s\n", r->what, strerror(-r->error));
		return r->error;
	}
	return ferror(r->f) ? -EIO : 0;
}

int
experiments_papers(FILE *f, uint64_t seed)
{
	static const struct {
		const char *link;
		void (*report)(struct report *r, const struct hardware *h);
	} parts[] = {{"gen2x8", report_p2}, {"gen3x8-p3", report_p3}, {"gen3x8", report_p4}};
	struct report r = {.f = f};
	struct hardware_set set;
	struct hardware h;
	unsigned int i;

	fprintf(f,
		"{\"tool\": \"ringbell-sim\", \"experiment\": \"papers\", \"draw\": %" PRIu64
		",\n \"rows\": [",
		seed);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		hardware_load(&set, parts[i].link);
		h = hardware_draw(&set, seed);
		parts[i].report(&r, &h);
	}
	return end_report(&r);
}

/* A row of the comparison. */
struct row {
	const char *what;
	unsigned int hosts, hops, threads;
	uint64_t size;
};

static void
print_row(struct report *r, const struct row *row, double papers, double ours)
{
	fprintf(r->f,
		"%s\n  {\"what\": \"%s\", \"hosts\": %u, \"hops\": %u, \"size\": %" PRIu64
		", \"threads\": %u, \"papers_us\": %.6g, \"ringbell_us\": %.6g}",
		r->rows++ ? "," : "", row->what, row->hosts, row->hops, row->size, row->threads,
		papers, ours);
}

static double
play_scene(struct report *r, struct sim_params p, const struct scene *scene, unsigned int hosts)
{
	struct scene_row row = {0};
	const char *what;
	int error;

	p.hosts = hosts;
	error = scene_run(&p, scene, &row, &what);
	if (error < 0 && r->error == 0) {
		r->error = error;
		r->what = what;
	}
	return row.us;
}

/* As P4's turn-around: puts to all others in turn, and quiet after each WINDOW of them. */
static struct sim_op
turn_op(void *ctx, unsigned int host, uint64_t i)
{
	const struct row *row = ctx;
	uint64_t round = i / (WINDOW + 1), n = i % (WINDOW + 1);
	unsigned int step = 1 + (unsigned int)((round * WINDOW + n) % (row->hosts - 1));

	if (round == REPEATS)
		return (struct sim_op){.kind = SIM_END};
	if (n == WINDOW)
		return (struct sim_op){.kind = SIM_QUIET};
	return (struct sim_op){
		.kind = SIM_PUT, .peer = (host + step) % row->hosts, .len = row->size};
}

static double
play_turns(struct report *r, struct sim_params p, struct row *row)
{
	const struct sim_program program = {.op = turn_op, .ctx = row};
	struct sim_result result = {0};
	const char *what;
	int error;

	p.hosts = row->hosts;
	error = sim_run(&p, &program, &result, &what);
	if (error < 0 && r->error == 0) {
		r->error = error;
		r->what = what;
	}
	return (double)result.end / 1e6 / REPEATS;
}

static void
compare_transfers(struct report *r, const struct hardware *h, const struct sim_params *p)
{
	static const uint64_t some[] = {K, 4 * K, 64 * K, M};
	unsigned int get, hops, i;

	for (get = 0; get < 2; get++)
		for (hops = 1; hops <= 2; hops++)
			for (i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
				const struct row row = {get ? "get" : "put", 4, hops, 4, some[i]};
				const struct papers_run run = {.hosts = 4,
							       .threads = 4,
							       .senders = 1,
							       .window = 1,
							       .hops = hops,
							       .count = 1,
							       .size = some[i],
							       .get = get};
				const struct scene scene = {.id = get ? SCENE_GET : SCENE_PUT,
							    .hops = hops,
							    .size = some[i]};

				print_row(r, &row, measure_us(r, h, &run),
					  play_scene(r, *p, &scene, 4));
			}
}

static void
compare_barriers(struct report *r, const struct hardware *h, const struct sim_params *p)
{
	static const unsigned int hosts[] = {2, 3, 4, 5, 8, 16};
	const struct scene scene = {.id = SCENE_BARRIER, .messages = REPEATS};
	unsigned int i;

	for (i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		const struct row row = {"barrier", hosts[i], 0, 1, 0};

		print_row(r, &row, papers_barrier(h, hosts[i]),
			  play_scene(r, *p, &scene, hosts[i]));
	}
}

static void
compare_exchanges(struct report *r, const struct hardware *h, const struct sim_params *p)
{
	static const unsigned int hosts[] = {3, 5, 8};
	static const uint64_t some[] = {4 * K, 64 * K, M};
	unsigned int i, s;

	for (i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		for (s = 0; s < sizeof(some) / sizeof(some[0]); s++) {
			const struct row row = {"all-to-all", hosts[i], 0, 4, some[s]};
			const struct papers_run run = {.hosts = hosts[i],
						       .threads = 4,
						       .senders = hosts[i],
						       .window = hosts[i] - 1,
						       .count = hosts[i] - 1,
						       .size = some[s]};
			const struct scene scene = {.id = SCENE_ALLTOALL, .size = some[s]};
			struct papers_result result = {0};

			if (papers_run(h, &run, &result) < 0)
				r->error = -ENOMEM;
			print_row(r, &row, result.end, play_scene(r, *p, &scene, hosts[i]));
		}
}

static void
compare_turns(struct report *r, const struct hardware *h, const struct sim_params *p)
{
	static const uint64_t some[] = {4 * K, 64 * K, M};
	unsigned int hosts, t, s;

	for (hosts = 3; hosts <= 5; hosts += 2)
		for (s = 0; s < sizeof(some) / sizeof(some[0]); s++) {
			struct row row = {"turn-around", hosts, 0, 1, some[s]};
			double ours = play_turns(r, *p, &row);

			for (t = 0; t < 3; t++) {
				const struct papers_run run = {.hosts = hosts,
							       .threads = pools[t],
							       .senders = hosts,
							       .window = WINDOW,
							       .count = COUNT,
							       .size = some[s]};

				row.threads = pools[t];
				print_row(r, &row, measure_us(r, h, &run), ours);
			}
		}
}

int
experiments_compare(FILE *f, const struct hardware_set *set, uint64_t seed)
{
	struct hardware h = hardware_draw(set, seed);
	struct report r = {.f = f, .what = "memory"};
	struct sim_params p;

	sim_defaults(&p);
	hardware_apply(&h, &p);
	fprintf(f,
		"{\"tool\": \"ringbell-sim\", \"experiment\": \"compare\", \"draw\": %" PRIu64
		",\n \"rows\": [",
		seed);
	compare_transfers(&r, &h, &p);
	compare_barriers(&r, &h, &p);
	compare_exchanges(&r, &h, &p);
	compare_turns(&r, &h, &p);
	return end_report(&r);
}
