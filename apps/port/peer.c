/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "cli.h"
#include "direction.h"
#include "eal.h"
#include "peer.h"
#include "ports.h"
#include "rates.h"

enum {
	STATUS_WRONG = 1,
};

struct args {
	long rounds, region;
	int timeout;
	const char *json;
	char note[NOTE_MAX];
};

#define AT(member) .at = offsetof(struct args, member)

static const char *
read_note(void *args, const char *name)
{
	char *note = ((struct args *)args)->note;
	FILE *f = fopen(name, "r");
	size_t n;

	if (f == NULL)
		return strerror(errno);
	n = fread(note, 1, NOTE_MAX, f);
	fclose(f);
	if (n == NOTE_MAX)
		return "a note has 8191 bytes at most";
	note[n] = '\0';
	return NULL;
}

static const struct cli_option options[] = {
	{"rounds", 'n', CLI_NUMBER, "N", "1000000", "of each test of order", AT(rounds), 1,
	 1ull << 32},
	{"timeout", 't', CLI_INT, "S", "60", "seconds to wait for the peer", AT(timeout), 1, 86400},
	{"region", 'r', CLI_SIZE, "SIZE", "4M", "of this side's memory that is tried, 1M to 64G",
	 AT(region), REGION_MIN, 64ull << 30},
	{"json", 'j', CLI_TEXT, "FILE", "-", "write the result there; - is standard output",
	 AT(json)},
	{"note", 'm', CLI_READ, "FILE", NULL,
	 "give the peer the text of FILE, of 8191 bytes at most", .read = read_note},
	{0},
};

static const struct cli line = {
	.usage = "order [OPTION]... PORT",
	.about = "Try the cable of an NT port together with the same command at its other end:\n"
		 "stores both ways, the window's places, doorbells, the rules of order that\n"
		 "Ringbell stands on, speed. The result is JSON; ringbell-doctor starts this, and\n"
		 "says in words what was found. PORT is a PCI address, or an emulated port as in\n"
		 "raw_ntb_plx_emu0,cable=FILE,end=0.\n",
	.options = options,
};

static int
write_result(const struct args *a, const struct ntb_port_info *info, const struct session *s)
{
	uint64_t caps = info->port->caps;
	json_t *note = json_string(s->note), *all;
	int ret;

	all = json_pack(
		"{s:s,s:I,s:I,s:b,s:b,s:I,s:s,s:s,s:o,s:o,s:o,s:o}", "port", info->location,
		"window", (json_int_t)info->window_size, "align", (json_int_t)info->window_align,
		"emulated", (caps & NTB_CAP_WINDOW_IS_MEMORY) != 0, "combining",
		(caps & NTB_CAP_WINDOW_WC) != 0, "region", (json_int_t)s->len, "ended", s->ended,
		"stores", s->stores, "note", note != NULL ? note : json_string(""), "tests",
		s->tests, "bandwidth", s->bandwidth, "latency", s->latency);
	if (strcmp(a->json, "-") == 0)
		ret = json_dumpf(all, stdout, JSON_INDENT(1)) | fflush(stdout);
	else
		ret = json_dump_file(all, a->json, JSON_INDENT(1));
	json_decref(all);
	if (ret == 0)
		return s->wrong || s->ended[0] != '\0' ? STATUS_WRONG : 0;
	cli_say("--json %s: %s", a->json, strerror(errno));
	return CLI_USAGE;
}

static int
try_port(const struct args *a, const struct ntb_port_info *info)
{
	static struct session s;
	size_t len = RTE_ALIGN_FLOOR((size_t)a->region, (size_t)DATA_AT);
	uint8_t *region;
	int ret;

	if (info->port->db_count == 0 || info->port->spad_count == 0 ||
	    info->port->ops->flush == NULL) {
		cli_say("PORT %s: it lacks doorbells, scratchpads or a flush of its own, which "
			"these tests use; ringbell-port test does without",
			info->location);
		return CLI_USAGE;
	}
	len = RTE_MIN(len, (size_t)info->window_size);
	if (port_start(info, len, &region) < 0)
		return STATUS_WRONG;
	memset(region, 0, len);
	s.tests = json_array();
	s.bandwidth = json_array();
	s.latency = json_pack("{s:i}", "count", 0);
	if (session_open(&s, info->port, region, len, (unsigned int)a->timeout) &&
	    session_notes(&s, a->note) && check_directions(&s, (uint64_t)a->rounds) &&
	    measure_speed(&s))
		session_close(&s);
	ret = write_result(a, info, &s);
	ntb_port_stop(info->port);
	return ret;
}

int
peer_main(int argc, char **argv)
{
	static struct args args;
	int first = cli_read_or_exit(&line, &args, argc, argv), ret = CLI_USAGE;
	struct ntb_port_info info;

	if (argc - first != 1)
		cli_fail(CLI_USAGE, "one PORT is needed; see --help");
	if (eal_start(argv[first], NULL, NULL) < 0)
		return STATUS_WRONG;
	if (ports_find(&info, 1) == 1)
		ret = try_port(&args, &info);
	else
		cli_say("PORT %s: no NT port there; is it bound, is the name right?", argv[first]);
	eal_end();
	return ret;
}
