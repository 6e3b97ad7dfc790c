/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Which NT port is at the other end? A ring of dual-port adapters joins NT0 to NT1 with every
 * cable, so a port must not take its own index for the peer's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <rte_common.h>
#include <rte_rawdev.h>

#include "drv.h"
#include "plx_dev.h"
#include "plxm.h"

#define A "raw_ntb_plx_emu0"
#define B "raw_ntb_plx_emu1"
#define MIB (1ull << 20)
#define REGS_ADDR (4ull << 61)

/* Two ports with a cable between them, of each of the four pairs of NT ports. */
enum {
	PAIRS = 4,
};

struct pair {
	struct drv_port a, b;
	int cable;
};

static void
open_pair(struct pair *p, unsigned int number, const char *more, uint64_t region_a)
{
	char args[2][48];

	p->cable = memfd_create("cable", MFD_CLOEXEC);
	CU_ASSERT_TRUE_FATAL(p->cable >= 0);
	snprintf(args[0], sizeof(args[0]), ",bar2=4M,nt=%u%s", number & 1, more);
	snprintf(args[1], sizeof(args[1]), ",bar2=4M,nt=%u%s", number >> 1, more);
	CU_ASSERT_EQUAL_FATAL(drv_port_open(&p->a, A, p->cable, 0, args[0], region_a), 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_open(&p->b, B, p->cable, 1, args[1], MIB), 0);
	CU_ASSERT_TRUE_FATAL(drv_wait_link(&p->a, &p->b, NTB_LINK_UP));
	drv_check_cable(&p->a, &p->b);
	drv_check_cable(&p->b, &p->a);
}

/* The cable goes to another port of the peer's chip, which is found anew. */
static void
retrain_pair(struct pair *p)
{
	CU_ASSERT_EQUAL(drv_fault(&p->a, "fault_retrain", 1), 0);
	CU_ASSERT_TRUE_FATAL(drv_wait_link(&p->a, &p->b, NTB_LINK_UP));
	drv_check_cable(&p->b, &p->a);
}

static void
close_pair(struct pair *p)
{
	drv_unplug(&p->a, &p->b, p->cable);
}

static void
test_all_pairs(void)
{
	struct pair p;
	unsigned int lines;

	drv_log_take(&lines);
	for (unsigned int number = 0; number < PAIRS; number++) {
		open_pair(&p, number, "", MIB);
		retrain_pair(&p);
		close_pair(&p);
	}
	/* nor does a word of the A-LUT whose other bits are noise, as the model's are, alarm users
	 */
	CU_ASSERT_PTR_NULL(strstr(drv_log_take(&lines), "A-LUT"));
}

/* One port of the driver, whose peer is a chip that the test programs. */
static struct plxm_port *
open_half(struct pair *p, unsigned int peer_nt, const char *more)
{
	struct plxm_eeprom e;
	struct plxm_port *peer;

	p->cable = memfd_create("cable", MFD_CLOEXEC);
	CU_ASSERT_TRUE_FATAL(p->cable >= 0);
	plxm_eeprom_default(&e, 4 * MIB);
	e.nt_index = (uint8_t)peer_nt;
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(p->cable, 0, 1, &e, &peer), 0);
	CU_ASSERT_EQUAL_FATAL(drv_port_open(&p->a, A, p->cable, 0, more, MIB), 0);
	return peer;
}

static void
close_half(struct pair *p, struct plxm_port *peer)
{
	drv_port_close(&p->a, A);
	plxm_port_close(peer);
	close(p->cable);
}

static void
write64(struct plxm_port *p, uint32_t reg, uint64_t val)
{
	plxm_reg_write(p, reg, (uint32_t)val);
	plxm_reg_write(p, reg + 4, (uint32_t)(val >> 32));
}

