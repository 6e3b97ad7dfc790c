/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * ringbell-sim: rings that are too large for one machine, by the rules of the runtime.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "experiments.h"
#include "help.h"
#include "output.h"
#include "study.h"

enum {
	OPT_LINK = 256,
	OPT_PAPERS,
	OPT_COMPARE,
	OPT_DRAW,
	OPT_SHOW,
	OPT_REPLAY,
	OPT_PLACE,
	OPT_CPU,
};

struct args {
	struct sim_params p;
	size_t hosts[CLI_SIZES_MAX], sizes[CLI_SIZES_MAX], hops[CLI_SIZES_MAX];
	unsigned int nhosts, nsizes, nhops;
	bool shapes[TOPO_SHAPES];
	long messages;
	const char *csv, *json;
	char **names;
	const char *link; /* of --link */
	int instead;	  /* of scenes: OPT_PAPERS .. OPT_PLACE; 0: none */
	struct study study;
	long draw;
	struct hardware_set hardware;
};

static const struct option options[] = {
	{"hosts", required_argument, NULL, 'n'},
	{"topology", required_argument, NULL, 't'},
	{"sizes", required_argument, NULL, 's'},
	{"hops", required_argument, NULL, 'k'},
	{"messages", required_argument, NULL, 'm'},
	{"bandwidth", required_argument, NULL, 'b'},
	{"latency", required_argument, NULL, 'L'},
	{"copy", required_argument, NULL, 'c'},
	{"posted", required_argument, NULL, 'p'},
	{"frame", required_argument, NULL, 'f'},
	{"turn", required_argument, NULL, 'u'},
	{"chunk", required_argument, NULL, 'K'},
	{"slots", required_argument, NULL, 'S'},
	{"cpus", required_argument, NULL, 'P'},
	{"wake", required_argument, NULL, 'w'},
	{"memory", no_argument, NULL, 'M'},
	{"enter", required_argument, NULL, 'e'},
	{"seed", required_argument, NULL, 'r'},
	{"json", required_argument, NULL, 'j'},
	{"csv", required_argument, NULL, 'C'},
	{"list", no_argument, NULL, 'l'},
	{"help", no_argument, NULL, 'h'},
	{"link", required_argument, NULL, OPT_LINK},
	{"show-link", no_argument, NULL, OPT_SHOW},
	{"papers", no_argument, NULL, OPT_PAPERS},
	{"compare", no_argument, NULL, OPT_COMPARE},
	{"draw", required_argument, NULL, OPT_DRAW},
	{"replay", required_argument, NULL, OPT_REPLAY},
	{"cpu", required_argument, NULL, OPT_CPU},
	{"place", required_argument, NULL, OPT_PLACE},
	{NULL, 0, NULL, 0},
};

static bool
parse_number(const char *text, long min, long max, long *ret)
{
	return cli_number(text, (double)min, (double)max, true, ret);
}

static bool
parse_list(const char *text, size_t values[CLI_SIZES_MAX], unsigned int *n, size_t max)
{
	struct cli_sizes list;
	unsigned int i;

	if (!cli_list(text, &list))
		return false;
	*n = list.n;
	memcpy(values, list.v, list.n * sizeof(*values));
	for (i = 0; i < *n; i++)
		if (values[i] > max)
			return false;
	return *n > 0;
}

static bool
set_shape(struct args *a, const char *name)
{
	bool known = false;
	unsigned int i;

	for (i = 0; i < TOPO_SHAPES; i++) {
		if (strcmp(name, "all") != 0 && strcmp(name, topo_names[i]) != 0)
			continue;
		a->shapes[i] = true;
		known = true;
	}
	return known;
}

static bool
set_model(struct sim_params *p, int c, const char *value)
{
	long max = c == 'b' || c == 'c' ? 1000000 : c == 'S' ? 1 << 20 : c == 'e' ? 2 : 1 << 30;
	long v, min = strchr("bcKSe", c) ? 1 : 0;

	if (!parse_number(value, min, max, &v))
		return false;
	switch (c) {
	case 'b':
		p->bandwidth = (double)v * 1e6;
		return true;
	case 'c':
		p->copy = (double)v * 1e6;
		return true;
	case 'L':
		p->latency = (uint64_t)v * SIM_NS;
		return true;
	case 'p':
		p->posted = (uint32_t)v;
		return true;
	case 'f':
		p->frame = (uint64_t)v * SIM_NS;
		return true;
	case 'u':
		p->turn = (uint64_t)v * SIM_NS;
		return true;
	case 'w':
		p->wake = (uint64_t)v * SIM_NS;
		return true;
	case 'K':
		p->chunk = (uint32_t)v;
		return true;
	case 'S':
		p->slots = (uint32_t)v;
		return v >= 2 && (v & (v - 1)) == 0;
	case 'P':
		p->cpus = (unsigned int)v;
		return v <= SIM_MAX_HOSTS;
	case 'e':
		p->enter = (uint32_t)v;
		return true;
	case 'r':
		p->seed = (uint64_t)v;
		return true;
	}
	return false;
}

