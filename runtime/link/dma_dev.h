/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_DMA_DEV_H
#define RB_LINK_DMA_DEV_H

/**
 * @file
 * The dmadevs, and the memory that they reach. link/dma_queue.c has the
 * operations under way on them.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_dev.h>
#include <rte_dmadev.h>

#include "base/rules.h"

enum {
	RB_DMA_DEVICES = 8,
	RB_DMA_OPS = 256,	    /**< operations under way on a device, at most */
	RB_DMA_PIECE = 256 * 1024,  /**< bytes of a descriptor */
	RB_DMA_PATIENCE_MS = 2000,  /**< a device without any completion for so long has failed */
	RB_DMA_HERE = RB_MAX_PORTS, /**< port of memory that is in no window */
};

/** One operation under way on a dmadev: a piece of a copy, kept so that the CPU can do it if the
 *  device fails. */
struct rb_dma_op {
	uint8_t *dst;
	const uint8_t *src;
	size_t len;
	_Atomic uint32_t *pending; /**< decremented (release) once it is done */
	uint8_t port;		   /**< that it goes by */
	bool end;		   /**< the last operation of its copy */
};

struct rb_dma_engine {
	atomic_flag lock; /**< protects what changes below; held only within a call */
	int16_t id;
	bool virtual;	       /**< takes virtual addresses */
	uint8_t ports;	       /**< open; bits of those through which its copies arrive */
	_Atomic bool dead;     /**< was stopped after an error; set once */
	_Atomic uint32_t head; /**< operations begun; written by the holder of lock */
	_Atomic uint32_t tail; /**< operations done; written by the holder of lock */
	uint64_t moved; /**< time at which an operation was last done, or begun on an idle device */
	char name[RTE_DEV_NAME_MAX_LEN];
	struct rb_dma_op op[RB_DMA_OPS];
};

extern struct rb_dma_engine rb_dma_engines[RB_DMA_DEVICES];
extern unsigned int rb_dma_count;

/** Set up the devices that RINGBELL_DMA names, and try through which ports they copy; the links are
 *  up. 0, or -errno with words in rb_error(). */
int rb_dma_open(void);
void rb_dma_close(void);

/** Is any device set up? */
static inline bool
rb_dma_ready(void)
{
	return rb_dma_count != 0;
}

/** Side of the link whose window holds @p ptr, or RB_DMA_HERE. */
unsigned int rb_dma_port(const uint8_t *ptr, size_t len);

/** Translate an address into that of the device; false: the device cannot reach it. */
bool rb_dma_address(const struct rb_dma_engine *e, const uint8_t *ptr, size_t len, rte_iova_t *ret);

#endif /* RB_LINK_DMA_DEV_H */
