/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TOP_H
#define TOP_H

/**
 * @file
 * ringbell-top: shows what a running job reports over DPDK's telemetry sockets (doc/telemetry.md),
 * one for each host. All that comes over a socket is untrusted and checked.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TOP_HOSTS = 64,
	TOP_PES = 1024,
	TOP_LEFT = 0,
	TOP_RIGHT = 1,
	TOP_STATE = 16,
	TOP_NAME = 64,
};

/** Counters of one link, as its host reports them. */
struct top_link {
	bool there, up;
	bool lost;			   /**< the job goes on without it */
	uint64_t bytes, messages;	   /**< that left by it */
	uint64_t load_bytes, loads;	   /**< fetched by loads: they came in */
	uint64_t relayed;		   /**< bytes passed on that came in here */
	uint64_t stored;		   /**< bytes of others stored through it */
	uint64_t queued, retries, dropped; /**< frames */
};

struct top_pe {
	bool there;
	int host;
	char state[TOP_STATE];
	uint64_t puts, put_bytes, gets, get_bytes, atomics, barriers, wait_ns;
	char call[TOP_NAME], whom[TOP_NAME]; /**< of a long wait, and the PE that it waits for */
	uint64_t blocked_ns;		     /**< how long so far; 0: there is none */
};

struct top_host {
	int fd; /**< -1: does not answer */
	struct top_link link[2];
	uint64_t lost_ns; /**< how long a cable of its is lost; 0: none is */
};

/** All of a job at one time. */
struct top_sample {
	uint64_t ns; /**< CLOCK_MONOTONIC */
	struct top_host host[TOP_HOSTS];
	struct top_pe pe[TOP_PES];
};

struct top_job {
	char id[TOP_NAME]; /**< first digits, as in the names of the sockets' folders */
	int hosts, pes;
	struct top_sample now, before;
};

/** The cable from host @p c to its right neighbour is lost, and the ring is a line; -1: none. */
int top_lost(const struct top_job *job);
/** For how long, as "lost 12 s". */
void top_lost_text(const struct top_job *job, char *s, size_t len);
/** The host at a place of the picture: from 0 on round the ring, or from one end of the line to the
 *  other. */
int top_host_at(const struct top_job *job, int place);

/* ask.c */
int top_connect(const char *path);
/** The answer to one command, NULL: no valid one. */
struct json_t *top_ask(int fd, const char *command);
uint64_t top_u64(const struct json_t *dict, const char *name);

/* sample.c */
/** Find the job @p id, or the youngest. 0 or -errno, after saying what is wrong. */
int top_find(struct top_job *job, const char *id);
/** Query all hosts again. @return hosts that answered; 0: the job is over */
int top_sample(struct top_job *job);

/* rate.c: from the two samples, each second */
double top_rate(const struct top_job *job, uint64_t now, uint64_t before);
struct top_flow {
	double bytes, messages;
};
/** The rate between @p host and its neighbour on the right: to it, or from it. */
struct top_flow top_flow(const struct top_job *job, int host, bool to);
/** The relayed part of the traffic out of a host. */
double top_relayed(const struct top_job *job, int host);
uint64_t top_queued(const struct top_job *job, int host);
/** PEs of a host; how many of them do not run, and the last one's number (0 without any). */
int top_pes_of(const struct top_job *job, int host, int *ret_waiting, int *ret_last);
/** The @p i-th warning; false: there are not so many. */
bool top_warning(const struct top_job *job, int i, char *s, size_t len);
/** "1.23 GB", "310 k" */
void top_human(char *s, size_t len, double v, const char *unit);

/* canvas.c: a picture made of characters */
enum top_cell {
	/* below these are characters */
	TOP_HLINE = 256,
	TOP_VLINE,
	TOP_UL,
	TOP_UR,
	TOP_LL,
	TOP_LR,
	TOP_BOLD = 1 << 12, /**< or'd to a character */
	TOP_CHAR = TOP_BOLD - 1,
};
struct top_canvas {
	int w, h;
	uint16_t *cell;
};
int top_canvas_make(struct top_canvas *c, int w, int h);
void top_canvas_free(struct top_canvas *c);
void top_put(struct top_canvas *c, int x, int y, uint16_t cell);
void top_text(struct top_canvas *c, int x, int y, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void top_bold(struct top_canvas *c, int y);
void top_box(struct top_canvas *c, int x, int y, int w, int h);

/* view.c */
/** Draw the job; the tables begin at their line @p scroll. @return lines that are not visible */
int top_draw(struct top_canvas *c, const struct top_job *job, int scroll);

/* ring.c */
/** Lines of the ring on a canvas of that width, 0: it does not fit. */
int top_ring_height(const struct top_job *job, int width);
void top_ring(struct top_canvas *c, int y, const struct top_job *job);

/* fold.c: the same in fewer columns */
int top_fold_height(const struct top_job *job, int width);
void top_fold(struct top_canvas *c, int y, const struct top_job *job);

/* report.c */
int top_print(const struct top_job *job);
int top_json(const struct top_job *job);

/* metrics.c */
/** Print the counters as OpenMetrics. 0 or -errno */
int top_metrics(const struct top_job *job);

/* screen.c */
int top_screen(struct top_job *job, double interval);

#endif /* TOP_H */