static bool
parse_factor(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	return end != text && *end == '\0' && *ret >= 0.01 && *ret <= 1000;
}

/* hardware_load() has said what is wrong */
static bool
set_link(struct args *a, const char *name)
{
	a->link = name;
	a->study.own_ring = strcmp(name, "trace") == 0;
	if (a->study.own_ring)
		return true;
	if (hardware_load(&a->hardware, name) < 0)
		exit(2);
	hardware_apply(&a->hardware.value, &a->p);
	return true;
}

static bool
set_option(struct args *a, int c, const char *value)
{
	switch (c) {
	case OPT_LINK:
		return set_link(a, value);
	case OPT_PAPERS:
	case OPT_COMPARE:
	case OPT_SHOW:
	case OPT_REPLAY:
	case OPT_PLACE:
		if (a->instead)
			return false;
		a->instead = c;
		a->study.file = value;
		return true;
	case OPT_CPU:
		return parse_factor(value, &a->study.cpu);
	case OPT_DRAW:
		return parse_number(value, 0, 1 << 30, &a->draw);
	case 'n':
		return parse_list(value, a->hosts, &a->nhosts, SIM_MAX_HOSTS);
	case 's':
		return parse_list(value, a->sizes, &a->nsizes, 1ul << 32);
	case 'k':
		return parse_list(value, a->hops, &a->nhops, SIM_MAX_HOSTS / 2);
	case 't':
		return set_shape(a, value);
	case 'm':
		return parse_number(value, 1, 1 << 20, &a->messages);
	case 'M':
		a->p.memory = true;
		a->p.pieces = false;
		return true;
	case 'j':
		a->json = value;
		return true;
	case 'C':
		a->csv = value;
		return true;
	}
	return set_model(&a->p, c, value);
}

static bool
is_known(char *name)
{
	char *const patterns[] = {name, NULL};
	unsigned int i;

	for (i = 0; i < SCENES; i++)
		if (cli_match(patterns, scene_infos[i].name))
			return true;
	return false;
}

static void
say_bad_value(int c)
{
	unsigned int i;

	for (i = 0; options[i].name && options[i].val != c; i++)
		;
	if (optarg)
		fprintf(stderr, "ringbell-sim: bad value '%s' for --%s\n", optarg, options[i].name);
	else
		fprintf(stderr, "ringbell-sim: --%s is one too many\n", options[i].name);
}

/* Options that do not go together. */
static bool
are_consistent(const struct args *a)
{
	const char *wrong = NULL;

	if (a->study.cpu != 0 && a->instead != OPT_REPLAY)
		wrong = "--cpu goes with --replay";
	else if (a->study.own_ring && a->instead != OPT_REPLAY)
		wrong = "--link trace goes with --replay";
	else if (a->instead == OPT_REPLAY && a->nhosts > 1)
		wrong = "--replay takes one number of --hosts";
	else if (a->draw && a->instead != OPT_PAPERS && a->instead != OPT_COMPARE)
		wrong = "--draw goes with --papers or --compare";
	else if (a->link && a->instead == OPT_PAPERS)
		wrong = "--papers has a link for each paper";
	else if (a->instead && *a->names)
		wrong = "a scene goes with none of --papers, --compare, --show-link, --replay, "
			"--place";
	if (wrong)
		fprintf(stderr, "ringbell-sim: %s\n", wrong);
	return !wrong;
}

/** @return 0; else the exit status plus one */
static int
read_args(struct args *a, int argc, char **argv)
{
	unsigned int i;
	int c;

	*a = (struct args){.messages = 16};
	sim_defaults(&a->p);
	hardware_load(&a->hardware, "gen3x8");
	parse_list("64K", a->sizes, &a->nsizes, 1ul << 32);
	parse_list("1,2", a->hops, &a->nhops, SIM_MAX_HOSTS);
	while ((c = getopt_long(argc, argv, "n:t:s:k:m:b:L:c:p:f:u:K:S:P:w:Me:r:j:C:lh", options,
				NULL)) >= 0) {
		if (c == 'h') {
			fputs(help_text, stdout);
			return 1;
		}
		if (c == 'l') {
			for (i = 0; i < SCENES; i++)
				printf("%-10s %s\n", scene_infos[i].name, scene_infos[i].title);
			return 1;
		}
		if (c == '?' || !set_option(a, c, optarg)) {
			if (c != '?')
				say_bad_value(c);
			fputs("Try: ringbell-sim --help\n", stderr);
			return 3;
		}
	}
	a->study.hosts = a->nhosts ? (unsigned int)a->hosts[0] : 0;
	if (a->nhosts == 0 && !a->instead)
		parse_list("4,8,16,32,64", a->hosts, &a->nhosts, SIM_MAX_HOSTS);
	for (a->names = argv + optind; argv[optind]; optind++) {
		if (is_known(argv[optind]))
			continue;
		fprintf(stderr, "ringbell-sim: no scene '%s'; --list shows them\n", argv[optind]);
		return 3;
	}
	for (i = 0; i < TOPO_SHAPES && !a->shapes[i]; i++)
		;
	a->shapes[TOPO_RING] |= i == TOPO_SHAPES;
	return are_consistent(a) ? 0 : 3;
}

