/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_kvargs.h>

#include "dpdk_compat.h"
#include "ntb_rawdev.h"
#include "plx_devargs.h"
#include "ntb_log.h"
#include "plx_regs.h"

enum {
	SWITCHES = 4, /* devargs of any port, which come first */
	LACKING = UINT16_MAX,
};

/* People write part numbers as they are printed: 8749 means 0x8749. */
static int
take_hex(const struct ntb_devarg *d, const char *value)
{
	char *end = NULL;
	unsigned long v = value == NULL ? 0 : strtoul(value, &end, 16);

	if (end == value || *end != '\0' || v < d->least || v > d->most)
		return -EINVAL;
	*(unsigned int *)d->to = (unsigned int)v;
	return 0;
}

static int
take_window(const struct ntb_devarg *d, const char *value)
{
	const uint64_t most = 1ull << 38; /* no process has room for two that are larger */
	uint64_t size = value == NULL ? 0 : rte_str_to_size(value);

	*(uint64_t *)d->to = size;
	return size < PLX_WIN_MIN_SIZE || size > most || !rte_is_power_of_2(size >> 20) ? -EINVAL
											: 0;
}

/* What the port does not offer, PLX_LACKS_* by their bits, joined by +. */
static int
take_mask(const struct ntb_devarg *d, const char *value)
{
	static const char *const words[] = {"doorbells", "scratchpads", "flush", "files"};
	unsigned int *lacks = d->to, i;
	size_t len;

	for (; value != NULL; value = value[len] == '\0' ? NULL : value + len + 1) {
		len = strcspn(value, "+");
		for (i = 0; i < RTE_DIM(words); i++)
			if (strlen(words[i]) == len && strncmp(words[i], value, len) == 0)
				break;
		if (i == RTE_DIM(words))
			return -EINVAL;
		*lacks |= 1u << i;
	}
	return *lacks == 0 ? -EINVAL : 0;
}

/* @p adapter: no emulated port, so switches alone. */
static struct rte_kvargs *
parse_all(const char *text, const char *name, struct plx_emu_args *a, bool adapter)
{
	unsigned int safe = 0, alut = 1, find = 1, proof = 1;
	const struct ntb_devarg list[] = {
		{"safe", ntb_devarg_number, &safe, 0, 1},
		{"alut", ntb_devarg_number, &alut, 0, 1},
		{"find", ntb_devarg_number, &find, 0, 1},
		{"proof", ntb_devarg_number, &proof, 0, 1},
		{"cable", ntb_devarg_text, &a->cable, 0, 0},
		{"end", ntb_devarg_number, &a->end, 0, 1},
		{"hosts", ntb_devarg_number, &a->hosts, 1, 64},
		{"host", ntb_devarg_number, &a->host, 0, 63},
		{"chips", ntb_devarg_number, &a->chips, 1, 2},
		{"bar2", take_window, &a->bar2, 0, 0},
		{"bar4", ntb_devarg_number, &a->bar4, 0, 1},
		{"chip", take_hex, &a->chip, 0x8700, 0x87ff},
		{"nt", ntb_devarg_number, &a->nt, 0, 1},
		{"stores", take_hex, &a->stores, 0, UINT16_MAX},
		{"bridge", ntb_devarg_number, &a->bridge, 0, 1},
		{"late", ntb_devarg_number, &a->late, 0, 1},
		{"hide", ntb_devarg_number, &a->hide, 0, 1},
		{"mask", take_mask, &a->lacks, 0, 0},
	};
	struct rte_kvargs *kv =
		ntb_devargs_parse(text, list, adapter ? (unsigned int)SWITCHES : RTE_DIM(list),
				  name, adapter ? PLX_PORT_DEVARGS : PLX_EMU_DEVARGS);

	a->skips = safe ? (uint32_t)PLX_SKIP_ALL
			: (alut ? 0u : PLX_SKIP_ALUT) | (find ? 0u : PLX_SKIP_FIND) |
				   (proof ? 0u : PLX_SKIP_PROOF);
	return kv;
}

int
plx_devargs_parse_port(const char *text, const char *name, uint32_t *ret_skips)
{
	struct plx_emu_args args = {.skips = 0};
	struct rte_kvargs *kv = parse_all(text, name, &args, true);

	*ret_skips = args.skips;
	rte_kvargs_free(kv);
	return kv == NULL ? -EINVAL : 0;
}

/* An end of a cable, or a host of a ring. NULL: all is well. */
static const char *
find_mistake(const struct plx_emu_args *a)
{
	if (a->cable == NULL)
		return "cable= is missing: a file that both ends share, empty at first";
	if (a->hosts == 0 && a->end == LACKING)
		return "end= is missing: 0 for one end of the cable, 1 for the other";
	if (a->hosts == 0 && a->chips == 1)
		return "chips=1 is for a ring, which hosts= gives";
	if (a->hosts != 0 && a->end != LACKING)
		return "end= is for a cable of its own, hosts= for a ring";
	if (a->hosts != 0 && a->host >= a->hosts)
		return "host= is the number of this host on the ring, from 0 and below hosts=";
	if (!a->bar4 && a->bar2 < PLX_WIN_SHARED_MIN)
		return "bar4=0: BAR2 needs 2M then, half of it for registers";
	/* nobody flushes windows that are memory, and without a flush the window is read, which
	 * the model does not see */
	if (a->late && (!a->bridge || (a->lacks & PLX_LACKS_FLUSH)))
		return "late=1 needs bridge=1, and no flush in mask=";
	return NULL;
}

struct rte_kvargs *
plx_devargs_parse(const char *text, const char *name, struct plx_emu_args *args)
{
	struct rte_kvargs *kv;
	const char *mistake;

	*args = (struct plx_emu_args){
		.end = LACKING,
		.host = LACKING,
		.chips = 2,
		.chip = 0x8749,
		.stores = 0x0018, /* as its loads: 00:03.0 */
		.bar2 = 256ull << 20,
		.bar4 = 1,
	};
	kv = parse_all(text, name, args, false);
	mistake = kv == NULL ? NULL : find_mistake(args);
	if (mistake == NULL)
		return kv;
	NTB_LOG(ERR, name, "devarg %s", mistake);
	rte_kvargs_free(kv);
	return NULL;
}
