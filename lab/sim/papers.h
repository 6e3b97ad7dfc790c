/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SIM_PAPERS_H
#define SIM_PAPERS_H

/**
 * @file
 * The systems of the papers that Ringbell follows, on modelled hardware: requests to the right
 * neighbour, described in scratchpads and announced by a doorbell interrupt; service threads that
 * copy what has arrived, forward it by DMA from a bypass buffer, or acknowledge it; a barrier of
 * two rounds of the ring.
 */

#include "hardware.h"

struct papers_run {
	unsigned int hosts, threads; /**< service threads of each host */
	unsigned int senders;	     /**< hosts that send: 0 .. */
	unsigned int window;	     /**< requests of a host under way */
	unsigned int hops;  /**< to a host that far to the right; 0: to all others in turn */
	unsigned int count; /**< requests of each sender */
	uint64_t size;
	bool get;  /**< else put */
	bool hand; /**< a put is over when its data have left, else when its ack is back */
};

struct papers_result {
	double us;  /**< of a request, mean */
	double end; /**< us until the last one was over */
};

/** @return 0 or -ENOMEM */
int papers_run(const struct hardware *h, const struct papers_run *run, struct papers_result *ret);

/** us of a barrier. */
double papers_barrier(const struct hardware *h, unsigned int hosts);

/** us of a transfer through a window, alone: by stores of a core; by one DMA request of so many
 *  descriptors, until the interrupt of its end. */
double papers_stores(const struct hardware *h, uint64_t size);
double papers_dma(const struct hardware *h, uint64_t size, unsigned int descriptors);
/** Bytes a second of DMA requests of @p size in a row, all enqueued at once. */
double papers_raw(const struct hardware *h, uint64_t size);

#endif /* SIM_PAPERS_H */
