/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include "cli.h"
#include "eal.h"
#include "order.h"
#include "out.h"
#include "path.h"
#include "ports.h"
#include "speed.h"

enum {
	STATUS_WRONG = 1,
	STATUS_USAGE = 2,
	REGION = 4 << 20,
	OPT_VERSION = 256,
	PCI_DEVICES = 32, /* of a bus */
	PCI_FUNCTIONS = 8,
};

#define EMULATED "raw_ntb_"

struct args {
	long rounds, timeout, region;
	const char *json;
	char note[NOTE_MAX];
	const char *fault; /* attribute of an emulated port, for tests */
	long fault_value;
	const char *port;
};

static const char usage[] =
	"Usage: ringbell-litmus [OPTION]... PORT\n"
	"\n"
	"Try the cable of an NT port together with the same program at its other end: stores both\n"
	"ways, the window's places, doorbells, the rules of order that Ringbell stands on, speed.\n"
	"PORT is a PCI address, or an emulated port as in raw_ntb_plx_emu0,cable=FILE,end=0.\n"
	"\n"
	"  -n, --rounds N    of each test of order (1000000)\n"
	"  -t, --timeout S   seconds to wait for the peer (60)\n"
	"  -r, --region SIZE  of this side's memory that is tried, 1M to 64G (4M)\n"
	"  -j, --json FILE   write JSON there; - is standard output, then without text\n"
	"  -m, --note FILE   give the peer the text of FILE, of 8191 bytes at most\n"
	"  -f, --fault NAME=N  set an attribute of an emulated port, such as fault_db_drop=3\n"
	"  -h, --help        this text\n"
	"      --version     the version\n";

static const struct option options[] = {
	{"rounds", required_argument, NULL, 'n'},
	{"timeout", required_argument, NULL, 't'},
	{"json", required_argument, NULL, 'j'},
	{"note", required_argument, NULL, 'm'},
	{"region", required_argument, NULL, 'r'},
	{"fault", required_argument, NULL, 'f'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

static int
complain_of(const char *what, const char *value, const char *why)
{
	fprintf(stderr, "ringbell-litmus: %s '%s': %s\n", what, value, why);
	return STATUS_USAGE;
}

static bool
read_note(const char *name, char note[NOTE_MAX])
{
	FILE *f = fopen(name, "r");
	size_t n = f ? fread(note, 1, NOTE_MAX, f) : NOTE_MAX;

	if (f)
		fclose(f);
	else
		n = NOTE_MAX;
	if (n == NOTE_MAX)
		return false;
	note[n] = '\0';
	return true;
}

static bool
read_fault(struct args *a, char *text)
{
	char *equals = strchr(text, '=');
	const char *end = "";

	if (!equals || !cli_number(equals + 1, 0, 1L << 40, &a->fault_value, &end) || *end)
		return false;
	*equals = '\0';
	a->fault = text;
	return true;
}

static bool
set_option(struct args *a, int c, char *value)
{
	const char *end = "";

	switch (c) {
	case 'n':
		return cli_number(value, 1, 1L << 32, &a->rounds, &end) && !*end;
	case 't':
		return cli_number(value, 1, 86400, &a->timeout, &end) && !*end;
	case 'r':
		return cli_number(value, REGION_MIN, 64L << 30, &a->region, &end) && !*end;
	case 'j':
		a->json = value;
		return true;
	case 'm':
		return read_note(value, a->note);
	case 'f':
		return read_fault(a, value);
	}
	return false;
}

/* Nothing but a check of the form: the EAL would complain in three lines. */
static bool
is_port(const char *text)
{
	unsigned int part[4];
	int end = 0;

	if (strncmp(text, EMULATED, strlen(EMULATED)) == 0)
		return true;
	if (text[strspn(text, "0123456789abcdefABCDEF:.")] != '\0')
		return false;
	if (sscanf(text, "%4x:%2x:%2x.%1x%n", &part[0], &part[1], &part[2], &part[3], &end) != 4 &&
	    sscanf(text, "%2x:%2x.%1x%n", &part[1], &part[2], &part[3], &end) != 3)
		return false;
	return text[end] == '\0' && part[2] < PCI_DEVICES && part[3] < PCI_FUNCTIONS;
}

/** @return 0; else the exit status plus one */
static int
read_args(struct args *a, int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, "n:t:r:j:m:f:h", options, NULL)) >= 0) {
		char name[] = {'-', (char)c, '\0'};

		if (c == 'h') {
			fputs(usage, stdout);
			return 1;
		}
		if (c == OPT_VERSION) {
			puts("ringbell-litmus (Ringbell) " RINGBELL_VERSION);
			return 1;
		}
		if (c == '?')
			return STATUS_USAGE + 1;
		if (!set_option(a, c, optarg))
			return complain_of(name, optarg, "not a value of this option; see --help") +
			       1;
	}
	if (argc - optind != 1) {
		fputs("ringbell-litmus: one PORT is needed; see --help\n", stderr);
		return STATUS_USAGE + 1;
	}
	a->port = argv[optind];
	if (!is_port(a->port))
		return complain_of("PORT", a->port,
				   "neither a PCI address, such as 05:00.0, nor an emulated port; "
				   "see --help") +
		       1;
	return 0;
}

