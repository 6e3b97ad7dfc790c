/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "link/eal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wordexp.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_log.h>
#include <rte_rawdev.h>

#include "base/error.h"
#include "base/limit.h"
#include "base/rules.h"
#include "base/run_dir.h"
#include "base/state.h"
#include "base/thread.h"
#include "link/eal_fds.h"
#include "link/eal_init.h"
#include "link/eal_log.h"
#include "mem/layout.h"

enum {
	MAX_ARGS = 64
};

struct args {
	int n;
	char *v[MAX_ARGS + 1];
};

static int
add_arg(struct args *a, const char *s)
{
	if (a->n == MAX_ARGS)
		return rb_fail(-E2BIG, "RINGBELL_EAL: more than %d EAL arguments", MAX_ARGS);
	a->v[a->n] = strdup(s);
	if (a->v[a->n] == NULL)
		return -ENOMEM;
	a->v[++a->n] = NULL;
	return 0;
}

static void
free_args(struct args *a)
{
	while (a->n > 0)
		free(a->v[--a->n]);
}

static bool
has_option(const wordexp_t *w, const char *opt)
{
	size_t i;

	for (i = 0; i < w->we_wordc; i++)
		if (strncmp(w->we_wordv[i], opt, strlen(opt)) == 0)
			return true;
	return false;
}

/* True with emulated ports, and on a ring of one host, where only telemetry needs an EAL. */
static bool
no_adapter(void)
{
	return rb_emulated() || rb.hosts == 1;
}

static int
add_cables(struct args *a)
{
	uint64_t bar = 1024 * 1024;
	unsigned int i, n = 0;
	char s[2048], place[64], bar2[32] = "";
	int ret = 0, len;

	while (bar < rb_mem.lay.shown)
		bar *= 2;
	if (rb.env.bar2 == 0)
		snprintf(bar2, sizeof(bar2), ",bar2=%lluM", (unsigned long long)bar >> 20);
	for (i = 0; i < RB_SIDES && ret == 0; i++) {
		if (rb.env.cable[i].fd < 0)
			continue;
		if (rb.env.one_chip) /* NT0 has the left cable, NT1 the right one */
			snprintf(place, sizeof(place), "hosts=%d,host=%d,nt=%d", rb.hosts, rb.host,
				 i == RB_RIGHT);
		else
			snprintf(place, sizeof(place), "end=%d", rb.env.cable[i].end);
		len = snprintf(s, sizeof(s),
			       "--vdev=raw_ntb_plx_emu%u,cable=/proc/self/fd/%d,%s%s,seed=%d%s%s",
			       n++, rb.env.cable[i].fd, place, bar2, rb.host * RB_SIDES + (int)i,
			       rb.env.emu[0] != '\0' ? "," : "", rb.env.emu);
		ret = len < (int)sizeof(s) ? add_arg(a, s)
					   : rb_fail(-E2BIG, "RINGBELL_EMU is too long");
	}
	return ret;
}

/* Service lcores float over the CPUs that this process may use, or over those that oshrun keeps for
 * them, unless the user places the lcores. Pinned lcores of all emulated hosts would share the same
 * two CPUs. */
static int
add_lcores(struct args *a)
{
	char s[CPU_SETSIZE * 4 + 600], list[CPU_SETSIZE * 4] = "";
	cpu_set_t set;
	size_t at = 0;
	int i;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return rb_fail(-errno, "cannot read the CPU affinity: %s", strerror(errno));
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%d", at ? "," : "",
					       i);
	if (rb.env.service_cpus[0] != '\0')
		snprintf(s, sizeof(s), "--lcores=0@(%s),(1-%u)@(%.512s)", list, rb.lcores,
			 rb.env.service_cpus);
	else
		snprintf(s, sizeof(s), "--lcores=(0-%u)@(%s)", rb.lcores, list);
	return add_arg(a, s);
}

/* The region of a real port is contiguous in bus addresses. By default the EAL takes pages one by
 * one, in the order of the kernel's list, which is usually descending. Only its older mode, which
 * takes all pages at the start, sorts them. */
