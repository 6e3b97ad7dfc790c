/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_kvargs.h>

#include "dpdk_compat.h"
#include "plx_devargs.h"
#include "plx_log.h"
#include "plx_regs.h"

#define PLX_EMU_HOSTS_MAX 64
#define LATE_NS 20000 /* by default, with noise */
#define LATE_MAX 1000000000u
#define FLAPS_MAX 1000000u
#define SLOW_MAX 1000000u
#define BAR2_MAX (1ull << 38) /* beyond it no process has room for two windows */

/* A number with an optional K, M or G; false for anything else. */
static bool
parse_number(const char *text, int base, uint64_t *ret)
{
	static const char units[] = "KMG";
	unsigned int shift = 0;
	const char *unit;
	char *end;
	uint64_t v;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	v = strtoull(text, &end, base);
	if (errno != 0)
		return false;
	unit = *end == '\0' ? NULL : strchr(units, toupper((unsigned char)*end));
	if (unit != NULL) {
		shift = 10 * (unit - units + 1);
		end++;
	}
	if (*end != '\0' || v > UINT64_MAX >> shift)
		return false;
	*ret = v << shift;
	return true;
}

static bool
set_cable(struct plx_emu_args *a, const char *value)
{
	a->cable = value;
	return value[0] != '\0';
}

static bool
set_small(unsigned int *dst, const char *value, unsigned int min, unsigned int max)
{
	uint64_t v;

	if (!parse_number(value, 10, &v) || v < min || v > max)
		return false;
	*dst = v;
	return true;
}

static bool
set_end(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->end, value, 0, 1);
}

static bool
set_hosts(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->hosts, value, 1, PLX_EMU_HOSTS_MAX);
}

static bool
set_host(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->host, value, 0, PLX_EMU_HOSTS_MAX - 1);
}

static bool
set_nt(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->nt, value, 0, 1);
}

static bool
set_gen(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->gen, value, 1, 3);
}

static bool
set_width(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->width, value, 1, 16) && rte_is_power_of_2(a->width);
}

/* People write part numbers as they are printed: 8749 means 0x8749. */
static bool
set_chip(struct plx_emu_args *a, const char *value)
{
	uint64_t v;

	if (!parse_number(value, 16, &v) || (v & ~0xffull) != 0x8700)
		return false;
	a->chip = v;
	return true;
}

static bool
set_stores(struct plx_emu_args *a, const char *value)
{
	uint64_t v;

	if (!parse_number(value, 16, &v) || v > UINT16_MAX)
		return false;
	a->stores = v;
	return true;
}

static bool
set_bridge(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->bridge, value, 0, 1);
}

/* Words joined by +. */
static bool
set_mask(struct plx_emu_args *a, const char *value)
{
	static const struct {
		const char *word;
		unsigned int lacks;
	} masks[] = {{"doorbells", PLX_LACKS_DOORBELLS},
		     {"scratchpads", PLX_LACKS_SPADS},
		     {"flush", PLX_LACKS_FLUSH},
		     {"files", PLX_LACKS_FILES}};
	size_t len;
	unsigned int i;

	for (;; value += len + 1) {
		len = strcspn(value, "+");
		for (i = 0; i < RTE_DIM(masks); i++)
			if (strlen(masks[i].word) == len && strncmp(masks[i].word, value, len) == 0)
				break;
		if (i == RTE_DIM(masks))
			return false;
		a->lacks |= masks[i].lacks;
		if (value[len] == '\0')
			return true;
	}
}

static bool
set_bar4(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->bar4, value, 0, 1);
}

static bool
set_bar2(struct plx_emu_args *a, const char *value)
{
	return parse_number(value, 0, &a->bar2) && a->bar2 >= PLX_WIN_MIN_SIZE &&
	       a->bar2 <= BAR2_MAX && (a->bar2 & (a->bar2 - 1)) == 0;
}

static bool
set_noise(struct plx_emu_args *a, const char *value)
{
	a->noisy = true;
	return set_small(&a->noise, value, 0, UINT32_MAX);
}

static bool
set_late(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->late, value, 0, LATE_MAX);
}

static bool
set_flaps(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->flaps, value, 0, FLAPS_MAX);
}

static bool
set_slow(struct plx_emu_args *a, const char *value)
{
	return set_small(&a->slow, value, 0, SLOW_MAX);
}