static int
write_result(const struct args *a, const struct ntb_port_info *info, const struct session *s,
	     const struct result *r)
{
	FILE *f = stdout;

	if (!a->json || strcmp(a->json, "-") != 0)
		out_text(s, r);
	if (!a->json)
		return 0;
	if (strcmp(a->json, "-") != 0)
		f = fopen(a->json, "w");
	if (f)
		out_json(f, info, s, r);
	if (!f || ferror(f) || (f != stdout ? fclose(f) : fflush(f)) != 0)
		return complain_of("--json", a->json, strerror(errno));
	return 0;
}

static bool
is_right(const struct session *s, const struct result *r)
{
	unsigned int i;

	for (i = 0; i < r->tests; i++)
		if (!r->test[i].control && r->test[i].violations + r->test[i].lost > 0)
			return false;
	return s->ended[0] == '\0';
}

/* As many rounds as the more modest side wants: both must do the same. */
static bool
agree_rounds(struct session *s, uint64_t *rounds)
{
	const uint64_t mine[VALUES] = {*rounds};
	uint64_t theirs[VALUES];

	if (!session_values(s, mine, theirs))
		return false;
	if (theirs[0] == 0)
		return session_end(s, "the peer wants no rounds");
	*rounds = theirs[0] < *rounds ? theirs[0] : *rounds;
	return true;
}

static void
run_checks(const struct args *a, struct ntb_port *port, uint8_t *region, size_t len,
	   struct session *s, struct result *r)
{
	uint64_t rounds = (uint64_t)a->rounds;

	if (session_open(s, port, region, len, (unsigned int)a->timeout) &&
	    session_notes(s, a->note) && agree_rounds(s, &rounds) && check_places(s, r) &&
	    check_doorbells(s, r) && check_order(s, r, rounds) && check_speed(s, r))
		session_close(s);
}

static int
try_port(const struct args *a)
{
	static struct session session;
	static struct result result;
	struct ntb_port_info info;
	uint8_t *region;
	size_t len;
	int ret;

	if (ports_find(&info, 1, "") != 1)
		return complain_of("PORT", a->port,
				   "no NT port there; is it bound, is the name right?");
	if (port_lacks(info.port) != NULL)
		return complain_of("PORT", a->port,
				   "it lacks doorbells, scratchpads or a flush of its own, which "
				   "these tests use; ringbell-port-test does without");
	len = RTE_ALIGN_FLOOR((size_t)a->region, (size_t)DATA_AT);
	if (len > info.window_size)
		len = info.window_size;
	if (port_start(&info, len, &region) < 0)
		return STATUS_WRONG;
	memset(region, 0, len);
	if (a->fault &&
	    rte_rawdev_set_attr(info.port->dev_id, a->fault, (uint64_t)a->fault_value) != 0)
		ret = complain_of("--fault", a->fault, "not an attribute of this port");
	else {
		run_checks(a, info.port, region, len, &session, &result);
		ret = write_result(a, &info, &session, &result);
		if (ret == 0 && !is_right(&session, &result))
			ret = STATUS_WRONG;
	}
	ntb_port_stop(info.port);
	return ret;
}

int
main(int argc, char **argv)
{
	static struct args args = {.rounds = 1000000, .timeout = 60, .region = REGION};
	int ret = read_args(&args, argc, argv);

	if (ret)
		return ret - 1;
	if (eal_start(argv[0], args.port, NULL) < 0)
		return STATUS_WRONG;
	ret = try_port(&args);
	eal_end();
	return ret;
}