/* What is not a table of scenes. */
static int
run_instead(struct args *a)
{
	FILE *f = stdout;
	int ret = 0;

	a->study.json = a->json;

	if (a->json && strcmp(a->json, "-") != 0) {
		f = fopen(a->json, "w");
		if (!f) {
			fprintf(stderr, "ringbell-sim: cannot write %s: %s\n", a->json,
				strerror(errno));
			return -errno;
		}
	}
	if (a->instead == OPT_PAPERS)
		ret = experiments_papers(f, (uint64_t)a->draw);
	else if (a->instead == OPT_COMPARE)
		ret = experiments_compare(f, &a->hardware, (uint64_t)a->draw);
	else if (a->instead == OPT_REPLAY)
		ret = study_replay(f, &a->study, &a->p);
	else if (a->instead == OPT_PLACE)
		ret = study_place(f, &a->study);
	else
		hardware_print(f, &a->hardware);
	if (fflush(f) != 0 || ferror(f)) {
		fprintf(stderr, "ringbell-sim: cannot write the results\n");
		ret = -EIO;
	}
	if (f != stdout)
		fclose(f);
	return ret;
}

static int
run_one(struct output *o, const struct sim_params *p, const struct scene *sc)
{
	struct scene_row row;
	const char *what;
	int ret;

	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s %s %u\r", scene_infos[sc->id].name,
			topo_names[p->shape], p->hosts);
	ret = scene_run(p, sc, &row, &what);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (ret < 0) {
		fprintf(stderr, "ringbell-sim: %s on a %s of %u hosts: %s: %s\n",
			scene_infos[sc->id].name, topo_names[p->shape], p->hosts, strerror(-ret),
			what);
		return ret;
	}
	output_row(o, p, sc, &row);
	return 0;
}

/* Run a scene with all sizes and distances that fit the shape. */
static int
run_scene(struct output *o, const struct args *a, const struct sim_params *p, enum scene_id id)
{
	const struct scene_info *info = &scene_infos[id];
	unsigned int k, s;
	int ret = 0;

	for (k = 0; k < (info->by_hops ? a->nhops : 1) && ret == 0; k++) {
		if (info->by_hops && scene_target(p, id, (unsigned int)a->hops[k]) == 0)
			continue;
		for (s = 0; s < (info->sized ? a->nsizes : 1) && ret == 0; s++) {
			const struct scene sc = {
				.id = id,
				.hops = info->by_hops ? (unsigned int)a->hops[k] : 0,
				.size = info->sized ? a->sizes[s] : 0,
				.messages = (unsigned int)a->messages,
			};

			ret = run_one(o, p, &sc);
		}
	}
	return ret;
}

static int
run_all(struct output *o, struct args *a)
{
	struct topo topo;
	unsigned int id, shape, h;
	int ret = 0;

	for (id = 0; id < SCENES; id++) {
		if (!cli_match(a->names, scene_infos[id].name))
			continue;
		for (shape = 0; shape < TOPO_SHAPES; shape++) {
			for (h = 0; h < a->nhosts && a->shapes[shape] && ret == 0; h++) {
				a->p.shape = shape;
				a->p.hosts = (unsigned int)a->hosts[h];
				if (topo_init(&topo, shape, a->p.hosts) == 0 &&
				    (a->p.hosts > 1 || id == SCENE_BARRIER))
					ret = run_scene(o, a, &a->p, id);
			}
		}
	}
	return ret;
}

int
main(int argc, char **argv)
{
	struct output out;
	struct args args;
	int ret;

	ret = read_args(&args, argc, argv);
	if (ret)
		return ret - 1;
	if (args.instead)
		return run_instead(&args) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	if (output_open(&out, args.csv, args.json) < 0)
		return EXIT_FAILURE;
	output_settings(&out, &args.p);
	ret = run_all(&out, &args);
	return output_close(&out) < 0 || ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
