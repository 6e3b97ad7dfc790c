/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "report.h"
#include "ports.h"

enum {
	DRV_SIZED = 1 << 0,  /**< a row for each size */
	DRV_DMA = 1 << 1,    /**< needs a copy engine */
	DRV_BELLS = 1 << 2,  /**< needs doorbells */
	DRV_PADS = 1 << 3,   /**< needs scratchpads */
	DRV_TWO = 1 << 4,    /**< needs two lcores */
	DRV_STORES = 1 << 5, /**< needs a window that takes stores */
};

enum {
	DRV_HOPS = 2, /**< at most */
	DRV_SLOTS = 4,
	DRV_CHUNK = 32768,
	/** Memory of a port that relays need. */
	DRV_RELAY_SPACE = DRV_SLOTS * DRV_CHUNK,
};

struct rte_memzone;

/** A copy engine, with memory that it can read. */
struct drv_dma {
	int16_t id;
	bool open;
	bool made; /**< by this program */
	const struct rte_memzone *mz;
};

struct drv {
	struct ports ports;
	struct drv_dma dma;
	bool failed; /**< a loop gave up, and said why */
	size_t size;
	uint8_t *src; /**< private memory, as dst */
	uint8_t *dst;
	uint64_t seq; /**< last number sent, continued from loop to loop */
	struct {
		_Alignas(64) _Atomic(uint64_t) n;
	} stage[DRV_HOPS]; /**< between the two lcores: how far each hop is; one writer each */
	_Alignas(64) atomic_bool stop; /**< ends the answering lcore; set by the measuring one */
};

struct drv_bench {
	const char *name;
	const char *title;
	enum report_unit unit;
	unsigned int flags;
	int op;					    /**< second argument of both */
	void (*run)(struct drv *d, int op, long n); /**< n operations */
	void (*answer)(struct drv *d, int op);	    /**< the other lcore meanwhile, or NULL */
};

extern const struct drv_bench drv_benches[];

/** The command "speed". @return exit status */
int speed_main(int argc, char **argv);

/** Loops of one lcore. */
void drv_copy(struct drv *d, int op, long n);
void drv_register(struct drv *d, int op, long n);

/**
 * Open the dmadev @p name, or NULL: the first one that there is, or the engine of an emulated port.
 * @return 0; -ENODEV without a word where there is none; -errno after a line on stderr
 */
int drv_dma_open(struct drv *d, const char *name);
void drv_dma_close(struct drv *d);
void drv_dma_copy(struct drv *d, int op, long n);
/** Has the last copy arrived at the other end? */
bool drv_dma_arrived(const struct drv *d);

/** Loops of two lcores, and the other lcore's side. */
void drv_bounce(struct drv *d, int op, long n);
void drv_bounce_back(struct drv *d, int op);
void drv_hops(struct drv *d, int op, long n);
void drv_hops_relay(struct drv *d, int op);

/** A block into each window, from an lcore each, at once. */
void drv_both(struct drv *d, int op, long n);

enum drv_copy_op {
	DRV_PRIVATE,
	DRV_WRITE,
	DRV_WRITE_NT,
	DRV_READ,
};

enum drv_register_op {
	DRV_DB_RING,
	DRV_DB_READ,
	DRV_DB_CLEAR,
	DRV_SPAD_READ,
	DRV_SPAD_WRITE,
	DRV_PEER_SPAD_READ,
	DRV_PEER_SPAD_WRITE,
	DRV_FLUSH,
	DRV_LINK_POLL,
};

enum drv_bounce_op {
	DRV_LINE,
	DRV_BELL,
	DRV_PAD,
	DRV_DESC,
};

#endif /* DRIVER_H */
