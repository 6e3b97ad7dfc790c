/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The cable: both ends, the state of the link, and what passes. */

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "intm_link.h"

#define MAGIC 0x32426d746e49524eull

enum {
	STATUS_ACTIVE = 0x2000, /* 16 lanes of generation 3 */
	STATUS_WIDTH = 16 << 4,
	STATUS_SPEED = 3,
};

void
intm_lock(struct intm_cable *cable)
{
	/* no write of a register is in two steps that a dead process could leave half done */
	if (pthread_mutex_lock(&cable->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&cable->lock);
}

void
intm_unlock(struct intm_cable *cable)
{
	pthread_mutex_unlock(&cable->lock);
}

void
intm_changed(struct intm_end *end)
{
	__atomic_fetch_add(&end->word, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &end->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void
intm_raise(struct intm_end *end, unsigned int bit)
{
	uint64_t before = end->status & ~end->disable;

	end->status |= 1ull << bit;
	if ((end->status & ~end->disable) != before)
		intm_interrupt(end, 0);
}

/* A message for each bit that came, and for those that are left of a vector whose other bits were
 * cleared. */
static uint64_t
due_vectors(const struct intm_end *end, uint64_t live, uint64_t cleared)
{
	uint64_t due = 0, again = 0;
	unsigned int bit;

	for (bit = 0; bit <= INTM_DB_LINK; bit++)
		if ((cleared >> bit & 1) != 0)
			again |= 1ull << (end->vector[bit] & 63);
	for (bit = 0; bit <= INTM_DB_LINK; bit++) {
		uint64_t vector = 1ull << (end->vector[bit] & 63);

		if (((live & ~end->live) >> bit & 1) != 0 ||
		    ((live >> bit & 1) != 0 && (again & vector) != 0))
			due |= vector;
	}
	return due;
}

void
intm_interrupt(struct intm_end *end, uint64_t cleared)
{
	uint64_t live = end->status & ~end->disable;

	if ((end->msix_ctl & MSIX_ENABLE) != 0)
		end->due |= due_vectors(end, live, cleared);
	end->live = live;
	if (live != 0)
		end->irqs++;
	intm_changed(end);
}

static bool
is_open(const struct intm_end *end)
{
	if (!end->there || (end->ctl & CTL_DISABLE) != 0)
		return false;
	return end->gen == 3 ||
	       ((end->link_ctrl & LINK_CTRL_DISABLE) == 0 && (end->ppd0 & PPD0_TRAIN) != 0);
}

void
intm_link_update(struct intm_cable *cable)
{
	bool up = !cable->pulled && is_open(&cable->end[0]) && is_open(&cable->end[1]);
	unsigned int i;

	if (up == cable->up)
		return;
	cable->up = up;
	for (i = 0; i < INTM_ENDS; i++) {
		cable->end[i].slot |= SLOT_CHANGED;
		intm_raise(&cable->end[i], INTM_DB_LINK);
		intm_changed(&cable->end[i]); /* windows too */
	}
}

bool
intm_passes(const struct intm_port *port)
{
	return port->cable->up && (intm_own(port)->link_cmd & CMD_MASTER) != 0 &&
	       (intm_peer(port)->link_cmd & CMD_MEM) != 0;
}

uint16_t
intm_link_status(const struct intm_cable *cable)
{
	return cable->up ? STATUS_ACTIVE | STATUS_WIDTH | STATUS_SPEED : 0;
}

static int
format_cable(struct intm_cable *cable)
{
	pthread_mutexattr_t attr;
	int ret;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	ret = -pthread_mutex_init(&cable->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	if (ret == 0)
		cable->magic = MAGIC;
	return ret;
}

static int
map_cable(int fd, struct intm_cable **ret_cable)
{
	struct intm_cable *cable;
	struct stat st;
	int ret = 0;

	if (flock(fd, LOCK_EX) < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size == 0 && ftruncate(fd, sizeof(*cable)) < 0)
		ret = -errno;
	else if (st.st_size != 0 && st.st_size != sizeof(*cable))
		ret = -EINVAL;
	cable = ret < 0 ? MAP_FAILED
			: mmap(NULL, sizeof(*cable), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ret == 0 && cable == MAP_FAILED)
		ret = -errno;
	if (ret == 0 && cable->magic == 0)
		ret = format_cable(cable);
	else if (ret == 0 && cable->magic != MAGIC)
		ret = -EINVAL;
	flock(fd, LOCK_UN);
	if (ret < 0 && cable != MAP_FAILED)
		munmap(cable, sizeof(*cable));
	*ret_cable = cable;
	return ret;
}

static uint32_t
ppd1_of(const struct intm_conf *conf)
{
	/* back to back; which end it is */
	if (conf->gen == 3)
		return 0x1u | conf->end << 4;
	return 0x200u | conf->end << ((conf->reading & INTM_SAPPHIRE) != 0 ? 14 : 12);
}

static void
power_on(struct intm_end *end, const struct intm_conf *conf)
{
	const bool open = (conf->reading & INTM_RESET_OPEN) != 0;
	const bool off = conf->gen == 3 && (conf->reading & INTM_SPCICMD_OFF) != 0;
	unsigned int i;

	*end = (struct intm_end){
		.there = true,
		.gen = (uint8_t)conf->gen,
		.reading = (uint16_t)conf->reading,
		.link_cmd = off ? 0 : CMD_MEM | CMD_MASTER,
		.ctl = open ? 0 : CTL_LOCK | CTL_DISABLE,
		.disable = open ? 0 : UINT64_MAX,
		.ppd0 = open ? PPD0_TRAIN : 0,
		.ppd1 = ppd1_of(conf),
		.link_ctrl = open || conf->gen == 3 ? 0 : LINK_CTRL_DISABLE,
		.irqs = end->irqs,
		.word = end->word,
	};
	memcpy(end->bar_addr, conf->bar_addr, sizeof(end->bar_addr));
	memcpy(end->bar_size, conf->bar_size, sizeof(end->bar_size));
	end->bar_size[0] = INTM_BAR0_SIZE;
	for (i = 0; i <= INTM_WINDOWS; i++) /* 64 bits wide, prefetchable */
		end->em_bar[i] = (uint64_t)(i + 1) << 42 | 0xc;
	for (i = 0; i < INTM_WINDOWS && (conf->reading & INTM_INDEX_ZERO) == 0; i++)
		end->base_bits[i] = (uint16_t)__builtin_ctzll(conf->bar_size[1 + i]);
	for (i = 0; i <= INTM_DOORBELLS; i++)
		end->vector[i] = (uint8_t)(i + 1) % INTM_VECTORS;
	for (i = 0; i < INTM_VECTORS; i++)
		end->msix[i].ctl = 1; /* masked */
}

void
intm_power(struct intm_port *port, bool on)
{
	intm_lock(port->cable);
	intm_own(port)->there = false;
	intm_link_update(port->cable);
	if (on)
		power_on(intm_own(port), &port->conf);
	intm_changed(intm_own(port));
	intm_unlock(port->cable);
}

int
intm_open(const struct intm_conf *conf, struct intm_port **ret_port)
{
	struct intm_port *port;
	unsigned int i;
	int ret;

	if (conf->end >= INTM_ENDS || (conf->gen != 3 && conf->gen != 4) ||
	    conf->reading > INTM_READINGS)
		return -EINVAL;
	for (i = 1; i <= INTM_WINDOWS; i++)
		if (conf->bar_size[i] == 0 || (conf->bar_size[i] & (conf->bar_size[i] - 1)) != 0)
			return -EINVAL;
	port = calloc(1, sizeof(*port));
	if (port == NULL)
		return -ENOMEM;
	ret = map_cable(conf->fd, &port->cable);
	if (ret < 0) {
		free(port);
		return ret;
	}
	port->end = conf->end;
	port->conf = *conf;
	intm_power(port, true);
	*ret_port = port;
	return 0;
}

void
intm_cable(struct intm_port *port, bool plugged)
{
	intm_lock(port->cable);
	port->cable->pulled = !plugged;
	intm_link_update(port->cable);
	intm_unlock(port->cable);
}

bool
intm_irq(struct intm_port *port)
{
	bool pending;

	intm_lock(port->cable);
	pending = (intm_own(port)->status & ~intm_own(port)->disable) != 0;
	intm_unlock(port->cable);
	return pending;
}

uint32_t
intm_irqs(struct intm_port *port)
{
	uint32_t n;

	intm_lock(port->cable);
	n = intm_own(port)->irqs;
	intm_unlock(port->cable);
	return n;
}

/* The vector whose message may be sent, or -1. */
static int
next_vector(const struct intm_end *end)
{
	if (!end->there || (end->cmd & CMD_MASTER) == 0 ||
	    (end->msix_ctl & (MSIX_ENABLE | MSIX_MASK)) != MSIX_ENABLE)
		return -1;
	for (int v = 0; v < INTM_VECTORS; v++)
		if ((end->due >> v & 1) != 0 && (end->msix[v].ctl & 1) == 0)
			return v;
	return -1;
}

bool
intm_message(struct intm_port *port, struct intm_message *ret_message)
{
	struct intm_end *end = intm_own(port);
	int v;

	intm_lock(port->cable);
	v = next_vector(end);
	if (v >= 0) {
		end->due &= ~(1ull << v);
		*ret_message = (struct intm_message){end->msix[v].addr, end->msix[v].data};
	}
	intm_unlock(port->cable);
	return v >= 0;
}

uint32_t *
intm_word(struct intm_port *port)
{
	return &intm_own(port)->word;
}

static uint64_t
lesser_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many of @p size bytes from @p base on are below a limit. */
static uint64_t
below_limit(unsigned int reading, uint64_t limit, uint64_t base, uint64_t size)
{
	if (limit == 0)
		return (reading & INTM_LIMIT_ZERO) != 0 ? 0 : size;
	if (limit == base)
		return (reading & INTM_LIMIT_EQUAL) != 0 ? size : 0;
	if (limit < base)
		return (reading & INTM_LIMIT_BELOW) != 0 ? 0 : size;
	return lesser_of(limit - base, size);
}

/* The bits of an address below the size come from the access, the others from the base. */
static uint64_t
size_of(const struct intm_end *to, unsigned int window)
{
	return to->gen == 3 ? to->bar_size[1 + window] : 1ull << (to->base_bits[window] & 63);
}

/* How far the peer lets accesses of its window reach: behind its limits nothing passes. */
static uint64_t
reach_of(const struct intm_end *to, unsigned int window)
{
	uint64_t size = to->bar_size[1 + window], em = to->em_bar[1 + window] & ~0xfull;
	uint64_t begin = (to->reading & INTM_LIMIT_XBASE) != 0
				 ? to->base[window] & ~(size_of(to, window) - 1)
				 : to->bar_addr[1 + window];
	uint64_t reach = below_limit(to->reading, to->limit[window], begin, size);

	if (to->gen == 3)
		reach = lesser_of(reach, below_limit(to->reading, to->em_limit[window], em, size));
	return reach;
}

static bool
is_adding(const struct intm_end *to)
{
	return to->gen == 4 && (to->reading & INTM_INDEX_ADDS) != 0;
}

int
intm_window(struct intm_port *port, unsigned int window, uint64_t off, uint64_t *ret_bus,
	    uint64_t *ret_len)
{
	const struct intm_end *from = intm_own(port), *to = intm_peer(port);
	uint64_t reach, size, at;
	int ret = -EIO;

	if (window >= INTM_WINDOWS)
		return -EINVAL;
	intm_lock(port->cable);
	reach = lesser_of(reach_of(to, window), from->bar_size[1 + window]);
	size = size_of(to, window);
	at = is_adding(to) ? off : off & (size - 1);
	if (intm_passes(port) && (from->cmd & CMD_MEM) != 0 && (to->cmd & CMD_MASTER) != 0 &&
	    off < reach) {
		*ret_bus = (to->base[window] & ~(size - 1)) + at;
		*ret_len = is_adding(to) ? reach - off : lesser_of(reach - off, size - at);
		ret = 0;
	}
	intm_unlock(port->cable);
	return ret;
}

int
intm_reading(const char *words, unsigned int *ret_reading)
{
	static const char *const names[] = {"xbase", "zero",  "equal", "below",	  "spcicmd",
					    "adds",  "index", "open",  "sapphire"};
	const size_t count = sizeof(names) / sizeof(names[0]);

	*ret_reading = strcmp(words, "all") == 0 ? INTM_READINGS : 0;
	if (*ret_reading != 0 || strcmp(words, "none") == 0)
		return 0;
	for (;; words++) {
		size_t len = strcspn(words, "+"), i = 0;

		while (i < count && (strlen(names[i]) != len || memcmp(names[i], words, len) != 0))
			i++;
		if (i == count)
			return -EINVAL;
		*ret_reading |= 1u << i;
		words += len;
		if (*words == '\0')
			return 0;
	}
}