static bool
wants_sorted_pages(const wordexp_t *user)
{
	static const char *const other[] = {"--legacy-mem", "--in-memory", "--no-huge",
					    "--match-allocations", "--single-file-segments"};
	size_t i;

	for (i = 0; i < RTE_DIM(other); i++)
		if (has_option(user, other[i]))
			return false;
	return true;
}

/* Without telemetry the EAL of an emulated host shares nothing, and has no folder. */
static bool
shares_files(const wordexp_t *user)
{
	return !no_adapter() || rb.env.telemetry || has_option(user, "--telemetry");
}

/* The prefix must be unique on this machine, or a client would use another host's socket. */
static void
file_prefix(char *s, size_t len)
{
	if (rb.env.job == 0)
		snprintf(s, len, "ringbell-%d", (int)getpid());
	else
		/* only the first digits: the hello sets some bits of the others */
		snprintf(s, len, "ringbell-%07llx-%d", (unsigned long long)rb.env.job >> 36,
			 rb.host);
}

/* Newer DPDK takes an argument once only, and the user may give the same one. */
static int
add_flag(struct args *a, const wordexp_t *user, const char *flag)
{
	return has_option(user, flag) ? 0 : add_arg(a, flag);
}

static int
add_name(struct args *a, const wordexp_t *user)
{
	char name[48] = ".", s[80];
	int ret = 0;

	if (rb.env.telemetry)
		file_prefix(name, sizeof(name));
	else if (has_option(user, "--telemetry"))
		snprintf(name, sizeof(name), "ringbell-%d", (int)getpid());
	else
		ret = add_flag(a, user, "--no-telemetry");
	snprintf(s, sizeof(s), "--file-prefix=%s", name);
	if (ret == 0 && (no_adapter() || rb.env.telemetry) && !has_option(user, "--file-prefix"))
		ret = add_arg(a, s);
	return ret;
}

/* A device that is not a function on a bus is created here, unless the user's arguments create it.
 */
static int
add_dma(struct args *a, const wordexp_t *user)
{
	static const char plx[] = "dma_plx_emu";
	const char *at = rb.env.dma;
	char s[160];
	int ret = 0;

	for (; *at != '\0' && ret == 0; at += strcspn(at, ","), at += *at == ',') {
		int len = (int)strcspn(at, ",");
		int ports = (rb.env.cable[0].fd >= 0) + (rb.env.cable[1].fd >= 0);

		snprintf(s, sizeof(s), "--vdev=%.*s", len < 64 ? len : 64, at);
		if (len == 0 || memchr(at, ':', (size_t)len) != NULL || has_option(user, s))
			continue;
		/* the chip's own engine belongs to a port: assign engines to ports by their numbers
		 * in turn */
		if (ports > 0 && strncmp(at, plx, sizeof(plx) - 1) == 0)
			snprintf(s + strlen(s), sizeof(s) - strlen(s), ",ntb=raw_ntb_plx_emu%ld",
				 strtol(at + sizeof(plx) - 1, NULL, 10) % ports);
		ret = add_arg(a, s);
	}
	return ret;
}

/* Without an adapter DPDK needs no more than a heap. */
static int
add_small(struct args *a, const wordexp_t *user)
{
	static const char *const flags[] = {"--no-huge", "--no-shconf", "--no-pci"};
	size_t i;
	int ret = 0;

	for (i = 0; i < RTE_DIM(flags) && ret == 0; i++)
		ret = add_flag(a, user, flags[i]);
	if (ret < 0 || has_option(user, "-m"))
		return ret;
	ret = add_arg(a, "-m");
	return ret < 0 ? ret : add_arg(a, "64");
}

