/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DEVARGS_H
#define PLX_DEVARGS_H

#include "plx_io_model.h"

struct rte_kvargs;

/* KEY(name, kind, member of struct plx_emu_args, least, most, values, what is wanted). Kinds: TEXT;
 * NUMBER; FLAG, whose value may be left out for 1; POWER, a power of two; HEX; WORDS, see
 * plx_devargs.c; SWITCH: the value `least` sets the bits `most`. */

/* Those of any port: steps of bring-up to leave out. */
#define PLX_SWITCHES(KEY)                                             \
	KEY("safe", SWITCH, skips, 1, PLX_SKIP_ALL, "0|1", "0 or 1")  \
	KEY("alut", SWITCH, skips, 0, PLX_SKIP_ALUT, "0|1", "0 or 1") \
	KEY("find", SWITCH, skips, 0, PLX_SKIP_FIND, "0|1", "0 or 1") \
	KEY("proof", SWITCH, skips, 0, PLX_SKIP_PROOF, "0|1", "0 or 1")

/* Those of an emulated port besides. */
#define PLX_DEVARGS(KEY)                                                                          \
	KEY("cable", TEXT, cable, 1, 0, "path", "the path of a cable file")                       \
	KEY("end", NUMBER, end, 0, 1, "0|1", "0 or 1")                                            \
	KEY("hosts", NUMBER, hosts, 1, 64, "1..64",                                               \
	    "1 to 64, the hosts of a ring whose chips have two NT ports")                         \
	KEY("host", NUMBER, host, 0, 63, "number", "the number of this host, from 0")             \
	KEY("chips", NUMBER, chips, 1, 2, "1|2", "1 or 2, the chips of a host with two NT ports") \
	/* beyond 256G no process has room for two windows */                                     \
	KEY("bar2", POWER, bar2, 1ull << 20, 1ull << 38, "bytes[K|M|G]",                          \
	    "a power of two of 1M..256G")                                                         \
	KEY("chip", HEX, chip, 0x8700, 0x87ff, "part number", "a PEX part number such as 8749")   \
	KEY("nt", NUMBER, nt, 0, 1, "0|1", "0 or 1")                                              \
	KEY("stores", HEX, stores, 0, 0xffff, "requester id",                                     \
	    "the requester id of the CPU's stores, four hex digits")                              \
	KEY("bridge", FLAG, bridge, 0, 1, "0|1",                                                  \
	    "0, or 1 for windows that are used as an adapter's")                                  \
	KEY("mask", WORDS, lacks, 0, 0, "doorbells+scratchpads+flush+files",                      \
	    "any of doorbells, scratchpads, flush, files, joined by +,")                          \
	KEY("bar4", FLAG, bar4, 0, 1, "0|1", "1, or 0 for an adapter with BAR2 alone")            \
	KEY("late", FLAG, late, 0, 1, "0|1",                                                      \
	    "0, or 1 for posted writes that arrive when a read follows")                          \
	KEY("hide", NUMBER, hide, 0, 3, "0..3", "a sum of 1 and 2 (PLXM_HIDE_*)")

#define PLX_DEVARG_HELP(name, kind, member, least, most, values, want) name "=<" values "> "
#define PLX_PORT_DEVARGS PLX_SWITCHES(PLX_DEVARG_HELP)
#define PLX_DEVARGS_HELP PLX_PORT_DEVARGS PLX_DEVARGS(PLX_DEVARG_HELP)

/* Parse the devargs of a PCI port, "" for none. Logs one line for a wrong one. 0 or -EINVAL. */
int plx_devargs_parse_port(const char *text, const char *name, uint32_t *ret_skips);

/* Parse the devargs of an emulated adapter into @p args, with defaults for those left out;
 * `cable` points into @p kv. Logs one line for a wrong one. 0 or -EINVAL. */
int plx_devargs_parse(const struct rte_kvargs *kv, const char *name, struct plx_emu_args *args);

#endif /* PLX_DEVARGS_H */
