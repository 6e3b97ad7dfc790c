/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_kvargs.h>

#include "dpdk_compat.h"
#include "plx_devargs.h"
#include "plx_log.h"
#include "plx_regs.h"

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

enum kind {
	TEXT,
	NUMBER,
	FLAG,
	POWER,
	HEX,
	WORDS,
	SWITCH
};

static const struct devarg {
	const char *name;
	enum kind kind;
	size_t at, size; /* of the member of struct plx_emu_args */
	uint64_t least, most;
	const char *want;
} devargs[] = {
#define ROW(name, kind, member, least, most, values, want) \
	{name,                                             \
	 kind,                                             \
	 offsetof(struct plx_emu_args, member),            \
	 sizeof(((struct plx_emu_args *)0)->member),       \
	 least,                                            \
	 most,                                             \
	 want},
	PLX_SWITCHES(ROW) PLX_DEVARGS(ROW)
#undef ROW
};

/* What ports do not offer, joined by +. */
static bool
parse_words(const char *value, uint64_t *ret)
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

	for (*ret = 0;; value += len + 1) {
		len = strcspn(value, "+");
		for (i = 0; i < RTE_DIM(masks); i++)
			if (strlen(masks[i].word) == len && strncmp(masks[i].word, value, len) == 0)
				break;
		if (i == RTE_DIM(masks))
			return false;
		*ret |= masks[i].lacks;
		if (value[len] == '\0')
			return true;
	}
}

static bool
store_value(const struct devarg *d, const char *value, struct plx_emu_args *args)
{
	char *at = (char *)args + d->at;
	uint64_t v = 1;

	if (value == NULL && d->kind != FLAG)
		return false;
	if (d->kind == TEXT) {
		memcpy(at, &value, sizeof(value));
		return value[0] != '\0';
	}
	if (d->kind == SWITCH) {
		if (!parse_number(value, 10, &v) || v > 1)
			return false;
		*(uint32_t *)(void *)at |= v == d->least ? (uint32_t)d->most : 0;
		return true;
	}
	if (d->kind == WORDS) {
		if (!parse_words(value, &v))
			return false;
	} else if (value != NULL) {
		/* people write part numbers as they are printed: 8749 means 0x8749 */
		if (!parse_number(value, d->kind == HEX ? 16 : 0, &v) || v < d->least ||
		    v > d->most)
			return false;
		if (d->kind == POWER && (v & (v - 1)) != 0)
			return false;
	}
	if (d->size == sizeof(v))
		memcpy(at, &v, sizeof(v));
	else
		*(unsigned int *)(void *)at = v;
	return true;
}

/* @p adapter: no emulated port, so switches alone. */
static int
parse_pair(const struct rte_kvargs *kv, const char *name, unsigned int pair,
	   struct plx_emu_args *args, bool adapter)
{
	const char *key = kv->pairs[pair].key;
	const char *value = kv->pairs[pair].value;
	unsigned int i;

	for (i = 0; i < RTE_DIM(devargs); i++) {
		if (strcmp(devargs[i].name, key) != 0 || (adapter && devargs[i].kind != SWITCH))
			continue;
		if (rte_kvargs_count(kv, key) > 1) {
			PLX_LOG(ERR, name, "devarg %s is given more than once", key);
			return -EINVAL;
		}
		if (!store_value(&devargs[i], value, args)) {
			PLX_LOG(ERR, name, "devarg %s=%s: %s is needed", key,
				value == NULL ? "" : value, devargs[i].want);
			return -EINVAL;
		}
		return 0;
	}
	PLX_LOG(ERR, name, "unknown devarg %s; known are %s", key,
		adapter ? PLX_PORT_DEVARGS : PLX_DEVARGS_HELP);
	return -EINVAL;
}

int
plx_devargs_parse_port(const char *text, const char *name, uint32_t *ret_skips)
{
	struct rte_kvargs *kv = rte_kvargs_parse(text, NULL);
	struct plx_emu_args args = {.skips = 0};
	unsigned int i;
	int ret = 0;

	if (kv == NULL) {
		PLX_LOG(ERR, name, "devargs \"%s\": known are %s", text, PLX_PORT_DEVARGS);
		return -EINVAL;
	}
	for (i = 0; ret == 0 && i < kv->count; i++)
		ret = parse_pair(kv, name, i, &args, true);
	rte_kvargs_free(kv);
	*ret_skips = args.skips;
	return ret;
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
	else if (args->hosts == 0 && args->chips == 1)
		PLX_LOG(ERR, name, "devarg chips=1 is for a ring, which hosts= gives");
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
		.chips = 2,
		.chip = 0x8749,
		.stores = 0x0018, /* as its loads: 00:03.0 */
		.bar2 = 256ull << 20,
		.bar4 = 1,
	};
	for (i = 0; i < kv->count; i++) {
		ret = parse_pair(kv, name, i, args, false);
		if (ret < 0)
			return ret;
	}
	if (!place_given(kv, name, args))
		return -EINVAL;
	if (!args->bar4 && args->bar2 < PLX_WIN_SHARED_MIN) {
		PLX_LOG(ERR, name, "devarg bar4=0: BAR2 needs 2M then, half of it for registers");
		return -EINVAL;
	}
	/* nobody flushes windows that are memory, and without a flush the window is read, which
	 * the model does not see */
	if (args->late && (!args->bridge || (args->lacks & PLX_LACKS_FLUSH))) {
		PLX_LOG(ERR, name, "devarg late=1 needs bridge=1, and no flush in mask=");
		return -EINVAL;
	}
	return 0;
}
