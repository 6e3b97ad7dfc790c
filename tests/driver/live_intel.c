/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "live_intel.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "fake_pci.h"
#include "intm.h"
#include "mov.h"

enum {
	PORTS = 2,
	ONES = 1 << 20, /* windows are multiples of it */
	WRITE_FAULT = 2,
	CFG_CMD = 0x04,
	CFG_LINK = 0x1a2,
};

/* Memory of a host, in the file that both ends share. */
struct memory {
	uint64_t bus, len; /* len is stored last; 0: none */
	int pid, fd;
};

static struct live {
	const struct fake_pci *f;
	struct intm_port *model;
	unsigned int end;
	int uio; /* for interrupts */
	uint8_t *va[1 + INTM_WINDOWS];
	struct memory *memory; /* by end; in a file */
	struct {
		uint64_t bus, len;
	} shown[INTM_WINDOWS]; /* len 0: none */
	pthread_t thread;
	bool runs;
} ports[PORTS];
static unsigned int n_ports;
/* over what settle() does; no holder touches a BAR */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void (*live_intel_mapped)(const struct fake_pci *f);
void (*live_intel_stored)(void);

/* ---- what follows a change of registers ---- */

/* A piece of ones, again and again: what is stored there stays in this process. */
static void
show_ones(const struct live *l, unsigned int window)
{
	static uint8_t ones[ONES];
	static int fd = -1;

	if (fd < 0) {
		memset(ones, 0xff, sizeof(ones));
		fd = memfd_create("ones", MFD_CLOEXEC);
		if (write(fd, ones, sizeof(ones)) != sizeof(ones))
			abort();
	}
	for (uint64_t off = 0; off < l->f->size[2 + 2 * window]; off += ONES)
		(void)mmap(l->va[1 + window] + off, ONES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_FIXED, fd, 0);
}

static void
show_memory(const struct live *l, unsigned int window, const struct memory *m, uint64_t bus,
	    uint64_t len)
{
	char path[48];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", m->pid, m->fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)mmap(l->va[1 + window], (size_t)len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		   fd, (off_t)(bus - m->bus));
	close(fd);
}

static void
settle_window(struct live *l, unsigned int window)
{
	const struct memory *peer = &l->memory[l->end ^ 1];
	uint64_t bus = 0, len = 0, there = __atomic_load_n(&peer->len, __ATOMIC_ACQUIRE);

	if (l->va[1 + window] == NULL)
		return;
	if (intm_window(l->model, window, 0, &bus, &len) < 0 || bus < peer->bus ||
	    bus + len > peer->bus + there)
		len = 0;
	if (len == l->shown[window].len && (len == 0 || bus == l->shown[window].bus))
		return;
	show_ones(l, window);
	if (len != 0)
		show_memory(l, window, peer, bus, len);
	l->shown[window].bus = bus;
	l->shown[window].len = len;
}

/* The EAL writes the command register through a file, which does not trap, and reads the state of
 * the link there. */
static void
settle(void)
{
	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < n_ports; i++) {
		struct live *l = &ports[i];
		uint16_t cmd = *(const volatile uint16_t *)(l->f->config + CFG_CMD) & 6;

		if (intm_cfg_read(l->model, CFG_CMD, 2) != cmd)
			intm_cfg_write(l->model, CFG_CMD, cmd, 2);
		*(volatile uint16_t *)(l->f->config + CFG_LINK) =
			(uint16_t)intm_cfg_read(l->model, CFG_LINK, 2);
	}
	for (unsigned int i = 0; i < n_ports; i++)
		for (unsigned int w = 0; w < INTM_WINDOWS; w++)
			settle_window(&ports[i], w);
	pthread_mutex_unlock(&lock);
}

