/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "perf.h"

#define BOTH (PERF_SIZED | PERF_STATIC)
#define RMA(name, title, unit, who, op, both) name, title, unit, who, BOTH, perf_rma, op, both
#define ATOMIC(name, title, who, op) name, title, REPORT_US, who, PERF_STATIC, perf_atomic, op, 1
#define COLL(name, title, flags, op, both) \
	name, title, REPORT_US, PERF_ALL, PERF_LOCAL | (flags), perf_coll, op, both

#define APP(name, title, op) name, title, REPORT_US, PERF_ALL, PERF_LOCAL, perf_app, op, 1

/* Order of the output: rows to compare with come first, where possible. */
const struct perf_bench perf_benches[] = {
	{"store", "Plain 8 B Store Rate", REPORT_OPS, PERF_FIRST, PERF_LOCAL, perf_local,
	 PERF_STORE, 1},
	{"memcpy", "memcpy within PE 0", REPORT_MBS, PERF_FIRST, PERF_LOCAL | PERF_SIZED,
	 perf_local, PERF_COPY, 1},
	{"copy", "Bare Copy into the Target's Heap", REPORT_MBS, PERF_FIRST, PERF_BARE | PERF_SIZED,
	 perf_local, PERF_COPY_BARE, 1},
	{"flags", "Bare Barrier of a Flag for Each PE and sched_yield", REPORT_US, PERF_ALL,
	 PERF_LOCAL | PERF_ONE, perf_flags, 0, 1},
	{"line", "Bare Word Ping-Pong, Half a Round Trip", REPORT_US, PERF_PAIR, PERF_BARE,
	 perf_pingpong, 1, 2},
	{"lines", "Bare Ping-Pong of Two Lines, Half a Round Trip", REPORT_US, PERF_PAIR, PERF_BARE,
	 perf_pingpong, 2, 2},
	{"pingpong", "Put and wait_until Ping-Pong of 8 B, Half a Round Trip", REPORT_US, PERF_PAIR,
	 0, perf_pingpong, 0, 2},
	{RMA("put_lat", "Put and Quiet Latency", REPORT_US, PERF_FIRST, PERF_PUT | PERF_QUIET, 1)},
	{RMA("get_lat", "Get Latency", REPORT_US, PERF_FIRST, PERF_GET, 1)},
	{RMA("put_bw", "Put Bandwidth and Message Rate", REPORT_MBS, PERF_FIRST, PERF_PUT, 1)},
	{RMA("get_bw", "Get Bandwidth and Message Rate", REPORT_MBS, PERF_FIRST, PERF_GET, 1)},
	{RMA("put_bibw", "Put Bidirectional Bandwidth", REPORT_MBS, PERF_PAIR, PERF_PUT, 2)},
	{RMA("get_bibw", "Get Bidirectional Bandwidth", REPORT_MBS, PERF_PAIR, PERF_GET, 2)},
	{RMA("put_nbi_bw", "Nonblocking Put Bandwidth and Message Rate", REPORT_MBS, PERF_FIRST,
	     PERF_PUT | PERF_NBI, 1)},
	{RMA("get_nbi_bw", "Nonblocking Get Bandwidth and Message Rate", REPORT_MBS, PERF_FIRST,
	     PERF_GET | PERF_NBI, 1)},
	{"p_rate", "8 B p Rate", REPORT_OPS, PERF_FIRST, PERF_STATIC, perf_rma,
	 PERF_PUT | PERF_SCALAR, 1},
	{"p_inline", "8 B p Rate, Compiled in where the Library Offers It", REPORT_OPS, PERF_FIRST,
	 PERF_STATIC, perf_rma, PERF_PUT | PERF_SCALAR | PERF_INLINE, 1},
	{"g_lat", "8 B g Latency", REPORT_US, PERF_FIRST, PERF_STATIC, perf_rma,
	 PERF_GET | PERF_SCALAR, 1},
	{"ring_put_lat", "Put and Quiet Latency, All PEs to the Next at Once", REPORT_US, PERF_ALL,
	 PERF_SIZED | PERF_LOCAL, perf_rma, PERF_PUT | PERF_QUIET | PERF_RING, 0},
	{"ring_put_bw", "Put Bandwidth, All PEs to the Next at Once, Sum", REPORT_MBS, PERF_ALL,
	 PERF_SIZED | PERF_LOCAL, perf_rma, PERF_PUT | PERF_RING, 0},
	{ATOMIC("fadd", "Atomic Fetch-Add Latency", PERF_FIRST, PERF_FADD)},
	{ATOMIC("finc", "Atomic Fetch-Inc Latency", PERF_FIRST, PERF_FINC)},
	{ATOMIC("add", "Atomic Add Latency", PERF_FIRST, PERF_ADD)},
	{ATOMIC("inc", "Atomic Inc Latency", PERF_FIRST, PERF_INC)},
	{ATOMIC("cswap", "Atomic Compare-Swap Latency", PERF_FIRST, PERF_CSWAP)},
	{ATOMIC("swap", "Atomic Swap Latency", PERF_FIRST, PERF_SWAP)},
	{ATOMIC("fetch", "Atomic Fetch Latency", PERF_FIRST, PERF_FETCH)},
	{ATOMIC("set", "Atomic Set Latency", PERF_FIRST, PERF_SET)},
	{ATOMIC("fetch_nbi", "Nonblocking Fetch-Add and Quiet", PERF_FIRST, PERF_BATCH_OF_ONE)},
	{ATOMIC("fetch_batch", "64 Nonblocking Fetch-Adds and Quiet", PERF_FIRST, PERF_BATCH)},
	{"fadd_all", "Atomic Fetch-Add Latency, All PEs at PE 0", REPORT_US, PERF_ALL,
	 PERF_LOCAL | PERF_STATIC, perf_atomic, PERF_FADD_FIRST, 1},
	{"lock", "Lock and Unlock by PE 0 Alone", REPORT_US, PERF_FIRST, PERF_LOCAL, perf_atomic,
	 PERF_LOCK, 1},
	{"lock_all", "Lock and Unlock of One Lock by All PEs", REPORT_US, PERF_ALL, PERF_LOCAL,
	 perf_atomic, PERF_LOCK, 1},
	{COLL("barrier", "Barrier Latency", 0, PERF_BARRIER, 1)},
	{COLL("sync", "Sync Latency", 0, PERF_SYNC, 1)},
	{COLL("broadcast", "Broadcast Latency", PERF_SIZED | PERF_COLL, PERF_BROADCAST, 1)},
	{COLL("reduce", "Sum Reduction (long) Latency", PERF_SIZED | PERF_COLL, PERF_REDUCE, 1)},
	{COLL("collect", "Collect Latency", PERF_SIZED | PERF_COLL, PERF_COLLECT, 0)},
	{COLL("fcollect", "Fcollect Latency", PERF_SIZED | PERF_COLL, PERF_FCOLLECT, 0)},
	{COLL("alltoall", "All-to-All Latency", PERF_SIZED | PERF_COLL, PERF_ALLTOALL, 0)},
	{APP("app_sort", "Integer Sort, 8192 Keys of Each PE", PERF_SORT)},
	{APP("app_updates", "512 Random Atomic Adds of Each PE", PERF_UPDATES)},
	{APP("app_bfs", "Breadth-First Search, 256 Vertices of Each PE", PERF_BFS)},
	/* last: leaves the scheduler with all PEs on one CPU */
	{"switch", "Bare Context Switch between PEs on One CPU", REPORT_US, PERF_ALL,
	 PERF_LOCAL | PERF_ONE, perf_switch, 0, 1},
	{0},
};
