/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * ringbell-sim: rings that are too large for one machine, by the rules of the runtime.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "hardware.h"
#include "output.h"
#include "predict.h"

enum {
	WIRINGS = 16,
};

struct args {
	struct sim_params p;
	struct cli_sizes hosts, sizes, hops;
	const char *wiring[WIRINGS];
	unsigned int wirings;
	long messages;
	/* in place of the link's; -1: not given */
	long bandwidth, latency, copy, posted, chunk, enter, seed;
	bool list, show;
	const char *json;
	char **names;
	struct hardware hardware;
	struct predict replay; /* instead of scenes */
};

static const char *
add_wiring(void *args, const char *words)
{
	struct args *a = args;

	if (a->wirings == WIRINGS)
		return "16 wirings at most";
	a->wiring[a->wirings++] = words;
	return NULL;
}

static const char *
set_link(void *args, const char *name)
{
	struct args *a = args;

	a->replay.own_ring = strcmp(name, "trace") == 0;
	if (a->replay.own_ring)
		return NULL;
	if (!hardware_find(&a->hardware, name))
		return "gen2x8, gen3x8, gen4x16, 10gbe, 100gbe, pool, or trace with --replay";
	hardware_apply(&a->hardware, &a->p);
	return NULL;
}

#define AT(member) .at = offsetof(struct args, member)

static const struct cli_option options[] = {
	{"hosts", 'n', CLI_SIZES, "LIST", NULL, "hosts (default 4,8,16,32,64)", AT(hosts)},
	{"wiring", 'W', CLI_READ, "WORDS", NULL,
	 "ring (default), chain, double, mesh, torus=XxY, or cables such as "
	 "\"0-1 1-2 2-0\"; may be repeated",
	 .read = add_wiring},
	{"sizes", 's', CLI_SIZES, "LIST", "64K", "bytes of a put or get", AT(sizes)},
	{"hops", 'k', CLI_SIZES, "LIST", "1,2", "hops of a single put or get", AT(hops)},
	{"messages", 'm', CLI_SIZE, "N", "16", "messages of each host, or barriers", AT(messages),
	 1, 1 << 20},
	{"bandwidth", 'b', CLI_NUMBER, "MB/S", NULL,
	 "payload of a link in one direction (default 6600)", AT(bandwidth), 1, 1000000},
	{"latency", 'L', CLI_NUMBER, "NS", NULL,
	 "time from a store until it is visible at the peer (default 800)", AT(latency), 0,
	 1 << 30},
	{"copy", 'c', CLI_NUMBER, "MB/S", NULL, "speed at which a core copies (default 10000)",
	 AT(copy), 1, 1000000},
	{"posted", 'p', CLI_SIZE, "BYTES", NULL,
	 "bytes that a core may be ahead of its link (default 4K); with copy engines more",
	 AT(posted), 0, 1 << 30},
	{"chunk", 'K', CLI_SIZE, "BYTES", NULL, "payload of a slot (default 128K)", AT(chunk), 1,
	 1 << 30},
	{"enter", 'e', CLI_NUMBER, "N", NULL,
	 "free slots needed to enter a ring (default 0: as many as the fair rules say); 2: without "
	 "them, 1 shows the deadlock",
	 AT(enter), 0, 2},
	{"seed", 'r', CLI_NUMBER, "N", NULL, "seed of the random choices (default 1)", AT(seed), 0,
	 1 << 30},
	{"link", '\0', CLI_READ, "NAME", NULL,
	 "hardware: gen2x8, gen3x8, gen4x16, 10gbe, 100gbe, pool; options beside it change single "
	 "values",
	 .read = set_link},
	{"show-link", '\0', CLI_FLAG, NULL, NULL, "print its parameters and their sources",
	 AT(show)},
	{"replay", '\0', CLI_TEXT, "FILE", NULL,
	 "the program of a trace of oshrun, with --hosts and --link; --link trace is the ring "
	 "where "
	 "it was made",
	 AT(replay.file)},
	{"cpu", '\0', CLI_REAL, "F", NULL, "with --replay: processors that compute F times as fast",
	 AT(replay.cpu), 0.01, 1000},
	{"json", 'j', CLI_TEXT, "FILE", NULL, "write JSON; - is standard output, and then no table",
	 AT(json)},
	{"list", 'l', CLI_FLAG, NULL, NULL, "print the names and titles of the scenes", AT(list)},
	{0},
};

static const struct cli line = {
	.usage = "[OPTION]... [SCENE]...",
	.about = "Model graphs of hosts that are too large for this machine: links of a bandwidth "
		 "and a\n"
		 "latency, and the routing, slots, credits, acknowledgements and barriers of the "
		 "runtime.\n"
		 "SCENE is a name of --list or a pattern; without one all are run.\n",
	.options = options,
	.end = "Examples:\n"
	       "  ringbell-sim -n 16 -k 1,2,4,8 -s 1M put\n"
	       "  ringbell-sim -n 9,16 -W ring -W torus=3x3 -W torus=4x4 uniform barrier\n",
};