/* Interrupts, and windows of a process that touches no register. */
static void *
follow(void *arg)
{
	struct live *l = arg;
	uint32_t *word = intm_word(l->model), seen, irqs = 0;

	for (;;) {
		const struct timespec limit = {.tv_nsec = 100000000};

		seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);
		settle();
		if (intm_irqs(l->model) != irqs && intm_irq(l->model)) {
			irqs = intm_irqs(l->model);
			if (write(l->uio, &irqs, sizeof(irqs)) != sizeof(irqs))
				return NULL;
		}
		syscall(SYS_futex, word, FUTEX_WAIT, seen, &limit, NULL, 0);
	}
}

/* ---- accesses ---- */

#if defined(__x86_64__)

static struct sigaction before_segv;

static const struct live *
find(const uint8_t *at)
{
	for (unsigned int i = 0; i < n_ports; i++)
		if (ports[i].va[0] != NULL && at >= ports[i].va[0] &&
		    at < ports[i].va[0] + LIVE_REGISTERS)
			return &ports[i];
	return NULL;
}

/* Numbers of registers in instructions, and where signals keep them. */
static greg_t *
saved_reg(ucontext_t *uc, unsigned int reg)
{
	static const int at[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
				   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
				   REG_R12, REG_R13, REG_R14, REG_R15};

	return &uc->uc_mcontext.gregs[at[reg]];
}

static void
do_mov(const struct live *l, ucontext_t *uc, const struct mov *m, uint32_t off)
{
	greg_t *reg = saved_reg(uc, m->reg);
	uint64_t mask = m->size == 8 ? UINT64_MAX : (1ull << 8 * m->size) - 1, v;

	if (m->store) {
		v = m->immediate ? m->value : (uint64_t)*reg;
		intm_reg_write(l->model, off, v & mask, m->size);
		if (live_intel_stored != NULL)
			live_intel_stored();
		return;
	}
	v = intm_reg_read(l->model, off, m->size);
	*reg = (greg_t)(m->keeps ? ((uint64_t)*reg & ~mask) | v : v);
}

static void
on_segv(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	const uint8_t *at = info->si_addr;
	const struct live *l = find(at);
	int before = errno;
	struct mov m;

	if (l == NULL || !mov_decode((const uint8_t *)uc->uc_mcontext.gregs[REG_RIP], &m) ||
	    m.store != ((uc->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT) != 0)) {
		sigaction(sig, &before_segv, NULL); /* a real fault: it comes again */
		return;
	}
	settle();
	do_mov(l, uc, &m, (uint32_t)(at - l->va[0]));
	settle();
	uc->uc_mcontext.gregs[REG_RIP] += m.len;
	errno = before;
}

bool
live_intel_possible(void)
{
	return true;
}

static int
catch_signals(void)
{
	struct sigaction segv = {.sa_sigaction = on_segv, .sa_flags = SA_SIGINFO};
	struct sigaction now;

	if (sigaction(SIGSEGV, NULL, &now) < 0)
		return -errno;
	if (now.sa_sigaction == on_segv)
		return 0;
	return sigaction(SIGSEGV, &segv, &before_segv) < 0 ? -errno : 0;
}

#else

bool
live_intel_possible(void)
{
	return false;
}

static int
catch_signals(void)
{
	return -ENOTSUP;
}

#endif

/* What was stored before, through mappings that do not trap. */
static void
replay(const struct live *l)
{
	for (uint32_t off = 0; off < LIVE_REGISTERS; off += 2) {
		uint16_t v = *(const volatile uint16_t *)(l->f->bar[0] + off);

		if (v != 0)
			intm_reg_write(l->model, off, v, 2);
	}
}

/* The PCI bus maps BARs by this function of the EAL, and calls the first definition that the
 * dynamic linker finds. The driver touches registers right after it, in its probe. */
