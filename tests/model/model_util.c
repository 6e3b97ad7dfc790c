/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "model_test.h"

int
new_cable(void)
{
	int fd = memfd_create("cable", MFD_CLOEXEC);

	CU_ASSERT_FATAL(fd >= 0);
	return fd;
}

int
new_memory(uint64_t size, uint8_t **va)
{
	int fd = memfd_create("ram", MFD_CLOEXEC);

	CU_ASSERT_FATAL(fd >= 0 && ftruncate(fd, (off_t)size) == 0);
	*va = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CU_ASSERT_FATAL(*va != MAP_FAILED);
	return fd;
}

void
rig_open_eeprom(struct rig *r, const struct plxm_eeprom *e)
{
	memset(r, 0, sizeof(*r));
	r->fd = new_cable();
	r->bar2 = e->bar2_size;
	r->bar4 = e->bar4_size;
	r->mem_size = 4 * MIB;
	for (unsigned int i = 0; i < 2; i++) {
		CU_ASSERT_FATAL(plxm_port_open(r->fd, 0, i, e, &r->p[i]) == 0);
		r->v[i] = e->nt_index ? V1 : V0;
		r->l[i] = e->nt_index ? L1 : L0;
		r->mem_fd[i] = new_memory(r->mem_size, &r->mem[i]);
		CU_ASSERT_FATAL(plxm_dram_add(r->p[i], BUS0, r->mem_size, r->mem_fd[i], 0) == 0);
	}
}

void
rig_open(struct rig *r, uint64_t bar2, uint64_t bar4)
{
	struct plxm_eeprom e;

	plxm_eeprom_default(&e, bar2);
	e.bar4_size = bar4;
	rig_open_eeprom(r, &e);
}

void
rig_close(struct rig *r)
{
	for (unsigned int i = 0; i < 2; i++) {
		plxm_port_close(r->p[i]);
		munmap(r->mem[i], r->mem_size);
		close(r->mem_fd[i]);
	}
	close(r->fd);
}

uint32_t
rig_read(const struct rig *r, uint32_t off)
{
	return plxm_reg_read(r->p[0], off);
}

void
rig_write(const struct rig *r, uint32_t off, uint32_t val)
{
	plxm_reg_write(r->p[0], off, val);
}

void
set64(struct plxm_port *p, uint32_t off, uint64_t val)
{
	plxm_reg_write(p, off, (uint32_t)val);
	plxm_reg_write(p, off + 4, (uint32_t)(val >> 32));
}

void
program_port(struct plxm_port *p, uint32_t v, uint64_t bar2, uint64_t bar4, uint64_t dma)
{
	uint32_t l = v + 0x1000;
	uint32_t cpu = plxm_reg_read(p, v + 0xC90);

	plxm_reg_write(p, l + 0xE4, 3);
	set64(p, l + 0x10, SEG(4) | 4);
	set64(p, v + 0xC3C, SEG(2));
	set64(p, v + 0xC44, SEG(4));
	plxm_reg_write(p, l + 0xC94, 0);
	plxm_reg_write(p, v + 0xC94, 0);
	for (uint32_t i = 0; i < 32; i += 2)
		plxm_reg_write(p, l + 0xDB4 + 2 * i, 0x00010001 | (i + 1) << 19 | i << 3);
	plxm_reg_write(p, v + 0xD94, cpu << 16 | 0x00010001);
	set64(p, l + 0xE8, -bar2 | 0xC);
	set64(p, l + 0x18, SEG(2));
	set64(p, l + 0xC3C, dma);
	if (bar4 >= 2 * MIB) {
		set64(p, l + 0xF0, -(bar4 / 2) | 0xC);
		set64(p, l + 0x20, SEG(4) + bar4 / 2);
		set64(p, l + 0xC44, dma);
	} else {
		set64(p, l + 0xF0, 0);
	}
	plxm_cfg_write(p, 4, 6, 2);
	plxm_reg_write(p, l + 4, 6);
	plxm_reg_write(p, v + 0xFE0, 0xF);
	plxm_reg_write(p, v + 0xFE4, 0);
}

void
rig_program(struct rig *r)
{
	for (unsigned int i = 0; i < 2; i++)
		program_port(r->p[i], r->v[i], r->bar2, r->bar4, BUS0);
}

