/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_PCI_H
#define PLXM_PCI_H

/**
 * @file
 * The NT-Virtual function as the bus of its host sees it: power, and accesses by bus address that
 * the function decodes with the BARs that software of the host has set. For programs that are the
 * host's side of the bus, such as emulators of whole machines.
 */

#include "plxm.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The slot's power (or its reset line) goes off, or comes back: the chip forgets all and loads its
 * EEPROM, the link is down while it is off. Host memory that was announced stays announced, for
 * memory is not the adapter's.
 */
void plxm_port_power(struct plxm_port *p, bool on);

/**
 * A read or write of the host's CPU that came down to this function, of 1, 2, 4 or 8 bytes. Reads
 * give ones and writes vanish where no BAR decodes the address, or memory decode is off.
 * @return whether a BAR decoded it
 */
bool plxm_bus_read(struct plxm_port *p, uint64_t bus, void *buf, size_t len);
bool plxm_bus_write(struct plxm_port *p, uint64_t bus, const void *buf, size_t len);

#ifdef __cplusplus
}
#endif
#endif /* PLXM_PCI_H */