/* The registers at slot 0 whatever the port: what FreeBSD's driver leaves in the chip. */
static void
program_like_freebsd(struct plxm_port *p, uint32_t virt)
{
	const uint32_t link = virt + 0x1000;
	uint32_t i;

	plxm_cfg_write(p, 4, 6, 2);
	write64(p, virt + 0xc44, REGS_ADDR);
	plxm_reg_write(p, virt + 0xd94, plxm_reg_read(p, virt + 0xc90) << 16 | 0x00010001);
	plxm_reg_write(p, link + 0xe4, 3);
	write64(p, link + 0x10, REGS_ADDR | 4);
	for (i = 0; i < 16; i++)
		plxm_reg_write(p, link + 0xdb4 + 4 * i,
			       (2 * i + 1) << 19 | 1u << 16 | 2 * i << 3 | 1u);
	plxm_reg_write(p, link + 4, 6);
}

/* Its driver takes the peer for a like port at slot 0, as this one does with safe=1. */
static void
check_freebsd_sees(struct plxm_port *peer, uint32_t virt, struct drv_port *a)
{
	const uint32_t bell = 0x8001;
	uint32_t i, v = 0;

	for (i = 0; i < 8; i++) {
		a->port->ops->spad_write(a->port, i, 0x500 + i);
		CU_ASSERT_EQUAL(plxm_win_read(peer, 4, virt + 0xc6c + 4 * i, &v, 4), 0);
		CU_ASSERT_EQUAL(v, 0x500 + i);
	}
	CU_ASSERT_EQUAL(plxm_win_write(peer, 4, virt + 0xc4c, &bell, 4), 0);
	CU_ASSERT_EQUAL(ntb_db_read(a->port), bell);
	ntb_db_clear(a->port, bell);
}

static void
test_freebsd_at_slot_0(void)
{
	unsigned int nt, i;
	struct pair p;
	char more[32];

	for (nt = 0; nt < 2; nt++) {
		const uint32_t virt = nt != 0 ? 0x3c000 : 0x3e000;
		struct plxm_port *peer;

		snprintf(more, sizeof(more), ",bar2=4M,nt=%u,safe=%u", nt, nt);
		peer = open_half(&p, nt, more);
		CU_ASSERT_EQUAL(ntb_link_poll(p.a.port), NTB_LINK_DOWN);
		program_like_freebsd(peer, virt);
		CU_ASSERT_EQUAL(ntb_link_poll(p.a.port), NTB_LINK_UP);
		for (i = 0; i < 8; i++) {
			p.a.port->ops->peer_spad_write(p.a.port, i, 0x300 + i);
			CU_ASSERT_EQUAL(plxm_reg_read(peer, virt + 0xc6c + 4 * i), 0x300 + i);
		}
		check_freebsd_sees(peer, virt, &p.a);
		close_half(&p, peer);
	}
}

/* A host whose CPU stores with another requester id than it loads with, as servers do: the hello
 * only reads across the cable, so the stores need a proof of their own. */
static void
test_store_ids(void)
{
	/* let in by all; by the id that the chip logged; the same at a second function */
	static const struct {
		const char *more, *said;
	} ids[] = {
		{",bar2=4M,stores=0000", NULL},
		{",bar2=4M,stores=8000", "stores come with requester id 80:00.0"},
		{",bar2=4M,stores=8019", "stores come with requester id 80:03.1"},
	};
	unsigned int i, lines;

	for (i = 0; i < RTE_DIM(ids); i++) {
		struct plxm_port *chip;
		struct drv_port a, b;
		const char *text;
		int cable;

		drv_log_take(&lines);
		cable = drv_plug(&a, &b, ids[i].more, ",bar2=4M", MIB);
		/* an error that is older than the refused store, which is masked besides */
		CU_ASSERT_EQUAL(drv_fault(&b, "fault_retrain", 1), 0);
		chip = plx_emu_hold(A);
		CU_ASSERT_PTR_NOT_NULL_FATAL(chip);
		plxm_cfg_write(chip, 0xfbc, 1 << 20, 4);
		CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
		text = drv_log_take(&lines);
		CU_ASSERT_EQUAL(strstr(text, "requester id") != NULL, ids[i].said != NULL);
		if (ids[i].said != NULL)
			CU_ASSERT_PTR_NOT_NULL(strstr(text, ids[i].said));
		CU_ASSERT_EQUAL(plxm_cfg_read(chip, 0xfbc, 4), 1 << 20);
		plxm_port_close(chip);
		drv_check_cable(&a, &b);
		drv_check_cable(&b, &a);
		/* a link that was lost makes the chip forget, not the driver */
		CU_ASSERT_EQUAL(drv_fault(&b, "fault_retrain", 1), 0);
		CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
		drv_check_cable(&a, &b);
		drv_unplug(&a, &b, cable);
	}
}

