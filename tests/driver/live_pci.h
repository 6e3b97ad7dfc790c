/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LIVE_PCI_H
#define LIVE_PCI_H

/* Life for the files of fake_pci.h: each access of this process to a mapped BAR traps, and is done
 * on the model of the chip instead. One thread at a time may touch BARs so. x86-64 only. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plxm_port;

struct live_bar {
	struct plxm_port *port;
	const volatile uint8_t *config; /* the driver's changes there go to the chip too */
	uint8_t *va;
	size_t len;
	unsigned int bar;
};

/* False where the machine has no such traps. */
bool live_pci_possible(void);
/* From here on [va, va + len) is that BAR, until all BARs of the port are let go. */
int live_pci_arm(const struct live_bar *bar);
void live_pci_disarm(const struct plxm_port *port);

#endif /* LIVE_PCI_H */
