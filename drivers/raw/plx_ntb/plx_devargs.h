/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DEVARGS_H
#define PLX_DEVARGS_H

#include "plx_io_model.h"

struct rte_kvargs;

/* Of any port: steps of bring-up to leave out. */
#define PLX_PORT_DEVARGS "safe=<0|1> alut=<0|1> find=<0|1> proof=<0|1>"
/* Of an emulated one besides. */
#define PLX_EMU_DEVARGS                                                                     \
	PLX_PORT_DEVARGS " cable=<path> end=<0|1> hosts=<1..64> host=<number> chips=<1|2> " \
			 "bar2=<1M..256G> bar4=<0|1> chip=<8749, ...> nt=<0|1> "            \
			 "stores=<requester id> bridge=<0|1> late=<0|1> hide=<0|1> "        \
			 "mask=<doorbells+scratchpads+flush+files>"

/* Parse the devargs of a PCI port, "" for none. Logs one line for a wrong one. 0 or -EINVAL. */
int plx_devargs_parse_port(const char *text, const char *name, uint32_t *ret_skips);

/* Parse the devargs of an emulated adapter into @p args, with defaults for those left out; `cable`
 * points into what is returned, to be freed. NULL, with one line of log, for wrong ones. */
struct rte_kvargs *plx_devargs_parse(const char *text, const char *name, struct plx_emu_args *args);

#endif /* PLX_DEVARGS_H */
