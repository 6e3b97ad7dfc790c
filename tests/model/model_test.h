/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef MODEL_TEST_H
#define MODEL_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cases.h"
#include "plxm.h"

/* Register offsets as the facts about the chip have them, on purpose not shared with the model. */
enum {
	V0 = 0x3E000, /* NT0 virtual */
	L0 = 0x3F000, /* NT0 link */
	V1 = 0x3C000, /* NT1 virtual */
	L1 = 0x3D000, /* NT1 link */
};

#define KIB (1024ull)
#define MIB (1024ull * KIB)
#define ONES 0xFFFFFFFFu
#define SEG(n) (0x2000000000000000ull * (n)) /* cable address of window n */
#define BUS0 0x40000000ull		     /* where a host's memory lies */

/* Two chips, one cable, both in this process; each host with some memory. */
struct rig {
	int fd;
	struct plxm_port *p[2];
	uint32_t v[2], l[2]; /* register blocks */
	int mem_fd[2];
	uint8_t *mem[2];
	uint64_t bar2, bar4, mem_size;
};

int new_cable(void);
int new_memory(uint64_t size, uint8_t **va);
void rig_open(struct rig *r, uint64_t bar2, uint64_t bar4);
void rig_open_eeprom(struct rig *r, const struct plxm_eeprom *e);
void rig_close(struct rig *r);

/* The registers of port 0. */
uint32_t rig_read(const struct rig *r, uint32_t off);
void rig_write(const struct rig *r, uint32_t off, uint32_t val);

/* The addressing that FreeBSD's driver uses: windows at fixed places of the cable segment, the
 * lower half of BAR4 (all of it when 1 MiB) leads to the peer's registers. */
void rig_program(struct rig *r);
void program_port(struct plxm_port *p, uint32_t v, uint64_t bar2, uint64_t bar4, uint64_t dma);
void set64(struct plxm_port *p, uint32_t off, uint64_t val);

uint32_t peer_read(struct plxm_port *p, uint32_t reg);
void peer_write(struct plxm_port *p, uint32_t reg, uint32_t val);
struct plxm_stats stats(struct plxm_port *p);

/* What software does at the registers, one after another, and what it finds. */
enum what {
	END,
	/* registers of chip 0, of chip 1, and those of chip 1 through the window of chip 0 */
	WR,
	WR1,
	WRP,
	RD,
	RD1,
	RDP,
	/* 64 bits, lower half first */
	WR64,
	WR64_1,
	/* all of these bits are set, none of them is; in chip 0 and chip 1 */
	HAS,
	HAS1,
	LACKS,
	LACKS1,
	/* configuration space of chip 0: CFG(bytes, offset) */
	WRC,
	RDC,
	/* eight bytes through BAR2 of chip 0: stored, refused, loaded; and in the memory beyond */
	STORE,
	REFUSED,
	LOAD,
	MEM,
	/* a fault of chip 0, of chip 1 */
	FAULT,
	FAULT1,
	PROGRAM, /* chip number, as rig_program() does */
	RAISED,	 /* interrupts of chip 0 since the script began */
	/* a member of struct plxm_stats: STAT(member) */
	COUNT,
	COUNT1,
};

#define CFG(bytes, off) ((uint64_t)(bytes) << 16 | (off))
#define STAT(member) offsetof(struct plxm_stats, member)

struct step {
	enum what what;
	uint64_t at, value;
};

struct script {
	const char *name;
	uint64_t bar2, bar4; /* sizes */
	bool programmed;
	const struct step *steps; /* up to END */
};

#define SCRIPT(name, bar2, bar4, programmed, ...)                   \
	{                                                           \
		name, bar2, bar4, programmed, (const struct step[]) \
		{                                                   \
			__VA_ARGS__,                                \
			{                                           \
				END, 0, 0                           \
			}                                           \
		}                                                   \
	}

/* Each over chips of its own. Names the step that found something else. */
void run_scripts(const struct script *scripts, size_t n);

#define RUN_SCRIPTS(scripts)                                                \
	static void test_scripts(void)                                      \
	{                                                                   \
		run_scripts(scripts, sizeof(scripts) / sizeof(scripts[0])); \
	}

/* A bounded wait. False at the limit, with a line that names what was waited for. */
bool wait_word(const uint32_t *word, uint32_t want, const char *what);

#endif /* MODEL_TEST_H */
