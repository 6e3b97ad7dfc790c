/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DMA_FAKE_H
#define DMA_FAKE_H

/**
 * @file
 * A dmadev that does what a test wants: it copies when it is asked for completions, at the
 * earliest, so that what a program may not rely on is seen.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_dmadev.h>

enum {
	ROOM = 64, /* descriptors */
	NEVER = -1,
};

struct fake {
	struct rte_dma_sge src[ROOM], dst[ROOM];
	unsigned int head, submitted, tail;
	unsigned int most; /* under way at once */
	int bad;	   /* operation that fails, counted down; NEVER */
	bool hold;	   /* completes nothing */
	bool dead_link;	   /* what it stores is lost, and it does not know */
	bool stopped;
};

extern struct fake *fake;

/* Make the device dma_fake, once. 0 or -errno. */
int fake_make(void);

#endif /* DMA_FAKE_H */
