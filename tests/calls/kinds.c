/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <stddef.h>

#include "kinds.h"

const struct kind_row kinds[KINDS] = {
#define KIND(K, name, weight, part, ref) {#K, weight, part, make_##name, ref, run_##name},
	KIND_LIST(KIND)};

const char *const form_names[FORMS] = {"p",	  "put",	"put_nbi",	  "iput", "ibput",
				       "store",	  "put_signal", "put_signal_nbi", "g",	  "get",
				       "get_nbi", "iget",	"ibget"};
const char *const amo_names[AMOS][2] = {
	{"fetch", "fetch"},    {"swap", "swap"},      {"compare_swap", "cswap"},
	{"fetch_inc", "finc"}, {"fetch_add", "fadd"}, {"fetch_and", NULL},
	{"fetch_or", NULL},    {"fetch_xor", NULL},   {"set", "set"},
	{"inc", "inc"},	       {"add", "add"},	      {"and", NULL},
	{"or", NULL},	       {"xor", NULL},
};
const char *const wait_names[WAITS] = {"", "_all", "_any", "_some"};
const char *const coll_names[COLLS] = {"broadcast",  "collect",	   "fcollect",	 "alltoall",
				       "alltoalls",  "and_reduce", "or_reduce",	 "xor_reduce",
				       "max_reduce", "min_reduce", "sum_reduce", "prod_reduce",
				       "sum_inscan", "sum_exscan"};
