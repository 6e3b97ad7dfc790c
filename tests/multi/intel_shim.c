/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Preloaded into a PE: its machine then has NTBs of Intel's, as tests/driver has them, whose other
 * ends are those of other PEs. INTEL_PORTS lists them: BDF GEN MODEL MEMORY END WINDOW, joined by
 * semicolons; MODEL and MEMORY are the files of the cable, WINDOW is the size in MiB. INTEL_LEAD is
 * the PE of this host that opens ports, where there are others. INTEL_READING has words of
 * intm_reading().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_memory.h>

#include "fake_pci.h"
#include "intm.h"
#include "live_intel.h"

enum {
	PORTS = 2,
	UIO = 890,
};

static struct fake_pci fake[PORTS];
static char bdf[PORTS][16];

/* Without hugepages the EAL has one file for all of its memory. */
static int
show_list(const struct rte_memseg_list *list, void *arg)
{
	int fd =
		list->external
			? -1
			: rte_memseg_get_fd_thread_unsafe(rte_mem_virt2memseg(list->base_va, list));

	return fd < 0 ? 0 : live_intel_memory(arg, (uintptr_t)list->base_va, list->len, fd);
}

/* Without hugepages the EAL has bus addresses in mode VA alone, which a UIO device refuses. */
static int
give_address(const struct rte_memseg_list *list, const struct rte_memseg *page, void *arg)
{
	(void)arg;
	if (!list->external)
		((struct rte_memseg *)(uintptr_t)page)->iova = page->addr_64;
	return 0;
}

static void
show_memory(const struct fake_pci *f)
{
	(void)rte_memseg_walk_thread_unsafe(give_address, NULL);
	(void)rte_memseg_list_walk_thread_unsafe(show_list, (void *)(uintptr_t)f);
}

static int
open_file(const char *path)
{
	return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static int
add_port(unsigned int i, const char *words)
{
	const char *reading = getenv("INTEL_READING");
	struct live_cable cable;
	char model[256], memory[256];
	unsigned int window;

	if (sscanf(words, "%15s %u %255s %255s %u %u", bdf[i], &cable.gen, model, memory,
		   &cable.end, &window) != 6 ||
	    intm_reading(reading != NULL ? reading : "none", &cable.reading) < 0)
		return -EINVAL;
	cable.model_fd = open_file(model);
	cable.memory_fd = open_file(memory);
	if (cable.model_fd < 0 || cable.memory_fd < 0)
		return -errno;
	fake[i] = (struct fake_pci){
		.bdf = bdf[i],
		.uio = UIO + i,
		.vendor = 0x8086,
		.device = cable.gen == 3 ? 0x201c : 0x347e,
		.size = {LIVE_REGISTERS, 0, (uint64_t)window << 20, 0, 1 << 20},
		/* no .wc: what stands for the windows is memory, as in ports of the PLX model */
	};
	return fake_pci_add(&fake[i]) < 0 ? -EIO : live_intel_add(&fake[i], &cable);
}

__attribute__((constructor)) static void
make_machine(void)
{
	const char *at = getenv("INTEL_PORTS"), *lead = getenv("INTEL_LEAD"),
		   *pe = getenv("RINGBELL_PE");
	unsigned int i;
	int ret;

	unsetenv("LD_PRELOAD");
	/* an end of a cable has one process, which puts it out of reset */
	if (lead != NULL && (pe == NULL || strcmp(pe, lead) != 0))
		return;
	ret = at == NULL ? -ENOENT : live_intel_possible() ? fake_pci_enter() : -EPERM;
	live_intel_mapped = show_memory;
	for (i = 0; ret == 0 && i < PORTS && at != NULL; i++) {
		ret = add_port(i, at);
		at = strchr(at, ';');
		at = at == NULL ? NULL : at + 1;
	}
	if (ret == 0)
		return;
	fprintf(stderr, "intel_shim: %s\n", strerror(-ret));
	_exit(ret == -EPERM ? 77 : 1);
}
