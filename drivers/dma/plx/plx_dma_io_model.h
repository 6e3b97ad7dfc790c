/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_DMA_IO_MODEL_H
#define PLX_DMA_IO_MODEL_H

#include "plx_dma.h"

/* The DMA function of the chip behind the emulated NT port @p ntb. 0, -ENOENT for no such
 * port, or another negative errno. */
int plx_dma_io_model_open(const char *ntb, unsigned int channel, struct plx_dma_io **ret_io);
/* Faults by the numbers of plxm_dma.h; -ENOTSUP on a real adapter. */
int plx_dma_emu_fault(int16_t dev_id, unsigned int fault, uint32_t count);

#endif /* PLX_DMA_IO_MODEL_H */
