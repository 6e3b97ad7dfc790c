/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_SERIAL_REGS_H
#define PLXM_SERIAL_REGS_H

#include "plxm_priv.h"
#include "plxm_serial.h"

/* The part behind a register of BAR0, or NULL. Only to its own host, as with the DMA functions. */
struct plxm_serial *plxm_serial_shown(struct plxm_port *p, uint32_t off);
uint32_t plxm_serial_read(struct plxm_serial *s, uint32_t off);
void plxm_serial_write(struct plxm_serial *s, uint32_t off, uint32_t val);

#endif /* PLXM_SERIAL_REGS_H */
