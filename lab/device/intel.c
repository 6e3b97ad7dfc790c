/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The function of Intel's NTB. What its windows show is the memory of the other host. */

#include <string.h>

#include "device.h"

enum {
	CFG_BAR0_HIGH = 0x14,
	CFG_BAR2_HIGH = 0x1C,
	CFG_BAR4_HIGH = 0x24,
};

static void
intel_power(struct fn *f, bool on)
{
	intm_power(f->intel, on);
}

static uint32_t
intel_cfg_read(struct fn *f, uint32_t off, unsigned int size)
{
	uint32_t dword = off & ~3u;

	/* as in nt_cfg_read() */
	if (!f->sized &&
	    (dword == CFG_BAR0_HIGH || dword == CFG_BAR2_HIGH || dword == CFG_BAR4_HIGH))
		return 0;
	return (uint32_t)intm_cfg_read(f->intel, off, size);
}

static void
intel_cfg_write(struct fn *f, uint32_t off, uint32_t val, unsigned int size)
{
	intm_cfg_write(f->intel, off, val, size);
}

/* An aligned access is one access: the guest may poll a word while it is stored. */
static void
copy_access(void *to, const void *from, unsigned int size)
{
	if (((uintptr_t)to | (uintptr_t)from) % size != 0)
		memcpy(to, from, size);
	else if (size == 8)
		*(volatile uint64_t *)to = *(const volatile uint64_t *)from;
	else if (size == 4)
		*(volatile uint32_t *)to = *(const volatile uint32_t *)from;
	else if (size == 2)
		*(volatile uint16_t *)to = *(const volatile uint16_t *)from;
	else
		*(volatile uint8_t *)to = *(const volatile uint8_t *)from;
}

static void
access_window(struct fn *f, unsigned int window, uint64_t off, void *out, const void *in,
	      unsigned int size)
{
	uint64_t bus, len;
	uint8_t *at;

	if (intm_window(f->intel, window, off, &bus, &len) < 0 || len < size)
		return;
	pthread_rwlock_rdlock(&f->peer->mem_lock);
	at = sysmem_find(&f->peer->mem, bus, &len);
	if (at != NULL && len >= size)
		copy_access(in != NULL ? at : out, in != NULL ? in : at, size);
	pthread_rwlock_unlock(&f->peer->mem_lock);
}

static void
intel_bar_read(struct fn *f, uint64_t addr, void *buf, unsigned int size)
{
	uint64_t off, val;
	int bar = intm_decode(f->intel, addr, size, &off);

	memset(buf, 0xFF, size);
	if (bar > 0) {
		access_window(f, (unsigned int)bar - 1, off, buf, NULL, size);
	} else if (bar == 0) {
		val = intm_reg_read(f->intel, (uint32_t)off, size);
		memcpy(buf, &val, size);
	}
}

static void
intel_bar_write(struct fn *f, uint64_t addr, const void *buf, unsigned int size)
{
	uint64_t off, val = 0;
	int bar = intm_decode(f->intel, addr, size, &off);

	memcpy(&val, buf, size);
	if (bar > 0)
		access_window(f, (unsigned int)bar - 1, off, NULL, buf, size);
	else if (bar == 0)
		intm_reg_write(f->intel, (uint32_t)off, val, size);
}

static int
intel_sysmem(struct fn *f, struct message *m)
{
	int ret = 0;

	if (m != NULL && sysmem_same(&f->mem, m))
		return 0;
	pthread_rwlock_wrlock(&f->mem_lock);
	if (m == NULL)
		sysmem_clear(&f->mem);
	else
		ret = sysmem_set(&f->mem, m, true);
	pthread_rwlock_unlock(&f->mem_lock);
	return ret;
}

const struct fn_ops intel_ops = {
	.power = intel_power,
	.cfg_read = intel_cfg_read,
	.cfg_write = intel_cfg_write,
	.bar_read = intel_bar_read,
	.bar_write = intel_bar_write,
	.sysmem = intel_sysmem,
};