/* Where the peer refuses, no entry of this chip helps. The link comes up, with one line: memory
 * decides, by those who use it. */
static void
test_refused_by_the_peer(void)
{
	const uint32_t virt = 0x3e000, link = 0x3f000;
	struct plxm_port *peer;
	struct pair p;
	const char *text;
	unsigned int i, lines;

	peer = open_half(&p, 0, ",bar2=4M,stores=8000");
	program_like_freebsd(peer, virt);
	/* loads come as entry 1 of this chip's table; the entry that is learned, 10, is closed */
	plxm_reg_write(peer, link + 0xdb4 + 4 * 5, 11u << 19 | 1u << 16);
	drv_log_take(&lines);
	for (i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(ntb_link_poll(p.a.port), NTB_LINK_UP);
	text = drv_log_take(&lines);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "link up, but stores to the peer are not seen there"));
	CU_ASSERT_EQUAL(lines, 2); /* this, and the id that was let in */
	drv_check_why(p.a.port, "register 0x3ec64 of the peer reads 0x0000ffff");
	close_half(&p, peer);
}

/* Registers over the cable that only this driver uses, on chips that do not show them: the link
 * comes up all the same, and says what it could not prove. */
static void
test_hidden_registers(void)
{
	struct pair p;
	unsigned int lines;

	for (unsigned int number = 0; number < PAIRS; number++) {
		drv_log_take(&lines);
		open_pair(&p, number, ",hide=1", MIB);
		CU_ASSERT_PTR_NOT_NULL(strstr(drv_log_take(&lines), "link up, but stores"));
		retrain_pair(&p);
		rte_rawdev_stop(p.a.dev_id);
		CU_ASSERT_EQUAL(rte_rawdev_selftest(p.a.dev_id), 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(drv_log_take(&lines), "selftest, a note"));
		close_pair(&p);
	}
}

/* Chips with two ports, each of which has a cable. */
static void
test_rings(void)
{
	static const char *const names[] = {A, B, "raw_ntb_plx_emu2", "raw_ntb_plx_emu3"};
	struct drv_port p[RTE_DIM(names)];
	int cable = memfd_create("cable", MFD_CLOEXEC);
	char more[48];
	unsigned int i;

	for (i = 0; i < RTE_DIM(p); i++) {
		snprintf(more, sizeof(more), ",bar2=4M,hosts=2,host=%u,nt=%u", i / 2, i % 2);
		CU_ASSERT_EQUAL_FATAL(drv_port_open(&p[i], names[i], cable, DRV_RING, more, MIB),
				      0);
	}
	for (i = 1; i < RTE_DIM(p); i += 2) {
		struct drv_port *next = &p[(i + 1) % RTE_DIM(p)];

		CU_ASSERT_TRUE_FATAL(drv_wait_link(&p[i], next, NTB_LINK_UP));
		drv_check_cable(&p[i], next);
		drv_check_cable(next, &p[i]);
	}
	for (i = 0; i < RTE_DIM(p); i++)
		drv_port_close(&p[i], names[i]);
	close(cable);
}

/* As FreeBSD's driver does it all, with any of the switches. */
static void
test_safe(void)
{
	static const char *const more[] = {",safe=1", ",alut=0", ",find=0", ",proof=0",
					   ",safe=1,hide=1"};
	struct pair p;
	unsigned int i, lines;

	for (i = 0; i < 2 * RTE_DIM(more); i++) {
		drv_log_take(&lines);
		open_pair(&p, i % 2 ? PAIRS - 1 : 0, more[i / 2], MIB);
		CU_ASSERT_PTR_NULL(strstr(drv_log_take(&lines), "link up, but"));
		CU_ASSERT_EQUAL(p.a.info.window_align == 4 * MIB, i / 2 < 2 || i / 2 == 4);
		retrain_pair(&p);
		close_pair(&p);
	}
}

