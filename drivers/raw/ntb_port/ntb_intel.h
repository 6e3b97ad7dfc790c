/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_INTEL_H
#define NTB_INTEL_H

#include <stdbool.h>
#include <stdint.h>

struct rte_pci_device;

/*
 * The registers of Intel's NTBs that show a host's memory to its peer. raw_ntb sets them too, but
 * leaves both windows open to bus address 0 before and while it does.
 *
 * What a limit is counted from, and what one of 0, or at or below that, does: the drivers that run
 * on silicon do not agree. So a window is shut by its translation, to addresses where nothing is,
 * and only then by its limit, which is counted as Linux and DPDK do. A page of its own would not do
 * in place of these addresses. The chip replaces the upper bits of an address alone: all of a
 * window as large as a huge page would have to be such memory, or a limit would have to hold. A
 * peer's flush would read it and not fail. And after the program it would be somebody else's.
 */

/* Both windows show nothing. */
void ntb_intel_shut(const struct rte_pci_device *pci);
/* The first one shows @p len bytes at @p bus, which is aligned to the window. Of a chip that counts
 * limits otherwise it may show what follows them, up to the window's size. */
void ntb_intel_open(const struct rte_pci_device *pci, uint64_t bus, uint64_t len);
/* The side towards the cable decodes addresses, and passes stores on; changes of the link are left
 * to ntb_intel_changed(), and raw_ntb, which would only clear them, is not told. */
void ntb_intel_enable(const struct rte_pci_device *pci);
/* The cable's link is trained, as @p ret_status, its register, says. */
bool ntb_intel_link(const struct rte_pci_device *pci, uint32_t *ret_status);
/* It has been lost or has come since the last call. */
bool ntb_intel_changed(const struct rte_pci_device *pci);

#endif /* NTB_INTEL_H */
