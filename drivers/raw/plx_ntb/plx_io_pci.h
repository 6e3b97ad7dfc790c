/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_IO_PCI_H
#define PLX_IO_PCI_H

#include "plx_io.h"

struct rte_pci_device;

/* The BARs of a PCI function. @p skips: PLX_SKIP_*. Logs the reason of a failure; 0 or a negative
 * errno. */
int plx_io_pci_open(struct rte_pci_device *pci, uint32_t skips, struct plx_io **ret_io);

#endif /* PLX_IO_PCI_H */