static const struct key {
	const char *name;
	bool (*set)(struct plx_emu_args *a, const char *value);
	const char *want;
} keys[] = {
	{"cable", set_cable, "the path of a cable file"},
	{"end", set_end, "0 or 1"},
	{"hosts", set_hosts, "1 to 64, the hosts of a ring whose chips have two NT ports"},
	{"host", set_host, "the number of this host, from 0"},
	{"bar2", set_bar2, "a power of two of 1M..256G"},
	{"chip", set_chip, "a PEX part number such as 8749"},
	{"nt", set_nt, "0 or 1"},
	{"gen", set_gen, "1, 2 or 3"},
	{"width", set_width, "1, 2, 4, 8 or 16"},
	{"stores", set_stores, "the requester id of the CPU's stores, four hex digits"},
	{"bar4", set_bar4, "1, or 0 for an adapter with BAR2 alone"},
	{"mask", set_mask, "any of doorbells, scratchpads, flush, files, joined by +,"},
	{"bridge", set_bridge, "0, or 1 for windows that are used as an adapter's"},
	{"noise", set_noise, "a seed of 32 bits"},
	{"late", set_late, "0 to 1000000000 nanoseconds that posted writes take"},
	{"flaps", set_flaps, "0 to 1000000 milliseconds between losses of the link"},
	{"slow", set_slow, "0 to 1000000 nanoseconds that register accesses take"},
};

static int
parse_pair(const struct rte_kvargs *kv, const char *name, unsigned int pair,
	   struct plx_emu_args *args)
{
	const char *key = kv->pairs[pair].key;
	const char *value = kv->pairs[pair].value;
	unsigned int i;

	for (i = 0; i < RTE_DIM(keys); i++) {
		if (strcmp(keys[i].name, key) != 0)
			continue;
		if (rte_kvargs_count(kv, key) > 1) {
			PLX_LOG(ERR, name, "devarg %s is given more than once", key);
			return -EINVAL;
		}
		if (value == NULL || !keys[i].set(args, value)) {
			PLX_LOG(ERR, name, "devarg %s=%s: %s is needed", key,
				value == NULL ? "" : value, keys[i].want);
			return -EINVAL;
		}
		return 0;
	}
	PLX_LOG(ERR, name, "unknown devarg %s; known are " PLX_DEVARGS_HELP, key);
	return -EINVAL;
}

/* An end of a cable, or a host of a ring. */
static bool
place_given(const struct rte_kvargs *kv, const char *name, const struct plx_emu_args *args)
{
	const char *missing = NULL, *what = NULL;

	if (args->cable == NULL) {
		missing = "cable";
		what = "a file that both ends share, empty at first";
	} else if (args->hosts == 0 && rte_kvargs_count(kv, "end") == 0) {
		missing = "end";
		what = "0 for one end of the cable, 1 for the other";
	} else if (args->hosts != 0 && rte_kvargs_count(kv, "host") == 0) {
		missing = "host";
		what = "the number of this host on the ring";
	}
	if (missing != NULL)
		PLX_LOG(ERR, name, "devarg %s= is missing: %s", missing, what);
	else if (args->hosts != 0 && rte_kvargs_count(kv, "end") != 0)
		PLX_LOG(ERR, name, "devarg end= is for a cable of its own, hosts= for a ring");
	else if (args->hosts != 0 && args->host >= args->hosts)
		PLX_LOG(ERR, name, "devarg host=%u: a ring of %u hosts ends at %u", args->host,
			args->hosts, args->hosts - 1);
	else if (args->hosts != 0 && args->chip == 0x8732)
		PLX_LOG(ERR, name, "devarg hosts=%u: a PEX 8732 has one NT port", args->hosts);
	else
		return true;
	return false;
}

int
plx_devargs_parse(const struct rte_kvargs *kv, const char *name, struct plx_emu_args *args)
{
	unsigned int i;
	int ret;

	*args = (struct plx_emu_args){
		.chip = 0x8749,
		.gen = 3,
		.width = 8,
		.stores = 0x0018, /* as its loads: 00:03.0 */
		.bar2 = 256ull << 20,
		.bar4 = 1,
		.late = LATE_NS,
	};
	for (i = 0; i < kv->count; i++) {
		ret = parse_pair(kv, name, i, args);
		if (ret < 0)
			return ret;
	}
	if (!place_given(kv, name, args))
		return -EINVAL;
	if (!args->bar4 && args->bar2 < PLX_WIN_SHARED_MIN) {
		PLX_LOG(ERR, name, "devarg bar4=0: BAR2 needs 2M then, half of it for registers");
		return -EINVAL;
	}
	if (!args->noisy &&
	    (rte_kvargs_count(kv, "late") != 0 || rte_kvargs_count(kv, "flaps") != 0)) {
		PLX_LOG(ERR, name, "devargs late= and flaps= need noise=, the seed");
		return -EINVAL;
	}
	if (args->chip == 0x8732 && args->nt != 0) {
		PLX_LOG(ERR, name, "devarg nt=1: a PEX 8732 has one NT port, number 0");
		return -EINVAL;
	}
	return 0;
}
