/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef OSHRUN_H
#define OSHRUN_H

/**
 * @file
 * Declarations that the files of oshrun share. One job is one ring of emulated hosts. oshrun is a
 * single thread around poll(), and the parent (and subreaper) of all processes that the job starts.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "bind.h"
#include "base/deal.h"
#include "base/graph.h"

enum {
	OSHRUN_GRACE_MS = 2000, /* between the end and SIGKILL */
	OSHRUN_HELLO_S = 120,	/* users start hosts by hand */
	OSHRUN_CABLES = RB_MAX_HOSTS * RB_MAX_PORTS / 2,
	OSHRUN_FDS_OF_PE = RB_MAX_PORTS + 5, /* and what is not a cable: ring_fds() */
};

/* Exit statuses of oshrun; 126 and 127 as in a shell, 124 as in timeout(1). */
enum {
	OSHRUN_EXIT_FAULT = 1,
	OSHRUN_EXIT_USAGE = 2,
	OSHRUN_EXIT_TIMEOUT = 124,
	OSHRUN_EXIT_CANNOT_RUN = 126,
	OSHRUN_EXIT_NOT_FOUND = 127,
	OSHRUN_EXIT_SIGNAL = 128,
};

/** The command line, checked. */
struct options {
	int hosts;
	int npes;
	const char *map; /* as it was given, or the default */
	struct rb_deal deal;
	uint8_t host_of[RB_MAX_PES]; /* the host of each PE */
	int bind_word;		     /* which of --bind-to, -1: not given */
	enum bind_to bind;
	int cpus;	   /* of the machine that this host may use, 0: all */
	bool report;	   /* each PE prints where it runs */
	int host_id;	   /* the only host to be started here, -1: all of an emulated ring */
	int hello_timeout; /* seconds, 0: not given */
	double timeout;	   /* seconds, 0: none */
	bool tag, survive, telemetry, dry_run;
	int notify;		       /* which mode, -1: not given */
	const char *dma, *cable, *eal; /* NULL: not given */
	const char *trace;	       /* file; NULL: none */
	const char *wiring;	       /* as it was given, or the default */
	struct rb_graph graph;	       /* where there are two hosts or more */
	char **exports; /* NAME=VALUE of each -x, and of options that stand for one */
	int n_exports;
	char **argv; /* program and its arguments */
};

enum stream_id {
	STREAM_OUT,
	STREAM_ERR,
	STREAMS,
};

/** Output of one PE on its way to ours. */
struct stream {
	int fd; /* read end, -1 at the end of file */
	int pe; /* whose */
	enum stream_id id;
	char *buf; /* bytes since the last newline */
	size_t len;
	bool mid_line; /* part of a line has been passed on */
	int64_t since; /* when the last byte came, ms */
};

/** One process of the job. */
struct pe {
	int id, host;
	pid_t pid;
	bool alive;
	int wstatus;	  /* of waitpid() once it is gone */
	int64_t ended_at; /* then, in ms */
	int ctl;	  /* our end of its control socket, -1 once closed */
	int end;	  /* its end, to be given again */
	int trace;	  /* its memory for --trace, -1: none */
	bool opened;	  /* RB_CTL_OPENED came */
	bool aborts;	  /* RB_CTL_ABORT came: it ends by itself */
	bool explained;	  /* RB_CTL_ERROR came: no further message about its end */
	struct stream stream[STREAMS];
};

