/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/modes.h"
#include "fault.h"
#include "oshrun.h"

enum {
	OPT_HOSTS = 256,
	OPT_TIMEOUT,
	OPT_MAP_BY,
	OPT_BIND_TO,
	OPT_CPUS,
	OPT_REPORT,
	OPT_HOST_ID,
	OPT_HELLO_TIMEOUT,
	OPT_HOSTFILE,
	OPT_TAG,
	OPT_EAL,
	OPT_DMA,
	OPT_NOTIFY,
	OPT_TRACE,
	OPT_TELEMETRY,
	OPT_DRY_RUN,
	OPT_FAULT,
	OPT_HELP_ENV,
	OPT_VERSION,
};

static const struct option longopts[] = {
	{"np", required_argument, NULL, 'n'},
	{"hosts", required_argument, NULL, OPT_HOSTS},
	{"map-by", required_argument, NULL, OPT_MAP_BY},
	{"bind-to", required_argument, NULL, OPT_BIND_TO},
	{"cpus", required_argument, NULL, OPT_CPUS},
	{"report-bindings", no_argument, NULL, OPT_REPORT},
	{"host-id", required_argument, NULL, OPT_HOST_ID},
	{"hello-timeout", required_argument, NULL, OPT_HELLO_TIMEOUT},
	{"hostfile", required_argument, NULL, OPT_HOSTFILE},
	{"machinefile", required_argument, NULL, OPT_HOSTFILE},
	{"timeout", required_argument, NULL, OPT_TIMEOUT},
	{"tag-output", no_argument, NULL, OPT_TAG},
	{"eal", required_argument, NULL, OPT_EAL},
	{"dma", required_argument, NULL, OPT_DMA},
	{"notify", required_argument, NULL, OPT_NOTIFY},
	{"trace", required_argument, NULL, OPT_TRACE},
	{"telemetry", no_argument, NULL, OPT_TELEMETRY},
	{"fault", required_argument, NULL, OPT_FAULT},
	{"dry-run", no_argument, NULL, OPT_DRY_RUN},
	{"help", no_argument, NULL, 'h'},
	{"help-env", no_argument, NULL, OPT_HELP_ENV},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

static void fail_with(int status, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

static void
fail_with(int status, const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "oshrun: %s\n", line);
	exit(status);
}

static int
parse_number(const char *option, const char *text, long least, long most)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || v < least || v > most)
		fail_with(OSHRUN_EXIT_USAGE, "%s %s: must be a number from %ld to %ld", option,
			  text, least, most);
	return (int)v;
}

static double
parse_seconds(const char *text)
{
	char *end;
	double v;

	v = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(v) || v <= 0 || v > 1e7)
		fail_with(OSHRUN_EXIT_USAGE, "--timeout %s: must be seconds, above 0", text);
	return v;
}

/* Which of @p words is it? */
static int
parse_choice(const char *option, const char *text, const char *const *words)
{
	char all[128] = "";
	int i;

	for (i = 0; words[i] != NULL; i++) {
		if (strcmp(text, words[i]) == 0)
			return i;
		strcat(strcat(all, i > 0 ? ", " : ""), words[i]);
	}
	fail_with(OSHRUN_EXIT_USAGE, "%s %s: must be one of %s", option, text, all);
}

static void
add_export(struct options *opt, const char *arg)
{
	size_t len = strcspn(arg, "=");
	const char *value;
	char *entry;
	char *name;

	name = strndup(arg, len);
	if (name == NULL)
		fail_with(OSHRUN_EXIT_FAULT, "out of memory");
	if (len == 0)
		fail_with(OSHRUN_EXIT_USAGE, "-x %s: no name before the =", arg);
	if (help_env_is_job(name))
		fail_with(OSHRUN_EXIT_USAGE, "-x %s: oshrun sets %s itself", arg, name);
	value = arg[len] == '=' ? arg + len + 1 : getenv(name);
	if (value == NULL)
		fail_with(OSHRUN_EXIT_USAGE, "-x %s: not set in the environment; give -x %s=VALUE",
			  name, name);
	opt->exports =
		reallocarray(opt->exports, (size_t)opt->n_exports + 1, sizeof(opt->exports[0]));
	if (opt->exports == NULL || asprintf(&entry, "%s=%s", name, value) < 0)
		fail_with(OSHRUN_EXIT_FAULT, "out of memory");
	opt->exports[opt->n_exports++] = entry;
	free(name);
}

