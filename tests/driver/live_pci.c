/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/*
 * A page of a BAR cannot be accessed. The handler of the fault puts the value there that a read
 * must find, opens the page and lets the CPU execute one instruction. The trap after it passes a
 * written value to the model and closes the page again.
 */

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "live_pci.h"
#include "plxm.h"

#if defined(__x86_64__)

enum {
	RANGES = 8,
	PAGE = 4096,
	CMD = 4,
	SPAN = 64, /* no instruction writes more at once */
	WRITE_FAULT = 2,
	TRAP_FLAG = 0x100,
};

static struct live_bar ranges[RANGES];
static struct {
	const struct live_bar *r; /* NULL: no instruction is under way */
	uint64_t off;
	size_t len;
	bool write;
	uint8_t before[SPAN];
} step;
static struct sigaction before_segv;

static const struct live_bar *
find(const uint8_t *at)
{
	for (unsigned int i = 0; i < RANGES; i++)
		if (ranges[i].port != NULL && at >= ranges[i].va &&
		    at < ranges[i].va + ranges[i].len)
			return &ranges[i];
	return NULL;
}

static void
protect(const struct live_bar *r, uint64_t off, size_t len, int prot)
{
	uint64_t first = off & ~(uint64_t)(PAGE - 1), end = (off + len + PAGE - 1) & ~(PAGE - 1ull);

	mprotect(r->va + first, end - first, prot);
}

/* The EAL writes the command register through a file, which does not trap. */
static void
follow_config(void)
{
	for (unsigned int i = 0; i < RANGES; i++) {
		uint16_t cmd;

		if (ranges[i].port == NULL || ranges[i].bar != 0)
			continue;
		cmd = *(const volatile uint16_t *)(ranges[i].config + CMD);
		if ((plxm_cfg_read(ranges[i].port, CMD, 2) & 6) != (cmd & 6u))
			plxm_cfg_write(ranges[i].port, CMD, cmd, 2);
	}
}

static void
load(const struct live_bar *r, uint64_t off, uint8_t *buf, size_t len)
{
	if (r->bar != 0) {
		(void)plxm_win_read(r->port, r->bar, off, buf, len);
		return;
	}
	for (size_t i = 0; i < len; i += 4) {
		uint32_t v = plxm_reg_read(r->port, (uint32_t)(off + i));

		memcpy(buf + i, &v, 4);
	}
}

static void
store(const struct live_bar *r, uint64_t off, const uint8_t *buf, size_t len)
{
	uint32_t v;

	if (r->bar != 0) {
		(void)plxm_win_write(r->port, r->bar, off, buf, len);
		return;
	}
	memcpy(&v, buf, 4);
	plxm_reg_write(r->port, (uint32_t)off, v);
}

static void
on_segv(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	const uint8_t *at = info->si_addr;
	const struct live_bar *r = find(at);
	size_t len = SPAN;

	if (r == NULL || step.r != NULL) {
		sigaction(sig, &before_segv, NULL); /* a real fault: it comes again */
		return;
	}
	follow_config();
	step.off = (uint64_t)(at - r->va);
	step.write = (uc->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT) != 0;
	if (r->bar != 2) { /* registers: whole dwords, one at a time */
		step.off &= ~3ull;
		len = 4;
	} else if (len > r->len - step.off) {
		len = r->len - step.off;
	}
	step.len = len;
	protect(r, step.off, len, PROT_READ | PROT_WRITE);
	/* a store to a register must not read it: some have side effects, and all have a cost */
	if (r->bar == 2 || !step.write)
		load(r, step.off, r->va + step.off, len);
	memcpy(step.before, r->va + step.off, len);
	step.r = r;
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void
on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	const struct live_bar *r = step.r;
	uint8_t now[SPAN];
	size_t from = 0, to = step.len;

	(void)sig;
	(void)info;
	if (r == NULL)
		return;
	uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	memcpy(now, r->va + step.off, step.len);
	protect(r, step.off, step.len, PROT_NONE);
	step.r = NULL;
	if (!step.write)
		return;
	if (r->bar == 2) { /* bytes that stay the same need no store */
		while (from < to && now[from] == step.before[from])
			from++;
		while (to > from && now[to - 1] == step.before[to - 1])
			to--;
	}
	if (to > from)
		store(r, step.off + from, now + from, to - from);
}

bool
live_pci_possible(void)
{
	return sysconf(_SC_PAGESIZE) == PAGE;
}

static int
catch_signals(void)
{
	struct sigaction segv = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO};
	struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	struct sigaction now;

	if (sigaction(SIGSEGV, NULL, &now) < 0)
		return -errno;
	if (now.sa_sigaction == on_segv)
		return 0;
	if (sigaction(SIGSEGV, &segv, &before_segv) < 0 || sigaction(SIGTRAP, &trap, NULL) < 0)
		return -errno;
	return 0;
}

int
live_pci_arm(const struct live_bar *bar)
{
	int ret = catch_signals();

	for (unsigned int i = 0; i < RANGES && ret == 0; i++) {
		if (ranges[i].port != NULL)
			continue;
		ranges[i] = *bar;
		return mprotect(bar->va, bar->len, PROT_NONE) < 0 ? -errno : 0;
	}
	return ret < 0 ? ret : -ENOSPC;
}

void
live_pci_disarm(const struct plxm_port *port)
{
	for (unsigned int i = 0; i < RANGES; i++)
		if (ranges[i].port == port)
			ranges[i].port = NULL;
}

#else

bool
live_pci_possible(void)
{
	return false;
}

int
live_pci_arm(const struct live_bar *bar)
{
	(void)bar;
	return -ENOTSUP;
}

void
live_pci_disarm(const struct plxm_port *port)
{
	(void)port;
}

#endif
