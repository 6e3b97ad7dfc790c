/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_COPY_DMA_DEV_H
#define RB_COPY_DMA_DEV_H

/**
 * @file
 * Between the two parts of the copies by dmadev: copy/dma.c has the devices and what they reach,
 * copy/dma_queue.c what is under way on them.
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
	RB_DMA_OPS = 256,	   /**< of a device under way, at most */
	RB_DMA_PIECE = 256 * 1024, /**< bytes of a descriptor */
	RB_DMA_LIST = 32,	   /**< descriptors of a scatter-gather list */
	RB_DMA_PATIENCE_MS = 2000, /**< without any completion */
	RB_DMA_HERE = RB_SIDES,	   /**< where a copy goes that leaves by neither link */
	RB_DMA_PLACES
};

/** Pieces that lie evenly apart: part of a copy, as the CPU would have to do it. */
struct rb_dma_job {
	uint8_t *dst;
	const uint8_t *src;
	size_t dst_step, src_step;
	size_t bytes; /**< of a piece */
	size_t last;  /**< of the last piece */
	size_t n;
};

/** One operation of dmadev on its way. */
struct rb_dma_op {
	struct rb_dma_job job;
	_Atomic uint32_t *pending; /**< lowered (release) once the job is done */
	uint8_t place;
	bool end; /**< of the copy that it belongs to */
};

struct rb_dma_engine {
	atomic_flag lock; /**< of all below that changes; never held while the program runs */
	int16_t id;
	bool virtual;			   /**< takes virtual addresses */
	bool tough;			   /**< goes on after an error */
	bool dead;			   /**< was stopped */
	_Atomic bool fails[RB_DMA_PLACES]; /**< cannot reach it; only ever set */
	uint16_t sges;			   /**< of a scatter-gather copy, 0: it has none */
	_Atomic uint32_t head;		   /**< operations begun; holder of lock */
	_Atomic uint32_t tail;		   /**< of which are done; holder of lock */
	uint64_t moved; /**< when one was last begun on an idle device, or done */
	char name[RTE_DEV_NAME_MAX_LEN];
	struct rb_dma_op op[RB_DMA_OPS];
};

extern struct rb_dma_engine rb_dma_engines[RB_DMA_DEVICES];
extern unsigned int rb_dma_count;

/** Link through whose window @p ptr leaves, or RB_DMA_HERE. */
unsigned int rb_dma_place(const uint8_t *ptr, size_t len);

/** What the device calls an address; false: it cannot reach it. */
bool rb_dma_address(const struct rb_dma_engine *e, const uint8_t *ptr, size_t len, rte_iova_t *ret);

#endif /* RB_COPY_DMA_DEV_H */
