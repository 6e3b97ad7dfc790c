/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef FAKE_PCI_H
#define FAKE_PCI_H

/* PCI functions that exist only as files, in a mount namespace of this process. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FAKE_BARS = 6,
};

struct fake_pci {
	const char *bdf;	  /* "0000:01:00.0" */
	const char *above;	  /* bridges, as in "pci0000:00/0000:00:01.0"; NULL: none */
	unsigned int uio;	  /* number of its UIO device */
	uint16_t vendor, device;  /* vendor 0: 10b5 */
	uint64_t size[FAKE_BARS]; /* 0 = no such BAR */
	bool wc[FAKE_BARS];	  /* prefetchable, with a write-combining file beside it */
	/* filled by fake_pci_add(): the files as the adapter would see them */
	volatile uint8_t *bar[FAKE_BARS];
	volatile uint8_t *config;
};

/* Leave the host's /sys/class and /dev behind. 0, -EPERM where that is not permitted, -errno. */
int fake_pci_enter(void);
/* Add a function before rte_eal_init(). 0 or -errno. */
int fake_pci_add(struct fake_pci *f);
/* Its bus address. */
uint64_t fake_pci_bar_at(const struct fake_pci *f, unsigned int bar);
/* The file of an adapter through which this address is mapped; "": none. */
void fake_pci_file_at(const void *at, char *name, size_t size);

static inline volatile uint32_t *
fake_reg(const struct fake_pci *f, unsigned int bar, uint32_t off)
{
	return (volatile uint32_t *)(f->bar[bar] + off);
}

#endif /* FAKE_PCI_H */
