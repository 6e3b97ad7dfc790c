/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * shmem-perf --tune: by which method a put or get is copied fastest, by size, for this machine and
 * the target's distance. Each method is forced on the library in turn, and the lines that say from
 * which size on it wins go to a file that the library reads at its next start.
 */
#include <shmem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef PERF_WINDOW
#include <shmemx.h>
#endif

#include "perf.h"

enum {
	SIZES = 12,	      /* from FIRST on, each twice as much */
	FIRST = 8 << 10,      /* shorter puts within reach have only one method */
	COLD_AREA = 64 << 20, /* more than most caches hold */
	ROUNDS = 7,
	LINE = 128,
};

/* A method must win by this factor at a size and at all larger ones; otherwise the present one
 * stays. */
#define BETTER 0.95

#ifdef PERF_WINDOW

static const char *const bufs[] = {"heap", "static"};
static const char *const warmths[] = {"warm", "cold"};

/* A measurement: one line of the file. */
struct row {
	const char *op;
	const char *dist;
	int buf;
	int cold;
	const char *method;
};

static void
force_method(const struct row *r, const char *size)
{
	char line[LINE];

	snprintf(line, sizeof(line), "%s %s %s * %s %s", r->op, r->dist, bufs[r->buf], r->method,
		 size);
	if (shmemx_tune(line) != 0)
		shmem_global_exit(1);
}

static double
time_once(const struct perf *p, const struct row *r, const char *area, size_t size)
{
	static size_t at;
	double start;

	at = r->cold && at + 2 * size <= COLD_AREA ? at + size : 0;
	start = perf_now();
	if (r->op[0] == 'p')
		shmem_putmem(p->dst, area + at, size, p->target);
	else
		shmem_getmem(p->src, p->dst, size, p->target);
	shmem_quiet();
	return perf_now() - start;
}

/* Shortest of some rounds, in turns with memcpy: other load lengthens both. */
static bool
method_wins(const struct perf *p, const struct row *r, const char *area, size_t size)
{
	double best[2] = {1e9, 1e9}, t;
	int i, way;

	for (i = 0; i < 2 * ROUNDS; i++) {
		way = i % 2;
		force_method(r, way ? "0" : "never");
		t = time_once(p, r, area, size);
		if (t < best[way])
			best[way] = t;
	}
	force_method(r, "never");
	return best[1] < best[0] * BETTER;
}

static void
write_row(FILE *f, const struct perf *p, const struct row *r, const char *area, size_t most)
{
	size_t size, from = 0;
	int i;

	for (i = 0, size = FIRST; i < SIZES && size <= most; i++, size *= 2) {
		if (!method_wins(p, r, area, size))
			from = 0;
		else if (from == 0)
			from = size;
	}
	fprintf(f, "%s %s %s %s %s ", r->op, r->dist, bufs[r->buf], warmths[r->cold], r->method);
	if (from == 0)
		fputs("never\n", f);
	else
		fprintf(f, "%zuK\n", from >> 10);
	printf("%s %s %s %s %-8s%s\n", r->op, r->dist, bufs[r->buf], warmths[r->cold], r->method,
	       from == 0 ? " never" : " wins");
	fflush(stdout);
}

/* A load through a bridge takes a microsecond for each line; through memory all of this takes one.
 */
static const char *
distance_of(const struct perf *p, void *page)
{
	static char sink[PERF_PAGE];
	double start;
	char *window;

	if (shmem_ptr(page, p->target))
		return "host";
	window = perf_bare(page, p->target);
	if (!window)
		return "far";
	start = perf_now();
	memcpy(sink, window, sizeof(sink));
	return perf_now() - start < 20e-6 ? "window" : "bridge";
}

static void
measure_rows(FILE *f, struct perf *p, void *page, char *const bufs_at[2][2], const char *area,
	     const size_t most[2])
{
	static const char *const methods[] = {"nt", "dma", NULL};
	struct row r = {.op = "put", .dist = distance_of(p, page)};
	const char *const *m;

	for (r.buf = 0; r.buf < 2; r.buf++) {
		p->src = bufs_at[r.buf][0];
		p->dst = bufs_at[r.buf][1];
		for (r.cold = 0; r.cold < 2; r.cold++) {
			for (m = methods; *m; m++) {
				r.method = *m;
				r.op = "put";
				if (strcmp(*m, "dma") != 0 || getenv("RINGBELL_DMA"))
					write_row(f, p, &r, area, most[r.buf]);
			}
			r.op = "get";
			r.method = "request";
			if (strcmp(r.dist, "window") == 0 || strcmp(r.dist, "bridge") == 0)
				write_row(f, p, &r, area, most[r.buf]);
		}
	}
}

/* The place where the library looks first. */
static const char *
standard_file(char *path, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	size_t end;

	if (config && *config)
		snprintf(path, size, "%s/ringbell", config);
	else
		snprintf(path, size, "%s/.config/ringbell", home ? home : "");
	for (end = 1; path[end - 1]; end++) {
		if (path[end] != '/' && path[end])
			continue;
		char was = path[end];

		path[end] = '\0';
		mkdir(path, 0777);
		path[end] = was;
		if (!was)
			break;
	}
	strncat(path, "/tune", size - strlen(path) - 1);
	return path;
}

/* Replace the file as a whole: jobs that start meanwhile read it. */
int
perf_tune(struct perf *p, const char *file, void *page, char *const bufs_at[2][2],
	  const size_t most[2])
{
	char standard[512], part[544], host[64] = "";
	char *area = NULL;
	FILE *f;

	shmem_barrier_all();
	if (p->me != 0)
		return 0;
	if (!*file)
		file = standard_file(standard, sizeof(standard));
	snprintf(part, sizeof(part), "%s.part", file);
	area = malloc(COLD_AREA);
	f = area ? fopen(part, "w") : NULL;
	if (!f) {
		fprintf(stderr, "shmem-perf: %s: %s\n", part, strerror(errno));
		free(area);
		return 1;
	}
	memset(area, 1, COLD_AREA);
	gethostname(host, sizeof(host) - 1);
	fprintf(f, "ringbell-tune 1\nmachine %s\n# by shmem-perf --tune\n", host);
	measure_rows(f, p, page, bufs_at, area, most);
	free(area);
	if (fclose(f) != 0 || rename(part, file) < 0) {
		fprintf(stderr, "shmem-perf: %s: %s\n", file, strerror(errno));
		return 1;
	}
	printf("%s written\n", file);
	return 0;
}

#else

int
perf_tune(struct perf *p, const char *file, void *page, char *const bufs_at[2][2],
	  const size_t most[2])
{
	(void)file;
	(void)page;
	(void)bufs_at;
	(void)most;
	if (p->me == 0)
		fprintf(stderr, "shmem-perf: --tune: this library has no copy methods to tune\n");
	return 1;
}

#endif