uint32_t
peer_read(struct plxm_port *p, uint32_t reg)
{
	uint32_t v = 0;

	plxm_win_read(p, 4, reg, &v, 4);
	return v;
}

void
peer_write(struct plxm_port *p, uint32_t reg, uint32_t val)
{
	plxm_win_write(p, 4, reg, &val, 4);
}

struct plxm_stats
stats(struct plxm_port *p)
{
	struct plxm_stats s;

	plxm_stats_get(p, &s);
	return s;
}

/* False where it is one that finds something. */
static bool
act(struct rig *r, const struct step *s)
{
	const uint32_t at = (uint32_t)s->at, val = (uint32_t)s->value;
	const bool one = s->what == WR1 || s->what == WR64_1 || s->what == FAULT1;
	struct plxm_port *p = r->p[one];

	switch (s->what) {
	case WR:
	case WR1:
		plxm_reg_write(p, at, val);
		return true;
	case WR64:
	case WR64_1:
		set64(p, at, s->value);
		return true;
	case WRP:
		peer_write(p, at, val);
		return true;
	case WRC:
		plxm_cfg_write(p, at & 0xFFFF, val, at >> 16);
		return true;
	case FAULT:
	case FAULT1:
		plxm_fault_set(p, (enum plxm_fault)at, s->value);
		return true;
	case PROGRAM:
		program_port(r->p[at], r->v[at], r->bar2, r->bar4, BUS0);
		return true;
	default:
		return false;
	}
}

static uint64_t
find(struct rig *r, const struct step *s)
{
	const uint32_t at = (uint32_t)s->at;
	const bool one =
		s->what == RD1 || s->what == HAS1 || s->what == LACKS1 || s->what == COUNT1;
	struct plxm_port *p = r->p[one];
	struct plxm_stats counts;
	uint64_t v = s->value;

	switch (s->what) {
	case RDP:
		return peer_read(p, at);
	case RDC:
		return plxm_cfg_read(p, at & 0xFFFF, at >> 16);
	case STORE: /* the value, where it came to that */
		return plxm_win_write(p, 2, s->at, &v, 8) == 0 ? v : ~v;
	case REFUSED:
		return plxm_win_write(p, 2, s->at, &v, 8) == -EIO ? v : ~v;
	case LOAD:
		v = 0;
		plxm_win_read(p, 2, s->at, &v, 8);
		return v;
	case MEM:
		memcpy(&v, r->mem[1] + s->at, 8);
		return v;
	case RAISED:
		return __atomic_load_n(plxm_irq_word(p), __ATOMIC_ACQUIRE);
	case COUNT:
	case COUNT1:
		counts = stats(p);
		memcpy(&v, (uint8_t *)&counts + s->at, 8);
		return v;
	default:
		return plxm_reg_read(p, at);
	}
}

void
run_scripts(const struct script *scripts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct step *s = scripts[i].steps;
		struct rig r;
		uint64_t irqs;

		rig_open(&r, scripts[i].bar2, scripts[i].bar4);
		if (scripts[i].programmed)
			rig_program(&r);
		irqs = *plxm_irq_word(r.p[0]);
		for (unsigned int at = 1; s->what != END; s++, at++) {
			uint64_t want = s->value, seen;

			if (act(&r, s))
				continue;
			seen = find(&r, s) - (s->what == RAISED ? irqs : 0);
			if (s->what == HAS || s->what == HAS1)
				seen &= want;
			if (s->what == LACKS || s->what == LACKS1) {
				seen &= want;
				want = 0;
			}
			CU_ASSERT_EQUAL(seen, want);
			if (seen != want)
				fprintf(stderr,
					"%s, step %u: 0x%" PRIx64 " where 0x%" PRIx64
					" was expected\n",
					scripts[i].name, at, seen, want);
		}
		rig_close(&r);
	}
}

#define PATIENCE 20 /* seconds */

static bool
in_vain(time_t since, const char *what)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	if (t.tv_sec - since > PATIENCE) {
		fprintf(stderr, "waited in vain for %s\n", what);
		return true;
	}
	sched_yield();
	return false;
}

bool
wait_word(const uint32_t *word, uint32_t want, const char *what)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != want) {
		if (in_vain(t.tv_sec, what))
			return false;
	}
	return true;
}