static void
add_dma(struct options *opt, const char *names)
{
	char entry[512];

	if (*names == '\0' || strlen(names) > 400)
		fail_with(OSHRUN_EXIT_USAGE, "--dma '%.32s': must be names of dmadevs", names);
	snprintf(entry, sizeof(entry), "RINGBELL_DMA=%s", names);
	add_export(opt, entry);
}

static void
add_notify(struct options *opt, const char *mode)
{
	static const char *const modes[] = {RB_NOTIFY_MODES(RB_MODE_WORD) NULL};
	char entry[64];

	snprintf(entry, sizeof(entry), "RINGBELL_NOTIFY=%s",
		 modes[parse_choice("--notify", mode, modes)]);
	add_export(opt, entry);
}

static void
add_fault(const char *text)
{
	char why[256];

	if (fault_read(text, why, sizeof(why)) < 0)
		fail_with(OSHRUN_EXIT_USAGE, "--fault %s", why);
}

static void
map_by(struct options *opt, const char *text)
{
	char why[128];

	if (rb_deal_read(&opt->deal, text, why, sizeof(why)) < 0)
		fail_with(OSHRUN_EXIT_USAGE, "--map-by %s: %s", text, why);
	opt->map = text;
}

/* Where the numbers of PEs of all hosts are given, -n may be left out. */
static void
settle_counts(struct options *opt)
{
	const struct rb_deal *deal = &opt->deal;

	if (deal->how != RB_DEAL_COUNTS)
		return;
	if (deal->hosts != opt->hosts)
		fail_with(OSHRUN_EXIT_USAGE, "--map-by %s: PEs of %d hosts, but --hosts %d",
			  opt->map, deal->hosts, opt->hosts);
	if (opt->npes_given && deal->pes != opt->npes)
		fail_with(OSHRUN_EXIT_USAGE, "--map-by %s: %d PEs, but -n %d", opt->map, deal->pes,
			  opt->npes);
	opt->npes = deal->pes;
}

/* As many PEs as hosts where only one number is given, and one host where none is. */
static void
settle_numbers(struct options *opt)
{
	if (opt->hosts == 0)
		opt->hosts = opt->deal.hosts;
	if (opt->host_id >= 0 && opt->hosts < 2)
		fail_with(OSHRUN_EXIT_USAGE, "--host-id %d: needs --hosts H, the size of the ring",
			  opt->host_id);
	if (opt->host_id >= opt->hosts && opt->host_id > 0)
		fail_with(OSHRUN_EXIT_USAGE, "--host-id %d: must be below --hosts %d", opt->host_id,
			  opt->hosts);
	if (opt->hosts == 0)
		opt->hosts = 1;
	opt->npes_given = opt->npes > 0;
	settle_counts(opt);
	if (opt->npes == 0)
		opt->npes = opt->hosts;
	if (opt->npes < opt->hosts)
		fail_with(OSHRUN_EXIT_USAGE, "-n %d: fewer PEs than hosts (%d); every host has one",
			  opt->npes, opt->hosts);
	rb_deal_out(&opt->deal, opt->hosts, opt->npes, opt->host_of);
}

static void
bad_option(char **argv, int c)
{
	const char *arg = argv[optind - 1];

	if (c == ':')
		fail_with(OSHRUN_EXIT_USAGE, "option %s needs a value; see oshrun --help", arg);
	if (optopt != 0 && optopt < OPT_HOSTS && strncmp(arg, "--", 2) != 0)
		fail_with(OSHRUN_EXIT_USAGE, "unknown option -%c; see oshrun --help", optopt);
	if (optopt != 0)
		fail_with(OSHRUN_EXIT_USAGE, "option %s takes no value; see oshrun --help", arg);
	fail_with(OSHRUN_EXIT_USAGE, "unknown option %s; see oshrun --help", arg);
}

static int
pes_number(int argc, char **argv)
{
	const char *arg = optarg;

	/* getopt takes -np 4, which other launchers know, for -n with the value p */
	if (strcmp(arg, "p") == 0) {
		if (optind == argc)
			fail_with(OSHRUN_EXIT_USAGE, "option -np needs a value; see oshrun --help");
		arg = argv[optind++];
	}
	return parse_number("-n", arg, 1, RB_MAX_PES);
}

static void
print_info(int c)
{
	if (c == 'h')
		help_usage();
	else if (c == OPT_HELP_ENV)
		help_env();
	else
		printf("oshrun (Ringbell) %s\n", RINGBELL_VERSION);
	exit(fflush(stdout) == 0 ? 0 : OSHRUN_EXIT_FAULT);
}

