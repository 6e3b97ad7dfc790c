/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Any sequence of accesses to two cabled chips: bytes in, operations out, and after each what
 * must hold of a chip whatever software does to it. Runs under libFuzzer, or over stored inputs
 * with fuzz_replay.c. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input.h"
#include "plxm.h"

#define V0 0x3E000u
#define L0 0x3F000u
#define MIB (1024ull * 1024)
#define BUS 0x40000000ull
#define GUARD 4096u /* bytes of the memory file on either side that were not announced */
#define RAM 65536u
#define SEG(n) (0x2000000000000000ull * (n))

struct state {
	int cable, ram_fd;
	uint8_t *ram;
	struct plxm_port *p[2];
	uint8_t *win[2][2];
	uint32_t irq[2];
	bool looped; /* both plugs of the cable are in one port */
	bool noisy[2];
	bool mute[2]; /* what this end stores gets lost */
};

static void
open_port(struct state *s, unsigned int end)
{
	struct plxm_eeprom e;

	plxm_eeprom_default(&e, MIB);
	e.bar4_size = 2 * MIB;
	HOLDS(plxm_port_open(s->cable, end, &e, &s->p[end]) == 0);
	HOLDS(plxm_dram_add(s->p[end], BUS, RAM, s->ram_fd, GUARD) == 0);
	s->win[end][0] = plxm_win_map(s->p[end], 2, NULL);
	s->win[end][1] = plxm_win_map(s->p[end], 4, NULL);
	HOLDS(s->win[end][0] != NULL && s->win[end][1] != NULL);
	s->irq[end] = *plxm_irq_word(s->p[end]);
}

static void
wr64(struct plxm_port *p, uint32_t off, uint64_t val)
{
	plxm_reg_write(p, off, (uint32_t)val);
	plxm_reg_write(p, off + 4, (uint32_t)(val >> 32));
}

static void
program(struct plxm_port *p)
{
	plxm_reg_write(p, L0 + 0xE4, 3);
	wr64(p, L0 + 0x10, SEG(4));
	wr64(p, V0 + 0xC3C, SEG(2));
	wr64(p, V0 + 0xC44, SEG(4));
	for (uint32_t i = 0; i < 32; i += 2)
		plxm_reg_write(p, L0 + 0xDB4 + 2 * i, 0x00010001 | (i + 1) << 19 | i << 3);
	plxm_reg_write(p, V0 + 0xD94, plxm_reg_read(p, V0 + 0xC90) << 16 | 0x00010001);
	wr64(p, L0 + 0xE8, -MIB | 0xC);
	wr64(p, L0 + 0x18, SEG(2));
	wr64(p, L0 + 0xC3C, BUS);
	wr64(p, L0 + 0xF0, -MIB | 0xC);
	wr64(p, L0 + 0x20, SEG(4) + MIB);
	wr64(p, L0 + 0xC44, BUS);
	plxm_cfg_write(p, 4, 6, 2);
	plxm_reg_write(p, L0 + 4, 6);
}

/* A map shows memory only where the walk of a request reaches the same memory, and a store through
 * it arrives there, or is lost where the end is mute. */
static void
compare(struct state *s, unsigned int end, unsigned int w, uint64_t off)
{
	uint64_t seen, walked = 0;
	int rc;

	off &= (w ? 2 * MIB : MIB) - 8;
	plxm_sync(s->p[end]);
	memcpy(&seen, s->win[end][w] + off, 8);
	if (seen == ~0ull)
		return;
	rc = plxm_win_read(s->p[end], w ? 4 : 2, off, &walked, 8);
	HOLDS(rc == 0 && walked == seen);
	memcpy(s->win[end][w] + off, &off, 8);
	plxm_win_read(s->p[end], w ? 4 : 2, off, &walked, 8);
	HOLDS(walked == (s->mute[end] ? seen : off));
}

static void
access_window(struct state *s, unsigned int end, struct input *in)
{
	uint8_t buf[64], w = (uint8_t)take(in, 1);
	uint64_t off = take(in, 3), len = take(in, 1) % sizeof(buf);
	unsigned int bar = w & 1 ? 4 : 2;
	int rc;

	if (w & 2) {
		for (size_t i = 0; i < len; i++)
			buf[i] = (uint8_t)take(in, 1);
		plxm_win_write(s->p[end], bar, off, buf, len);
		return;
	}
	memset(buf, 0, sizeof(buf));
	rc = plxm_win_read(s->p[end], bar, off, buf, len);
	if (rc != 0 && off >= 2 * MIB)
		for (size_t i = 0; i < len; i++)
			HOLDS(buf[i] == 0xFF);
}

static void
fault(struct state *s, unsigned int end, struct input *in)
{
	enum plxm_fault f = (enum plxm_fault)(take(in, 1) % (PLXM_FAULT_MAX + 1));
	uint64_t arg = take(in, 1);

	if (f == PLXM_FAULT_CABLE)
		s->looped = arg == 2;
	if (f == PLXM_FAULT_MUTE)
		s->mute[end] = arg != 0;
	if (f != PLXM_FAULT_DELAY_NS) /* would only burn time */
		plxm_fault_set(s->p[end], f, arg);
}