static int
compose_args(struct args *a, const wordexp_t *user)
{
	size_t i;
	int ret = add_arg(a, "ringbell");

	if (has_option(user, "-h") || has_option(user, "--help"))
		return rb_fail(-EINVAL, "RINGBELL_EAL: --help would end the program: DPDK's manual "
					"lists the arguments");
	if (ret == 0 && no_adapter())
		ret = add_small(a, user);
	if (ret == 0)
		ret = add_name(a, user);
	if (ret == 0 && no_adapter())
		ret = add_cables(a);
	if (ret == 0 && !no_adapter() && wants_sorted_pages(user))
		ret = add_arg(a, "--legacy-mem");
	if (ret == 0)
		ret = add_dma(a, user);
	if (ret == 0 && !has_option(user, "-l") && !has_option(user, "--lcores") &&
	    !has_option(user, "-c"))
		ret = add_lcores(a);
	for (i = 0; i < user->we_wordc && ret == 0; i++)
		ret = add_arg(a, user->we_wordv[i]);
	return ret;
}

/* The folder that DPDK is to use while the EAL starts. */
struct run_dir {
	int held; /* descriptor; -1: none */
	bool set;
	char was[2048]; /* the program's own RUNTIME_DIRECTORY; "": none */
};

static int
run_dir_set(struct run_dir *d, const char *dir)
{
	const char *was = getenv("RUNTIME_DIRECTORY");

	snprintf(d->was, sizeof(d->was), "%s", was == NULL ? "" : was);
	d->set = setenv("RUNTIME_DIRECTORY", dir, 1) == 0;
	return d->set ? 0 : -ENOMEM;
}

/* An EAL that shares nothing needs no folder, so point it to a file, which is in its way. If other
 * threads may read the environment meanwhile, setenv() could free what they read. Then DPDK uses
 * "." as its folder name, which already exists. An EAL that shares gets a folder that nobody else
 * can write to. */
static int
run_dir_begin(struct run_dir *d, bool shares)
{
	char dir[256];

	*d = (struct run_dir){.held = -1};
	if (!shares && !rb_threads_alone())
		return 0;
	if (!shares)
		return run_dir_set(d, RB_NO_FOLDER);
	if (!rb_run_dir(dir, sizeof(dir)))
		return 0;
	d->held = rb_run_dir_hold(dir);
	if (d->held == -EPERM)
		return rb_fail(d->held,
			       "%s is not a folder of this user alone: remove it, or set "
			       "XDG_RUNTIME_DIR to such a folder",
			       dir);
	if (d->held < 0)
		return rb_fail(d->held,
			       "telemetry needs a folder for its sockets, but cannot create %s "
			       "(%s): set XDG_RUNTIME_DIR to a folder of this user",
			       dir, strerror(-d->held));
	return run_dir_set(d, dir);
}

static void
run_dir_end(const struct run_dir *d)
{
	if (d->held >= 0)
		close(d->held);
	if (d->set && d->was[0] != '\0')
		setenv("RUNTIME_DIRECTORY", d->was, 1);
	else if (d->set)
		unsetenv("RUNTIME_DIRECTORY");
}

/* Try to start the threads of the service, of interrupts and of telemetry clients. */
static int
try_threads(void)
{
	unsigned int count = rb.lcores + 1 + (rb.env.telemetry ? 2 : 0);
	int ret = rb_eal_try_threads(count);

	return ret == 0 ? 0
			: rb_fail(ret, "cannot start %u threads: %s%s", count, strerror(-ret),
				  rb_limit_words());
}

static int
eal_init(const struct args *a, bool shares)
{
	char *argv[MAX_ARGS + 1]; /* the EAL permutes and overwrites this vector */
	struct rb_fds fds;
	const char *best;
	struct run_dir dir;
	int ret = run_dir_begin(&dir, shares);

	if (ret < 0) {
		run_dir_end(&dir);
		return ret;
	}
	memcpy(argv, a->v, sizeof(argv));
	rb_fds_before(&fds);
	ret = try_threads();
	if (ret < 0) {
		run_dir_end(&dir);
		return ret;
	}
	if (!rb.env.eal_log)
		rb_eal_log_begin();
	ret = rb_eal_init(a->n, argv);
	rb_eal_log_end();
	run_dir_end(&dir);
	best = rb_eal_log_best();
	if (ret < 0)
		return rb_fail(-ENODEV, "the EAL did not start: %s%s",
			       best[0] ? best : rte_strerror(rte_errno), rb_limit_words());
	rb_fds_after(&fds);
	return 0;
}

