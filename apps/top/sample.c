/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "base/run_dir.h"
#include "top.h"

#define SOCKET "/dpdk_telemetry.v2"

/* DIR/dpdk/ringbell-JOB-HOST/dpdk_telemetry.v2; a host without a job is one by itself. */
static void
job_of(const char *path, char id[TOP_NAME])
{
	const char *name = strstr(path, "/dpdk/ringbell-");
	size_t len;

	id[0] = '\0';
	if (name == NULL)
		return;
	name += strlen("/dpdk/ringbell-");
	len = strcspn(name, "-/");
	snprintf(id, TOP_NAME, "%.*s", (int)(len < TOP_NAME - 1 ? len : TOP_NAME - 1), name);
}

/* A host that answers, and is one of this job. */
static void
add_host(struct top_job *job, const char *path)
{
	int fd = top_connect(path), host;
	json_t *info;
	uint64_t hosts, pes;

	if (fd < 0)
		return;
	info = top_ask(fd, "/ringbell/info");
	hosts = top_u64(info, "hosts");
	pes = top_u64(info, "pes");
	host = (int)(top_u64(info, "host") % TOP_HOSTS);
	json_decref(info);
	if (hosts < 1 || hosts > TOP_HOSTS || pes < 1 || pes > TOP_PES || host >= (int)hosts ||
	    job->now.host[host].fd >= 0) {
		close(fd);
		return;
	}
	job->hosts = (int)hosts;
	job->pes = (int)pes;
	job->now.host[host].fd = fd;
}

static void
youngest_job(const glob_t *g, char id[TOP_NAME])
{
	struct timespec best = {0};
	struct stat st;
	size_t i;

	for (i = 0; i < g->gl_pathc; i++) {
		if (stat(g->gl_pathv[i], &st) != 0 || st.st_mtim.tv_sec < best.tv_sec ||
		    (st.st_mtim.tv_sec == best.tv_sec && st.st_mtim.tv_nsec <= best.tv_nsec))
			continue;
		best = st.st_mtim;
		job_of(g->gl_pathv[i], id);
	}
}

int
top_find(struct top_job *job, const char *id)
{
	char dir[400], pattern[512], of[TOP_NAME];
	int ours = rb_run_dir(dir, sizeof(dir));
	glob_t g;
	size_t i;

	for (i = 0; i < TOP_HOSTS; i++)
		job->now.host[i].fd = -1;
	snprintf(pattern, sizeof(pattern), "%s/dpdk/ringbell-*" SOCKET, dir);
	if (rb_run_dir_check(dir, ours) < 0 || glob(pattern, 0, NULL, &g) != 0) {
		fprintf(stderr, "ringbell-top: no job with telemetry runs here; start it with "
				"oshrun --telemetry\n");
		return -ENOENT;
	}
	if (id != NULL)
		snprintf(job->id, sizeof(job->id), "%s", id);
	else
		youngest_job(&g, job->id);
	for (i = 0; i < g.gl_pathc; i++) {
		job_of(g.gl_pathv[i], of);
		if (strcmp(of, job->id) == 0)
			add_host(job, g.gl_pathv[i]);
	}
	globfree(&g);
	if (job->hosts == 0) {
		fprintf(stderr, "ringbell-top: job %s does not answer\n", job->id);
		return -ENOENT;
	}
	return 0;
}

static void
sample_link(int fd, const char *side, struct top_link *l)
{
	char command[TOP_NAME];
	json_t *d;

	*l = (struct top_link){.there = false};
	snprintf(command, sizeof(command), "/ringbell/link,%s", side);
	d = top_ask(fd, command);
	if (json_is_object(d))
		*l = (struct top_link){
			.there = true,
			.up = top_u64(d, "up") != 0,
			.lost = top_u64(d, "lost") != 0,
			.bytes = top_u64(d, "tx_frame_bytes") + top_u64(d, "store_bytes") +
				 top_u64(d, "relay_store_bytes"),
			.messages = top_u64(d, "tx_frames") + top_u64(d, "stores") +
				    top_u64(d, "relay_stores"),
			.load_bytes = top_u64(d, "load_bytes"),
			.loads = top_u64(d, "loads"),
			.relayed = top_u64(d, "forwarded_bytes"),
			.stored = top_u64(d, "relay_store_bytes"),
			.queued = top_u64(d, "queued_frames"),
			.retries = top_u64(d, "retries"),
			.dropped = top_u64(d, "dropped"),
		};
	json_decref(d);
}

static uint64_t
sample_loss(const struct top_host *h)
{
	uint64_t ns;
	json_t *d;

	if (!h->link[TOP_LEFT].lost && !h->link[TOP_RIGHT].lost)
		return 0;
	d = top_ask(h->fd, "/ringbell/loss");
	ns = top_u64(d, "lost_ns");
	json_decref(d);
	return ns;
}

/* Characters that a terminal may get. */
static void
copy_text(char *to, size_t len, const char *from)
{
	size_t i = 0;

	for (; from != NULL && i + 1 < len && from[i] >= ' ' && from[i] <= '~'; i++)
		to[i] = from[i];
	to[i] = '\0';
}

static void
sample_pe(struct top_job *job, int host, int pe)
{
	struct top_pe *p = &job->now.pe[pe];
	char command[TOP_NAME];
	json_t *d;

	snprintf(command, sizeof(command), "/ringbell/pe,%d", pe);
	d = top_ask(job->now.host[host].fd, command);
	p->there = json_is_object(d);
	p->host = host;
	p->puts = top_u64(d, "puts");
	p->put_bytes = top_u64(d, "put_bytes");
	p->gets = top_u64(d, "gets");
	p->get_bytes = top_u64(d, "get_bytes");
	p->atomics = top_u64(d, "atomics");
	p->barriers = top_u64(d, "barriers");
	p->wait_ns = top_u64(d, "wait_ns");
	copy_text(p->state, sizeof(p->state), json_string_value(json_object_get(d, "state")));
	copy_text(p->call, sizeof(p->call), json_string_value(json_object_get(d, "blocked_in")));
	copy_text(p->whom, sizeof(p->whom), json_string_value(json_object_get(d, "blocked_for")));
	p->blocked_ns = top_u64(d, "blocked_ns");
	json_decref(d);
}

static bool
sample_host(struct top_job *job, int host)
{
	struct top_host *h = &job->now.host[host];
	json_t *pes = top_ask(h->fd, "/ringbell/pes");
	size_t i;

	if (!json_is_array(pes)) {
		close(h->fd);
		h->fd = -1;
		json_decref(pes);
		return false;
	}
	for (i = 0; i < json_array_size(pes); i++) {
		json_int_t pe = json_integer_value(json_array_get(pes, i));

		if (pe >= 0 && pe < job->pes)
			sample_pe(job, host, (int)pe);
	}
	json_decref(pes);
	sample_link(h->fd, "left", &h->link[TOP_LEFT]);
	sample_link(h->fd, "right", &h->link[TOP_RIGHT]);
	h->lost_ns = sample_loss(h);
	return true;
}

int
top_sample(struct top_job *job)
{
	struct timespec t;
	int host, n = 0;

	job->before = job->now;
	clock_gettime(CLOCK_MONOTONIC, &t);
	job->now.ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	for (host = 0; host < job->hosts; host++)
		if (job->now.host[host].fd >= 0)
			n += sample_host(job, host);
	return n;
}