struct job {
	const struct options *opt;
	struct pe pe[RB_MAX_PES];
	int n_pes;			    /* started */
	int n_cables, cable[OSHRUN_CABLES]; /* as cables_number() numbers them */
	bool one_chip;			    /* all cables are in the first file */
	int host_fd[RB_MAX_HOSTS];	    /* memory that the PEs of a host share */
	int n_host_fds, claims_fd;
	struct rb_claims *claims; /* which process is which PE */
	int asked;		  /* socket at which PEs ask for their files again */
	char nonce[17];
	bool bound;		    /* cpus, service are in use */
	int cores;		    /* of this machine */
	int n_cpus;		    /* that its PEs share */
	cpu_set_t cpus[RB_MAX_PES]; /* by PE */
	cpu_set_t service[RB_MAX_HOSTS];
	int blocked_fd;	 /* where PEs note long waits */
	int64_t look_at; /* when to look for those next, ms; 0: not yet */
	int sigfd;
	char error[392]; /* text of the last RB_CTL_ERROR */
	size_t error_len;
	int status;		  /* exit status of oshrun */
	bool ending;		  /* status is decided; the other PEs are being ended */
	bool killing;		  /* SIGKILL was sent */
	int64_t term_at, kill_at; /* when SIGTERM and SIGKILL follow, ms; 0: never */
	int last_signal;	  /* that asked for the end of the job */
	int64_t timeout_at;	  /* end of --timeout, ms; 0: never */
};
void opts_parse(struct options *opt, int argc, char **argv); /* opts.c; may end the process */
const char *opts_variable(const struct options *opt, const char *name); /* as PEs see it */
/* help.c */
void help_env(void);
bool help_env_is_job(const char *name); /* is it a variable that oshrun sets itself? */
/* place.c */
bool place_is_here(const struct options *opt, int pe); /* is it for this oshrun to start? */
int place_bind(struct job *job);		       /* 0 or -ENOSPC: too few cores */
void place_set_env(const struct job *job, const struct pe *pe);
int place_enter(const struct job *job, const struct pe *pe); /* in the child; 0 or -errno */
/* cables.c */
int cables_count(const struct options *opt);
int cables_number(const struct options *opt, int host, int port, int *ret_end);
int cables_ports(const struct options *opt); /* that some host has */
/* ring.c */
int ring_make(struct job *job); /* cables, memory, nonce; 0 or -errno */
void ring_set_env(const struct job *job, const struct pe *pe);
int ring_fds(const struct job *job, const struct pe *pe, int fds[OSHRUN_FDS_OF_PE]);
/* handover.c: files of a PE whose descriptors were closed on the way to it */
int handover_open(struct job *job); /* 0 or -errno */
void handover_set_env(const struct job *job, const struct pe *pe);
void handover_answer(const struct job *job);
/* spawn.c */
int spawn_pe(struct job *job, struct pe *pe, int id); /* 0 or -errno, after saying so */
/* sweep.c: files that the EAL leaves */
int sweep_guard(const struct job *job); /* before the job; 0 or -errno */
void sweep(const struct job *job);	/* after it */
/* blocked.c: in which call each PE is blocked, and which PEs it waits for */
int blocked_open(struct job *job); /* before the job; 0 or -errno */
void blocked_started(struct job *job);
bool blocked_left(const struct pe *pe); /* has it finalized, and not joined again? */
void blocked_report(const struct job *job);
void blocked_look(struct job *job); /* now and then */
/* fault.c: --fault */
/* Read "cut 1-2 at 0.5s; kill host 3 at 1s". 0, or -EINVAL and why */
int fault_read(const char *text, char *why, size_t size);
int fault_check(const struct options *opt, char *why, size_t size); /* with all options known */
int fault_open(const struct job *job);	  /* once it has its cables; 0 or -errno */
void fault_started(void);		  /* all PEs have been started */
void fault_act(struct job *job);	  /* do what is due */
int64_t fault_due(const struct job *job); /* when the next one is, ms; 0: none, or not known yet */
void fault_left(void); /* the job is over: name those that it did not live to see */
/* trace.c: --trace */
int trace_open(const struct options *opt); /* before the job; 0 or -errno */
int trace_memory(const struct pe *pe);	   /* -1: none, or -errno */
int trace_write(const struct job *job);	   /* after it */
/* signals.c */
int signals_open(void);	    /* signalfd of all signals that oshrun handles, or -errno */
void signals_restore(void); /* in a child: restore them as oshrun found them */
void signals_read(struct job *job);
void ctl_read(struct job *job, struct pe *pe); /* ctl.c: messages of a PE */
/* output.c */
int64_t now_ms(void);
int64_t now_ns(void);
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void output_open(bool tag);
int stream_open(struct stream *s, int pe, enum stream_id id, int fd);
void stream_read(struct stream *s);
void stream_close(struct stream *s);		  /* pass on the rest */
int64_t stream_flush_due(const struct stream *s); /* when a partial line goes out, 0: none */
void stream_flush_partial(struct stream *s);
bool output_choked(enum stream_id id); /* too many bytes wait: let the PEs wait */
int output_fd(enum stream_id id);      /* to be polled for writing, -1: nothing to write */
int output_write(enum stream_id id);   /* 0 or the -errno that ended it */
/* watch.c */
void watch_open(void);	    /* before the job */
int watch(struct job *job); /* until all is over; the exit status */
/* job.c */
void job_end(struct job *job, int status);	 /* first call decides the status */
void job_signal(const struct job *job, int sig); /* to all PEs alive, or to one and its launcher */
void job_signal_pe(const struct job *job, const struct pe *pe, int sig);
/* Where the process that oshrun has started is gone: is the PE a child of oshrun? */
bool job_adopts(const struct job *job, struct pe *pe);

#endif /* OSHRUN_H */
