/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_DMA_REGS_H
#define PLXM_DMA_REGS_H

#include "plxm_dma_priv.h"

/* With d->mu held. */
void plxm_dma_idle(struct plxm_dma *d, uint32_t ctl_bits, uint32_t int_bits);
void plxm_dma_note_busy(struct plxm_dma *d);

/* The channel that BAR0 shows at @p off, or NULL. Only to its own host: the registers are no part
 * of the cable. */
struct plxm_dma *plxm_dma_shown(struct plxm_port *p, uint32_t off);

#endif /* PLXM_DMA_REGS_H */