/* Posted writes are held back for longer than a run takes. */
static void
noise(struct state *s, unsigned int end, struct input *in)
{
	uint8_t how = (uint8_t)take(in, 1);
	const struct plxm_noise n = {
		.seed = take(in, 1),
		.posted_ns = how & 1 ? UINT32_MAX : 0,
		.read_ns = how & 2 ? 1000 : 0,
	};

	s->noisy[end] = how != 0;
	HOLDS(plxm_noise_set(s->p[end], how != 0 ? &n : NULL) == 0);
}

static void
memory(struct state *s, unsigned int end, struct input *in)
{
	uint64_t bus = take(in, 3) << 12, len = take(in, 1) << 12, off = take(in, 1) << 12;

	/* never the guards: not all of the file is announced */
	if (off < GUARD || off + len > GUARD + RAM)
		plxm_dram_del(s->p[end], bus);
	else
		plxm_dram_add(s->p[end], bus, len, s->ram_fd, off);
}

static void
step(struct state *s, struct input *in)
{
	uint8_t op = (uint8_t)take(in, 1);
	unsigned int end = op >> 7;
	struct plxm_port *p = s->p[end];
	uint32_t off, val;

	switch (op & 0x0F) {
	case 0:
		off = (uint32_t)take(in, 3);
		plxm_reg_write(p, off, (uint32_t)take(in, 4));
		break;
	case 1:
	case 2: /* the same for the registers that matter */
		off = (uint32_t)take(in, 2) & 0x1FFC;
		plxm_reg_write(p, V0 + off, (uint32_t)take(in, 4));
		break;
	case 3:
		off = (uint32_t)take(in, 2) & 0x3FFC;
		plxm_reg_write(p, 0x38000 + off, (uint32_t)take(in, 4));
		break;
	case 4:
		off = (uint32_t)take(in, 2);
		val = (uint32_t)take(in, 4);
		plxm_cfg_write(p, off, val, op >> 4 & 7);
		plxm_cfg_read(p, off, op >> 4 & 7);
		break;
	case 5:
	case 6:
		access_window(s, end, in);
		break;
	case 7:
		compare(s, end, op >> 4 & 1, take(in, 3));
		break;
	case 8:
		fault(s, end, in);
		break;
	case 9:
		memory(s, end, in);
		break;
	case 10:
	case 11:
		program(p);
		break;
	case 12:
		plxm_port_close(p);
		s->noisy[end] = false;
		open_port(s, end);
		break;
	case 13:
		noise(s, end, in);
		break;
	default:
		plxm_reg_read(p, (uint32_t)take(in, 3));
		break;
	}
}

static void
check(struct state *s)
{
	uint32_t width[2];

	/* no write arrives between two looks at the same thing */
	for (unsigned int end = 0; end < 2; end++)
		if (s->noisy[end])
			plxm_sync(s->p[end]);
	for (unsigned int end = 0; end < 2; end++) {
		struct plxm_port *p = s->p[end];
		uint32_t irq = *plxm_irq_word(p);

		HOLDS(plxm_reg_read(p, V0) == 0x87B010B5);
		HOLDS(plxm_reg_read(p, L0) == 0x87A010B5);
		HOLDS(plxm_reg_read(p, V0 + 0xC8C) == 0);
		HOLDS(plxm_reg_read(p, L0 + 0xC8C) == 1u << 31);
		HOLDS(plxm_reg_read(p, V0 + 0xC90) == 0x18);
		HOLDS(plxm_reg_read(p, V0 + 0xE8) == 0xFFF0000C);
		for (uint32_t r = 0xC4C; r < 0xC6C; r += 4) {
			HOLDS(plxm_reg_read(p, V0 + r) <= 0xFFFF);
			HOLDS(plxm_reg_read(p, V0 + r) == plxm_reg_read(p, L0 + r));
		}
		HOLDS(plxm_reg_read(p, V0 + 0xFE0) <= 0xF);
		HOLDS((int32_t)(irq - s->irq[end]) >= 0);
		s->irq[end] = irq;
		width[end] = plxm_reg_read(p, V0 + 0x78) >> 20 & 0x3F;
	}
	for (unsigned int end = 0; end < 2; end++)
		HOLDS(width[end] == 0 || width[end] == 8);
	HOLDS(width[0] == width[1] || s->looped);
	for (uint32_t i = 0; i < GUARD; i += 512)
		HOLDS(s->ram[i] == 0xA5 && s->ram[GUARD + RAM + i] == 0xA5);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size < 4096 ? size : 4096};
	struct state s = {0};

	s.cable = memfd_create("cable", MFD_CLOEXEC);
	s.ram_fd = memfd_create("ram", MFD_CLOEXEC);
	HOLDS(s.cable >= 0 && s.ram_fd >= 0 && ftruncate(s.ram_fd, RAM + 2 * GUARD) == 0);
	s.ram = mmap(NULL, RAM + 2 * GUARD, PROT_READ | PROT_WRITE, MAP_SHARED, s.ram_fd, 0);
	HOLDS(s.ram != MAP_FAILED);
	memset(s.ram, 0xA5, GUARD);
	memset(s.ram + GUARD + RAM, 0xA5, GUARD);
	open_port(&s, 0);
	open_port(&s, 1);
	while (in.left != 0) {
		step(&s, &in);
		check(&s);
	}
	plxm_port_close(s.p[0]);
	plxm_port_close(s.p[1]);
	munmap(s.ram, RAM + 2 * GUARD);
	close(s.ram_fd);
	close(s.cable);
	return 0;
}
