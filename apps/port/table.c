/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "driver.h"

#define COPY(name, title, flags, op) name, title, REPORT_MBS, DRV_SIZED | flags, op, drv_copy, NULL
#define REGISTER(name, title, flags, op) name, title, REPORT_US, flags, op, drv_register, NULL
#define DMA(name, title, unit, op) \
	name, title, unit, DRV_SIZED | DRV_DMA | DRV_STORES, op, drv_dma_copy, NULL
#define DMA_LIST(n) DMA("dma_sg" #n, "Window Write by DMA, " #n " Descriptors", REPORT_MBS, n)
#define BOUNCE(name, title, flags, op) \
	name, title, REPORT_US, flags, op, drv_bounce, drv_bounce_back
#define HOPS(n, text)                                                              \
	"hop" #n, "Window Write over " text ", Lcores Relay in Turns", REPORT_MBS, \
		DRV_SIZED | DRV_STORES, n, drv_hops, drv_hops_relay

const struct drv_bench drv_benches[] = {
	{COPY("memcpy", "memcpy in Private Memory", 0, DRV_PRIVATE)},
	{COPY("write", "Window Write by memcpy, Flushed at the End", 0, DRV_WRITE)},
	{COPY("write_nt", "Window Write by 64 B Non-temporal Stores", DRV_STORES, DRV_WRITE_NT)},
	{COPY("read", "Window Read by memcpy", 0, DRV_READ)},
	{DMA("dma", "Window Write by DMA, Blocks, 32 in Flight", REPORT_MBS, 1)},
	{DMA("dma_lat", "Window Write by DMA, One Block at a Time", REPORT_US, 0)},
	{DMA_LIST(8)},
	{DMA_LIST(32)},
	{DMA_LIST(128)},
	{DMA_LIST(256)},
	{REGISTER("db_ring", "Doorbell Ring, Posted", DRV_BELLS, DRV_DB_RING)},
	{REGISTER("db_read", "Doorbell Read", DRV_BELLS, DRV_DB_READ)},
	{REGISTER("db_clear", "Doorbell Clear", DRV_BELLS, DRV_DB_CLEAR)},
	{REGISTER("spad_read", "Scratchpad Read", DRV_PADS, DRV_SPAD_READ)},
	{REGISTER("spad_write", "Scratchpad Write", DRV_PADS, DRV_SPAD_WRITE)},
	{REGISTER("peer_spad_read", "Peer's Scratchpad Read", DRV_PADS, DRV_PEER_SPAD_READ)},
	{REGISTER("peer_spad_write", "Peer's Scratchpad Write", DRV_PADS, DRV_PEER_SPAD_WRITE)},
	{REGISTER("flush", "Flush", 0, DRV_FLUSH)},
	{REGISTER("link_poll", "Link Poll", 0, DRV_LINK_POLL)},
	{BOUNCE("line", "Bare Cache Line Ping-Pong, Half a Round Trip", 0, DRV_LINE)},
	{BOUNCE("doorbell", "Doorbell, Ring to Seen and Cleared", DRV_BELLS, DRV_BELL)},
	{BOUNCE("spad", "Scratchpad, Write to Seen", DRV_PADS, DRV_PAD)},
	{BOUNCE("desc", "Descriptor Ring Ping-Pong, Half a Round Trip", DRV_STORES, DRV_DESC)},
	{"both", "Window Write, Both Directions at Once, Sum", REPORT_MBS, DRV_SIZED | DRV_TWO, 0,
	 drv_both, NULL},
	{HOPS(1, "1 Hop")},
	{HOPS(2, "2 Hops")},
	{0},
};
