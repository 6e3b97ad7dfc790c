/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DEVARGS_H
#define PLX_DEVARGS_H

#include "plx_io_model.h"

struct rte_kvargs;

/* Parse the devargs of an emulated adapter into @p args, with defaults for those left out;
 * `cable` points into @p kv. Logs one line for a wrong one. 0 or -EINVAL. */
int plx_devargs_parse(const struct rte_kvargs *kv, const char *name, struct plx_emu_args *args);

#define PLX_DEVARGS_HELP                                                                     \
	"cable=<path> end=<0|1> hosts=<1..64> host=<number> bar2=<bytes[K|M|G]> chip=<part " \
	"number> nt=<0|1> gen=<1..3> "                                                       \
	"width=<1|2|4|8|16> stores=<requester id> bridge=<0|1> "                             \
	"mask=<doorbells+scratchpads+flush+files> bar4=<0|1> "                               \
	"noise=<seed> late=<nanoseconds> flaps=<milliseconds> slow=<nanoseconds>"

#endif /* PLX_DEVARGS_H */