void *rte_mem_map(void *wanted, size_t size, int prot, int flags, int fd, uint64_t offset);
void *
rte_mem_map(void *wanted, size_t size, int prot, int flags, int fd, uint64_t offset)
{
	union {
		void *symbol;
		void *(*call)(void *wanted, size_t size, int prot, int flags, int fd,
			      uint64_t offset);
	} eal = {.symbol = dlsym(RTLD_NEXT, "rte_mem_map")};
	void *va = eal.call(wanted, size, prot, flags, fd, offset);
	char link[32], path[256] = "";
	const char *bar;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (va == NULL || readlink(link, path, sizeof(path) - 1) < 0)
		return va;
	bar = strstr(path, "/resource");
	for (unsigned int i = 0; bar != NULL && i < n_ports; i++) {
		unsigned int n = (unsigned int)(bar[strlen("/resource")] - '0') / 2;

		if (strstr(path, ports[i].f->bdf) == NULL || n > INTM_WINDOWS)
			continue;
		if (n == 0) {
			replay(&ports[i]);
			mprotect(va, size, PROT_NONE);
		}
		pthread_mutex_lock(&lock);
		ports[i].va[n] = va;
		if (n > 0)
			show_ones(&ports[i], n - 1);
		pthread_mutex_unlock(&lock);
		/* not earlier: a PE may have no thread before it has moved its static data */
		if (n == 0 && !ports[i].runs)
			ports[i].runs =
				pthread_create(&ports[i].thread, NULL, follow, &ports[i]) == 0;
		if (n == 0 && live_intel_mapped != NULL)
			live_intel_mapped(ports[i].f);
	}
	return va;
}

/* ---- for tests ---- */

static int
map_memory(struct live *l, int fd)
{
	size_t len = INTM_ENDS * sizeof(struct memory);

	if (ftruncate(fd, (off_t)len) < 0)
		return -errno;
	l->memory = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (l->memory == MAP_FAILED)
		return -errno;
	__atomic_store_n(&l->memory[l->end].len, 0, __ATOMIC_RELEASE);
	return 0;
}

int
live_intel_add(const struct fake_pci *f, const struct live_cable *cable)
{
	const struct intm_conf conf = {
		.fd = cable->model_fd,
		.end = cable->end,
		.gen = cable->gen,
		.reading = cable->reading,
		.bar_addr = {fake_pci_bar_at(f, 0), fake_pci_bar_at(f, 2), fake_pci_bar_at(f, 4)},
		.bar_size = {LIVE_REGISTERS, f->size[2], f->size[4]},
	};
	struct live *l = &ports[n_ports];
	char path[32];
	int ret = n_ports == PORTS ? -ENOSPC : catch_signals();

	if (ret < 0)
		return ret;
	*l = (struct live){.f = f, .end = cable->end};
	ret = map_memory(l, cable->memory_fd);
	if (ret == 0)
		ret = intm_open(&conf, &l->model);
	if (ret < 0)
		return ret;
	for (uint32_t off = 0; off < 4096; off++)
		f->config[off] = (uint8_t)intm_cfg_read(l->model, off, 1);
	f->config[CFG_CMD] |= 2; /* the kernel enables BARs when a driver binds */
	snprintf(path, sizeof(path), "/dev/uio%u", f->uio);
	l->uio = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (l->uio < 0)
		return -errno;
	n_ports++;
	return 0;
}

int
live_intel_memory(const struct fake_pci *f, uint64_t bus, uint64_t len, int fd)
{
	for (unsigned int i = 0; i < n_ports; i++) {
		struct memory *m;

		if (ports[i].f != f)
			continue;
		m = &ports[i].memory[ports[i].end];
		m->bus = bus;
		m->pid = (int)getpid();
		m->fd = fd;
		__atomic_store_n(&m->len, len, __ATOMIC_RELEASE);
		return 0;
	}
	return -ENODEV;
}

struct intm_port *
live_intel_model(const struct fake_pci *f)
{
	for (unsigned int i = 0; i < n_ports; i++)
		if (ports[i].f == f)
			return ports[i].model;
	return NULL;
}
