/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "top.h"

enum {
	OPT_ONCE = 256,
	OPT_JSON,
	OPT_METRICS,
	OPT_VERSION,
};

static const struct option longopts[] = {
	{"job", required_argument, NULL, 'j'},		 {"interval", required_argument, NULL, 'i'},
	{"once", no_argument, NULL, OPT_ONCE},		 {"json", no_argument, NULL, OPT_JSON},
	{"openmetrics", no_argument, NULL, OPT_METRICS}, {"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, OPT_VERSION},	 {NULL, 0, NULL, 0},
};

static void
print_usage(void)
{
	puts("Usage: ringbell-top [OPTION]...\n"
	     "\n"
	     "Show what a running job does: the ring with the bytes and messages that pass on "
	     "each\n"
	     "link, each way, what is relayed, how many frames are queued, and what each PE does.\n"
	     "The job must run on this machine, under oshrun --telemetry.\n"
	     "\n"
	     "  -j, --job ID       the job, by its first digits (default: the youngest)\n"
	     "  -i, --interval S   seconds between samples (default 1)\n"
	     "      --once         print one picture as text and exit\n"
	     "      --json         print one as JSON and exit\n"
	     "      --openmetrics  print the counters for Prometheus and exit\n"
	     "  -h, --help         this text\n"
	     "      --version      the version\n"
	     "\n"
	     "Keys: q quits, arrows and page keys move the tables.");
}

static double
parse_seconds(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || *end != '\0' || !isfinite(v) || v < 0.1 || v > 3600) {
		fprintf(stderr, "ringbell-top: --interval %s: must be seconds, 0.1 to 3600\n",
			text);
		exit(2);
	}
	return v;
}

static int
say_over(const struct top_job *job)
{
	fprintf(stderr, "ringbell-top: job %s is over\n", job->id);
	return -ENOTCONN;
}

static int
look_once(struct top_job *job)
{
	return top_sample(job) > 0 ? 0 : say_over(job);
}

/* Rates need two samples. */
static int
look_twice(struct top_job *job, double interval)
{
	struct timespec t = {.tv_sec = (time_t)interval,
			     .tv_nsec = (long)(fmod(interval, 1) * 1e9)};

	if (top_sample(job) > 0 && nanosleep(&t, NULL) == 0 && top_sample(job) > 0)
		return 0;
	return say_over(job);
}

int
main(int argc, char **argv)
{
	static struct top_job job; /* large */
	const char *id = NULL;
	double interval = 1;
	int c, once = 0, ret;

	while ((c = getopt_long(argc, argv, "j:i:h", longopts, NULL)) != -1) {
		if (c == 'j') {
			id = optarg;
		} else if (c == 'i') {
			interval = parse_seconds(optarg);
		} else if (c == OPT_ONCE || c == OPT_JSON || c == OPT_METRICS) {
			once = c;
		} else if (c == 'h') {
			print_usage();
			return 0;
		} else if (c == OPT_VERSION) {
			printf("ringbell-top (Ringbell) %s\n", RINGBELL_VERSION);
			return 0;
		} else {
			return 2;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "ringbell-top: %s: no arguments are known; see --help\n",
			argv[optind]);
		return 2;
	}
	if (top_find(&job, id) < 0)
		return 1;
	ret = once == OPT_ONCE || once == OPT_JSON ? look_twice(&job, interval) : 0;
	if (once == OPT_METRICS)
		ret = look_once(&job);
	if (ret == 0 && once == OPT_JSON)
		ret = top_json(&job);
	else if (ret == 0 && once == OPT_METRICS)
		ret = top_metrics(&job);
	else if (ret == 0 && once == OPT_ONCE)
		ret = top_print(&job);
	else if (ret == 0)
		ret = top_sample(&job) > 0 ? top_screen(&job, interval) : -ENOTCONN;
	return ret == 0 ? 0 : 1;
}