/* Adapters whose EEPROM has no BAR4, as FreeBSD's driver uses them. */
static void
test_shared_window(void)
{
	struct pair p;

	for (unsigned int number = 0; number < PAIRS; number++) {
		open_pair(&p, number, ",bar4=0", 2 * MIB);
		CU_ASSERT_EQUAL(p.a.port->window_size, 2 * MIB);
		CU_ASSERT_EQUAL(p.a.port->window_iova % (4 * MIB), 2 * MIB);
		/* to the last byte, and not beyond the region that is offered */
		((volatile uint8_t *)p.b.port->window)[2 * MIB - 1] = 0x5c;
		CU_ASSERT_EQUAL(ntb_flush(p.b.port), 0);
		CU_ASSERT_EQUAL(((volatile uint8_t *)p.a.region.va)[2 * MIB - 1], 0x5c);
		CU_ASSERT_EQUAL(((volatile uint8_t *)p.a.port->window)[MIB], 0xff);
		retrain_pair(&p);
		rte_rawdev_stop(p.a.dev_id);
		CU_ASSERT_EQUAL(rte_rawdev_selftest(p.a.dev_id), 0);
		close_pair(&p);
	}
}

/* The program of the peer's host was killed, and its kernel took bus mastering from the adapter:
 * its registers answer, and nothing reaches its memory. */
static void
test_flush_without_master(void)
{
	int cable;
	struct drv_port a, b;
	struct plxm_port *chip;

	cable = drv_plug(&a, &b, ",bar2=4M", ",bar2=4M", MIB);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	*(volatile uint32_t *)b.region.va = UINT32_MAX;
	CU_ASSERT_EQUAL(ntb_flush(a.port), 0); /* ones are data like any other */
	chip = plx_emu_hold(B);
	CU_ASSERT_PTR_NOT_NULL_FATAL(chip);
	plxm_cfg_write(chip, 4, 2, 2);
	CU_ASSERT_EQUAL(ntb_flush(a.port), -EIO);
	plxm_cfg_write(chip, 4, 6, 2);
	CU_ASSERT_EQUAL(ntb_flush(a.port), 0);
	plxm_port_close(chip);
	drv_unplug(&a, &b, cable);
}

/* A switch does not split packets. So the driver warns, once, of a peer with another size. */
static void
test_payload_differs(void)
{
	const uint32_t devctl = 0x70, bytes_256 = 1 << 5;
	int cable;
	struct drv_port a, b;
	struct plxm_port *chip;
	unsigned int lines;
	const char *text;

	cable = drv_plug(&a, &b, ",bar2=4M", ",bar2=4M", MIB);
	drv_log_take(&lines);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	CU_ASSERT_PTR_NULL(strstr(drv_log_take(&lines), "packets of this host"));
	chip = plx_emu_hold(A);
	CU_ASSERT_PTR_NOT_NULL_FATAL(chip);
	plxm_cfg_write(chip, devctl, 0x2810 | bytes_256, 2);
	plxm_port_close(chip);
	CU_ASSERT_EQUAL(drv_fault(&a, "fault_retrain", 1), 0);
	CU_ASSERT_TRUE(drv_wait_link(&a, &b, NTB_LINK_UP));
	ntb_link_poll(a.port);
	text = strstr(drv_log_take(&lines), "packets of this host have up to 256 bytes, the "
					    "peer's host takes 128");
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_PTR_NULL(strstr(text + 1, "packets of this host"));
	drv_unplug(&a, &b, cable);
}

TEST_PROGRAM_AROUND("NT ports of either index", drv_setup_logged, drv_cleanup, NULL, NULL,
		    {"NT0 and NT1 in all pairs", test_all_pairs},
		    {"a peer that offers its registers at slot 0", test_freebsd_at_slot_0},
		    {"requester ids of stores", test_store_ids},
		    {"stores that the peer refuses", test_refused_by_the_peer},
		    {"registers that the cable hides", test_hidden_registers},
		    {"rings of such chips", test_rings}, {"as other drivers do it", test_safe},
		    {"packets of unlike size", test_payload_differs},
		    {"BAR2 alone", test_shared_window},
		    {"flush to a host without bus mastering", test_flush_without_master})