/* What was given decides, whatever --link says. */
static void
apply_model(const struct args *a, struct sim_params *p)
{
	if (a->bandwidth >= 0)
		p->bandwidth = (double)a->bandwidth * 1e6;
	if (a->copy >= 0)
		p->copy = (double)a->copy * 1e6;
	if (a->latency >= 0)
		p->latency = (uint64_t)a->latency * SIM_NS;
	if (a->posted >= 0)
		p->posted = (uint32_t)a->posted;
	if (a->chunk >= 0)
		p->chunk = (uint32_t)a->chunk;
	if (a->enter >= 0)
		p->enter = (uint32_t)a->enter;
	if (a->seed >= 0)
		p->seed = (uint64_t)a->seed;
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

/* @return NULL, or which options do not go together */
static const char *
find_conflict(const struct args *a)
{
	if (a->replay.file && *a->names)
		return "--replay takes no scene";
	if (a->replay.cpu != 0 && !a->replay.file)
		return "--cpu goes with --replay";
	if (a->replay.own_ring && !a->replay.file)
		return "--link trace goes with --replay";
	if (a->replay.file && a->hosts.n > 1)
		return "--replay takes one number of --hosts";
	if (a->wirings && a->replay.file)
		return "--wiring goes with scenes";
	return NULL;
}

static void
limit_list(const char *option, const struct cli_sizes *list, size_t most)
{
	unsigned int i;

	for (i = 0; i < list->n; i++)
		if (list->v[i] > most)
			cli_fail(CLI_USAGE, "--%s %zu: %zu at most", option, list->v[i], most);
}

/* Is there a number of --hosts for which these words make a graph? */
static bool
fits_some(struct args *a, const char *wiring, const char **why)
{
	struct rb_graph graph;
	unsigned int h;

	a->p.wiring = wiring;
	for (h = 0; h < a->hosts.n; h++) {
		a->p.hosts = (unsigned int)a->hosts.v[h];
		if (sim_wire(&a->p, &graph, why) == 0)
			return true;
	}
	return false;
}

/* What is asked for in place of a run. */
static void
print_known(const struct args *a)
{
	unsigned int i;

	for (i = 0; a->list && i < SCENES; i++)
		printf("%-10s %s\n", scene_infos[i].name, scene_infos[i].title);
	if (a->show)
		hardware_print(stdout, &a->hardware);
	if (a->list || a->show)
		exit(fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void
read_args(struct args *a, int argc, char **argv)
{
	const char *why = NULL;
	unsigned int i;
	int first;

	*a = (struct args){.bandwidth = -1,
			   .latency = -1,
			   .copy = -1,
			   .posted = -1,
			   .chunk = -1,
			   .enter = -1,
			   .seed = -1};
	sim_defaults(&a->p);
	hardware_find(&a->hardware, "gen3x8");
	first = cli_read_or_exit(&line, a, argc, argv);
	print_known(a);
	limit_list("hosts", &a->hosts, RB_MAX_HOSTS);
	limit_list("hops", &a->hops, RB_MAX_HOSTS);
	a->replay.hosts = a->hosts.n ? (unsigned int)a->hosts.v[0] : 0;
	for (a->names = argv + first; argv[first]; first++)
		if (!is_known(argv[first]))
			cli_fail(CLI_USAGE, "no scene '%s'; --list shows them", argv[first]);
	if (find_conflict(a) != NULL)
		cli_fail(CLI_USAGE, "%s", find_conflict(a));
	if (a->hosts.n == 0)
		cli_list("4,8,16,32,64", &a->hosts);
	apply_model(a, &a->p);
	if (a->wirings == 0)
		add_wiring(a, "ring");
	for (i = 0; i < a->wirings; i++)
		if (!fits_some(a, a->wiring[i], &why))
			cli_fail(CLI_USAGE, "--wiring %s: %s", a->wiring[i], why);
}

static int
run_replay(struct args *a)
{
	FILE *f = stdout;
	int ret;

	a->replay.json = a->json;
	if (a->json && strcmp(a->json, "-") != 0) {
		f = fopen(a->json, "w");
		if (!f) {
			cli_say("cannot write %s: %s", a->json, strerror(errno));
			return -EIO;
		}
	}
	ret = predict_trace(f, &a->replay, &a->p);
	if (fflush(f) != 0 || ferror(f)) {
		cli_say("cannot write the results");
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
		fprintf(stderr, "\r\033[K%s %s %u\r", scene_infos[sc->id].name, p->wiring,
			p->hosts);
	ret = scene_run(p, sc, &row, &what);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (ret < 0) {
		cli_say("%s, %s of %u hosts: %s: %s", scene_infos[sc->id].name, p->wiring, p->hosts,
			strerror(-ret), what);
		return ret;
	}
	output_row(o, p, sc, &row);
	return 0;
}

/* Run a scene with all sizes and distances that fit the wiring. */
static int
run_scene(struct output *o, const struct args *a, const struct sim_params *p, enum scene_id id)
{
	const struct scene_info *info = &scene_infos[id];
	unsigned int k, s;
	int ret = 0;

	for (k = 0; k < (info->by_hops ? a->hops.n : 1) && ret == 0; k++) {
		if (info->by_hops && scene_target(p, (unsigned int)a->hops.v[k]) == 0)
			continue;
		for (s = 0; s < (info->sized ? a->sizes.n : 1) && ret == 0; s++) {
			const struct scene sc = {
				.id = id,
				.hops = info->by_hops ? (unsigned int)a->hops.v[k] : 0,
				.size = info->sized ? a->sizes.v[s] : 0,
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
	struct rb_graph graph;
	unsigned int id, w, h;
	const char *why;
	int ret = 0;

	for (id = 0; id < SCENES; id++) {
		if (!cli_match(a->names, scene_infos[id].name))
			continue;
		for (w = 0; w < a->wirings; w++) {
			for (h = 0; h < a->hosts.n && ret == 0; h++) {
				a->p.wiring = a->wiring[w];
				a->p.hosts = (unsigned int)a->hosts.v[h];
				if (sim_wire(&a->p, &graph, &why) == 0 &&
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

	read_args(&args, argc, argv);
	if (args.replay.file)
		return run_replay(&args) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	if (output_open(&out, args.json) < 0)
		return EXIT_FAILURE;
	output_settings(&out, &args.p);
	ret = run_all(&out, &args);
	return output_close(&out) < 0 || ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