/* Options that say where PEs run. */
static bool
place_option(struct options *opt, int c)
{
	static const char *const binds[] = {"core", "numa", "none", NULL};

	if (c == OPT_HOSTS)
		opt->hosts = parse_number("--hosts", optarg, 1, RB_MAX_HOSTS);
	else if (c == OPT_MAP_BY)
		map_by(opt, optarg);
	else if (c == OPT_BIND_TO)
		opt->bind = BIND_CORE + parse_choice("--bind-to", optarg, binds);
	else if (c == OPT_CPUS)
		opt->cpus = parse_number("--cpus", optarg, 1, 1 << 16);
	else if (c == OPT_REPORT)
		opt->report = true;
	else if (c == OPT_HOST_ID)
		opt->host_id = parse_number("--host-id", optarg, 0, RB_MAX_HOSTS - 1);
	else if (c == OPT_HELLO_TIMEOUT)
		opt->hello_timeout = parse_number("--hello-timeout", optarg, 1, 3600);
	else if (c == OPT_HOSTFILE)
		opt->hostfile = optarg;
	else
		return false;
	return true;
}

void
opts_parse(struct options *opt, int argc, char **argv)
{
	char why[256];
	int c;

	*opt = (struct options){.host_id = -1, .map = "slot"};
	opterr = 0;
	/* + ends the options of oshrun at the program's name; the rest belongs to the program */
	while ((c = getopt_long(argc, argv, "+:n:x:h", longopts, NULL)) != -1) {
		if (place_option(opt, c))
			continue;
		if (c == 'n')
			opt->npes = pes_number(argc, argv);
		else if (c == OPT_TIMEOUT)
			opt->timeout = parse_seconds(optarg);
		else if (c == OPT_TAG)
			opt->tag = true;
		else if (c == OPT_EAL)
			opt->eal = optarg;
		else if (c == OPT_DMA)
			add_dma(opt, optarg);
		else if (c == OPT_NOTIFY)
			add_notify(opt, optarg);
		else if (c == OPT_TRACE)
			opt->trace = optarg;
		else if (c == OPT_TELEMETRY)
			add_export(opt, "RINGBELL_TELEMETRY=1");
		else if (c == OPT_FAULT)
			add_fault(optarg);
		else if (c == OPT_DRY_RUN)
			opt->dry_run = true;
		else if (c == 'x')
			add_export(opt, optarg);
		else if (c == '?' || c == ':')
			bad_option(argv, c);
		else
			print_info(c);
	}
	if (optind == argc)
		fail_with(OSHRUN_EXIT_USAGE, "no program given; see oshrun --help");
	opt->argv = argv + optind;
	settle_numbers(opt);
	if (fault_check(opt, why, sizeof(why)) < 0)
		fail_with(OSHRUN_EXIT_USAGE, "--fault %s", why);
	if (opt->hostfile != NULL)
		hostfile_print(opt);
}

/* Is it an executable file? Otherwise errno says why not. */
static bool
is_runnable(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return false;
	}
	return access(path, X_OK) == 0;
}

static bool
find_in_path(struct options *opt, const char *name)
{
	const char *path = getenv("PATH");
	const char *p = path == NULL ? "/usr/local/bin:/usr/bin:/bin" : path;

	for (;;) {
		size_t len = strcspn(p, ":");

		/* an empty entry means the present folder, as in a shell */
		if (snprintf(opt->program, sizeof(opt->program), "%.*s%s%s", (int)len, p,
			     len == 0 ? "./" : "/", name) < (int)sizeof(opt->program) &&
		    is_runnable(opt->program))
			return true;
		if (p[len] == '\0')
			return false;
		p += len + 1;
	}
}

void
opts_find_program(struct options *opt)
{
	const char *name = opt->argv[0];
	bool missing;

	if (strchr(name, '/') != NULL) {
		if (strlen(name) >= sizeof(opt->program))
			fail_with(OSHRUN_EXIT_NOT_FOUND, "%.60s...: name too long", name);
		strcpy(opt->program, name);
		if (is_runnable(name))
			return;
		missing = errno == ENOENT || errno == ENOTDIR;
		fail_with(missing ? OSHRUN_EXIT_NOT_FOUND : OSHRUN_EXIT_CANNOT_RUN,
			  "cannot run %s: %s", name, strerror(errno));
	}
	if (*name != '\0' && find_in_path(opt, name))
		return;
	if (*name != '\0' && is_runnable(name))
		fail_with(OSHRUN_EXIT_NOT_FOUND,
			  "cannot run %s: not found in PATH; did you mean ./%s?", name, name);
	fail_with(OSHRUN_EXIT_NOT_FOUND, "cannot run '%s': not found in PATH", name);
}
