/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LIVE_INTEL_H
#define LIVE_INTEL_H

/* Functions of fake_pci.h that behave like Intel's NTBs: accesses of this process to BAR0 trap, and
 * are done on the model; the windows are mappings of the peer's memory, wherever they lead;
 * interrupts come as those of UIO do. Any
 * threads may access them. x86-64 only. */

#include <stdbool.h>
#include <stdint.h>

struct fake_pci;
struct intm_port;

enum {
	LIVE_REGISTERS = 0x10000, /* size of BAR0 */
};

/* False where the machine has no such traps. */
bool live_intel_possible(void);
/* Before the EAL starts: @p f, which is in the tree, is one end of a cable. Both ends have the same
 * two files, which are empty at first: that of the model, and one for where the memory of either
 * host is. The other end may be in another process of this user. */
struct live_cable {
	int model_fd, memory_fd;
	unsigned int end, gen, reading; /* INTM_* */
};
int live_intel_add(const struct fake_pci *f, const struct live_cable *cable);
/* The memory of the host of @p f: @p len bytes at @p bus are those of the file, which stays open.
 */
int live_intel_memory(const struct fake_pci *f, uint64_t bus, uint64_t len, int fd);
struct intm_port *live_intel_model(const struct fake_pci *f);
/* Called after each store to a register. */
extern void (*live_intel_stored)(void);
/* Called when the EAL has mapped the registers, by which time it has its memory; NULL: nobody. */
extern void (*live_intel_mapped)(const struct fake_pci *f);

#endif /* LIVE_INTEL_H */
