/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include "cli.h"
#include "direction.h"
#include "eal.h"
#include "order.h"
#include "out.h"
#include "path.h"
#include "ports.h"
#include "peer.h"
#include "rates.h"

enum {
	STATUS_WRONG = 1,
	PCI_DEVICES = 32, /* of a bus */
	PCI_FUNCTIONS = 8,
};

#define EMULATED "raw_ntb_"

struct args {
	long rounds, region;
	int timeout;
	const char *json;
	char note[NOTE_MAX];
	char fault[64]; /* attribute of an emulated port, for tests */
	long fault_value;
	const char *port;
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

static const char *
read_fault(void *args, const char *text)
{
	struct args *a = args;
	size_t len = strcspn(text, "=");

	if (text[len] == '\0' || len >= sizeof(a->fault) ||
	    !cli_number(text + len + 1, 0, 1e12, true, &a->fault_value))
		return "must be NAME=N";
	snprintf(a->fault, sizeof(a->fault), "%.*s", (int)len, text);
	return NULL;
}

static const struct cli_option options[] = {
	{"rounds", 'n', CLI_NUMBER, "N", "1000000", "of each test of order", AT(rounds), 1,
	 1ull << 32},
	{"timeout", 't', CLI_INT, "S", "60", "seconds to wait for the peer", AT(timeout), 1, 86400},
	{"region", 'r', CLI_SIZE, "SIZE", "4M", "of this side's memory that is tried, 1M to 64G",
	 AT(region), REGION_MIN, 64ull << 30},
	{"json", 'j', CLI_TEXT, "FILE", NULL,
	 "write JSON there; - is standard output, then without text", AT(json)},
	{"note", 'm', CLI_READ, "FILE", NULL,
	 "give the peer the text of FILE, of 8191 bytes at most", .read = read_note},
	{"fault", 'f', CLI_READ, "NAME=N", NULL,
	 "set an attribute of an emulated port, such as fault_db_drop=3", .read = read_fault},
	{0},
};

static const struct cli line = {
	.usage = "order [OPTION]... PORT",
	.about = "Try the cable of an NT port together with the same command at its other end:\n"
		 "stores both ways, the window's places, doorbells, the rules of order that "
		 "Ringbell\n"
		 "stands on, speed. PORT is a PCI address, or an emulated port as in\n"
		 "raw_ntb_plx_emu0,cable=FILE,end=0.\n",
	.options = options,
};

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

static void
read_args(struct args *a, int argc, char **argv)
{
	int first = cli_read_or_exit(&line, a, argc, argv);

	if (argc - first != 1)
		cli_fail(CLI_USAGE, "one PORT is needed; see --help");
	a->port = argv[first];
	if (!is_port(a->port))
		cli_fail(CLI_USAGE,
			 "PORT %s: neither a PCI address, such as 05:00.0, nor an "
			 "emulated port; see --help",
			 a->port);
}

static int
write_result(const struct args *a, const struct ntb_port_info *info, const struct session *s,
	     const struct result *r)
{
	if (!a->json || strcmp(a->json, "-") != 0)
		out_text(s, r);
	if (!a->json || out_json(a->json, info, s, r) == 0)
		return 0;
	cli_say("--json %s: %s", a->json, strerror(errno));
	return CLI_USAGE;
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

/* Without a fence or for a test that proves nothing, so much less of it. */
enum {
	CONTROL_SHARE = 10,
};

static int
flush_session(void *ctx)
{
	struct session *s = ctx;

	if (ntb_flush(s->port) == 0)
		return 0;
	session_end(s, "a read through the window failed: the link is dead");
	return -1;
}

static struct order_end
end_of(struct session *s)
{
	return (struct order_end){.port = s->port,
				  .in = s->in,
				  .out = s->out,
				  .watch = s->watch,
				  .flush = flush_session,
				  .stays = true};
}

static bool
send_rule(struct direction *d)
{
	const struct order_end end = end_of(d->s);

	return order_send(&end, d->rule, d->rounds, d->base) == d->rounds ||
	       session_end(d->s, "no second thread");
}

static bool
receive_rule(struct direction *d)
{
	const struct order_end end = end_of(d->s);
	struct order_outcome o;
	bool ok = order_receive(&end, d->rule, d->rounds, d->base, &o);

	d->test.rounds = d->rounds;
	d->test.violations = o.violations;
	d->test.lost = o.lost;
	return ok || session_end(d->s, "%d doorbells did not arrive", ORDER_LOST_MOST);
}

/* Scratchpads may have words of an earlier run, so "ringbell-port test" has their rule. */
static bool
check_order(struct session *s, struct result *r, uint64_t rounds)
{
	const struct order_rule *rule = order_rules;
	uint64_t i;

	for (i = 0; rule[i].name != NULL; i++) {
		struct direction d = {
			.s = s,
			.r = r,
			.test = {.name = rule[i].name,
				 .title = rule[i].title,
				 .control = rule[i].control},
			.send = send_rule,
			.receive = receive_rule,
			.rule = &rule[i],
			.rounds = rule[i].control ? rounds / CONTROL_SHARE + 1 : rounds,
			.base = (2 * i + 2) << 40,
		};

		if (rule[i].way != BY_SCRATCHPAD && !both_directions(&d))
			return false;
	}
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
try_it(const struct args *a, const struct ntb_port_info *info)
{
	static struct session session;
	static struct result result;
	uint8_t *region;
	size_t len;
	int ret;

	len = RTE_ALIGN_FLOOR((size_t)a->region, (size_t)DATA_AT);
	if (len > info->window_size)
		len = info->window_size;
	if (port_start(info, len, &region) < 0)
		return STATUS_WRONG;
	memset(region, 0, len);
	ret = CLI_USAGE;
	if (a->fault[0] != '\0' &&
	    rte_rawdev_set_attr(info->port->dev_id, a->fault, (uint64_t)a->fault_value) != 0)
		cli_say("--fault %s: not an attribute of this port", a->fault);
	else {
		run_checks(a, info->port, region, len, &session, &result);
		ret = write_result(a, info, &session, &result);
		if (ret == 0 && !is_right(&session, &result))
			ret = STATUS_WRONG;
	}
	ntb_port_stop(info->port);
	return ret;
}

static int
try_port(const struct args *a)
{
	struct ntb_port_info info;

	if (ports_find(&info, 1, "") != 1)
		cli_say("PORT %s: no NT port there; is it bound, is the name right?", a->port);
	else if (port_lacks(info.port) != NULL)
		cli_say("PORT %s: it lacks doorbells, scratchpads or a flush of its own, which "
			"these "
			"tests use; ringbell-port test does without",
			a->port);
	else
		return try_it(a, &info);
	return CLI_USAGE;
}

int
peer_main(int argc, char **argv)
{
	static struct args args;
	int ret;

	read_args(&args, argc, argv);
	if (eal_start(args.port, NULL, NULL) < 0)
		return STATUS_WRONG;
	ret = try_port(&args);
	eal_end();
	return ret;
}