/* Position of a device in the user's arguments; after all of them if it is not named. */
static size_t
rank_of(const wordexp_t *user, const char *location)
{
	size_t i;

	for (i = 0; i < user->we_wordc; i++)
		if (strstr(user->we_wordv[i], location) != NULL)
			break;
	return i;
}

/* The ports in the order of the arguments. The PCI bus does not keep this order. */
static unsigned int
list_ports(const wordexp_t *user, struct ntb_port *found[RB_SIDES])
{
	size_t rank[RB_SIDES] = {0, 0};
	unsigned int n = 0, i;

	for (i = 0; i < rte_rawdev_count() && n < RB_SIDES; i++) {
		struct ntb_port_info info;

		if (ntb_port_get((uint16_t)i, &info) != 0)
			continue;
		rank[n] = rank_of(user, info.location);
		found[n++] = info.port;
	}
	if (n == RB_SIDES && rank[1] < rank[0]) {
		struct ntb_port *second = found[0];

		found[0] = found[1];
		found[1] = second;
	}
	return n;
}

/* Do the user's arguments create NT ports? */
static bool
creates_ports(const wordexp_t *user)
{
	size_t i;

	for (i = 0; i < user->we_wordc; i++)
		if (strstr(user->we_wordv[i], "raw_ntb") != NULL)
			return true;
	return false;
}

static int
find_ports(const wordexp_t *user)
{
	struct ntb_port *found[RB_SIDES] = {NULL, NULL};
	unsigned int n = list_ports(user, found), want;
	int cables = (rb.env.cable[0].fd >= 0) + (rb.env.cable[1].fd >= 0);

	want = cables > 0 ? (unsigned int)cables : rb.hosts == 2 ? 1 : 2;
	if (n < want && creates_ports(user))
		return rb_fail(-ENODEV,
			       "%u of %u NT ports came up, see those of RINGBELL_EAL: %s%s", n,
			       want, rb_eal_log_best(), rb_limit_words());
	if (n < want && cables > 0 && rb.env.emu[0] != '\0')
		return rb_fail(-ENODEV,
			       "%u of %u emulated NT ports came up, see RINGBELL_EMU: %s%s", n,
			       want, rb_eal_log_best(), rb_limit_words());
	if (n < want && cables > 0)
		return rb_fail(-ENODEV,
			       "%u of %u emulated NT ports came up (%s): lower "
			       "SHMEM_SYMMETRIC_SIZE%s",
			       n, want, rb_eal_log_best(), rb_limit_words());
	if (n < want)
		return rb_fail(
			-ENODEV,
			"%u of %u NT ports found: bind them with dpdk-devbind.py and allow them "
			"with -a in the EAL arguments",
			n, want);
	/* One cable joins the right port of host 0 and the left port of host 1. */
	if (n == 1 && (cables > 0 ? rb.env.cable[RB_RIGHT].fd >= 0 : rb.host == 0)) {
		found[RB_RIGHT] = found[0];
		found[RB_LEFT] = NULL;
	}
	rb.link[RB_LEFT].port = found[RB_LEFT];
	rb.link[RB_RIGHT].port = found[RB_RIGHT];
	return 0;
}

int
rb_eal_start(void)
{
	struct args a = {0};
	wordexp_t user;
	int ret;

	if (wordexp(rb.env.eal, &user, WRDE_NOCMD | WRDE_UNDEF) != 0)
		return rb_fail(-EINVAL,
			       "RINGBELL_EAL=%s is not a list of arguments: check its quotes",
			       rb.env.eal);
	ret = compose_args(&a, &user);
	if (ret == 0)
		ret = eal_init(&a, shares_files(&user));
	free_args(&a);
	if (ret == 0 && rb.hosts > 1) {
		ret = find_ports(&user);
		if (ret < 0)
			rb_eal_stop();
	}
	wordfree(&user);
	return ret;
}

void
rb_eal_stop(void)
{
	rte_eal_cleanup();
}
