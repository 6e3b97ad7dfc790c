/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Chips with both NT ports: what the ports share, what each has for itself, and the ring that they
 * make, NT1 of each chip cabled to NT0 of the next. Where cables lead is in
 * tests/driver/pairs_test.c. */

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model_test.h"
#include "plxm_chip.h" /* to hold the lock */

enum {
	HOSTS = 3,
	PORT_CTL = 0x8208, /* of the station of both NT ports, 8 and 9 */
	WIDTH = 0x3F << 20,
};

static const uint32_t virt[2] = {V0, V1}, lnk[2] = {L0, L1};

/* Both ports of each host, and memory of each port. */
struct ring {
	int fd;
	unsigned int hosts;
	struct plxm_port *p[HOSTS][2];
	int mem_fd[HOSTS][2];
	uint8_t *mem[HOSTS][2];
};

static void
ring_open_on(struct ring *r, int fd, unsigned int hosts)
{
	struct plxm_eeprom e;

	memset(r, 0, sizeof(*r));
	r->fd = fd;
	r->hosts = hosts;
	plxm_eeprom_default(&e, MIB);
	for (unsigned int i = 0; i < 2 * hosts; i++) {
		unsigned int host = i / 2, nt = i % 2;

		e.nt_index = (uint8_t)nt;
		CU_ASSERT_EQUAL_FATAL(plxm_port_open(r->fd, hosts, host, &e, &r->p[host][nt]), 0);
		r->mem_fd[host][nt] = new_memory(MIB, &r->mem[host][nt]);
		CU_ASSERT_EQUAL_FATAL(
			plxm_dram_add(r->p[host][nt], BUS0, MIB, r->mem_fd[host][nt], 0), 0);
	}
	for (unsigned int i = 0; i < 2 * hosts; i++)
		program_port(r->p[i / 2][i % 2], virt[i % 2], MIB, MIB, BUS0);
}

static void
ring_open(struct ring *r, unsigned int hosts)
{
	ring_open_on(r, new_cable(), hosts);
}

static void
ring_close(struct ring *r)
{
	for (unsigned int i = 0; i < 2 * r->hosts; i++) {
		plxm_port_close(r->p[i / 2][i % 2]);
		munmap(r->mem[i / 2][i % 2], MIB);
		close(r->mem_fd[i / 2][i % 2]);
	}
	close(r->fd);
}

static bool
is_up(struct ring *r, unsigned int host, unsigned int nt)
{
	return (plxm_reg_read(r->p[host][nt], virt[nt] + 0x78) & WIDTH) != 0;
}

static void
test_one_register_file(void)
{
	struct plxm_port *a, *b;
	struct ring r;
	uint32_t conf;

	ring_open(&r, HOSTS);
	a = r.p[1][0];
	b = r.p[1][1];
	conf = plxm_reg_read(a, 0x360);
	CU_ASSERT_EQUAL(conf >> 8 & 0x3F, 8 | 1 << 5);
	CU_ASSERT_EQUAL(conf >> 16 & 0x3F, 9 | 1 << 5);
	for (unsigned int nt = 0; nt < 2; nt++) {
		CU_ASSERT_EQUAL(plxm_reg_read(a, virt[nt]), (0x87B0u + nt) << 16 | 0x10B5);
		CU_ASSERT_EQUAL(plxm_reg_read(a, lnk[nt]), (0x87A0u + nt) << 16 | 0x10B5);
		CU_ASSERT_EQUAL(plxm_reg_read(a, virt[nt] + 0xC8C), nt);
		CU_ASSERT_EQUAL(plxm_reg_read(b, lnk[nt] + 0xC8C), nt | 1u << 31);
		/* the function of each port shows its own block as its configuration space */
		CU_ASSERT_EQUAL(plxm_cfg_read(r.p[1][nt], 2, 2), 0x87B0u + nt);
	}
	/* chip-wide, from either port: the LUT RAM, of both */
	for (uint32_t array = 0; array < 4; array++)
		plxm_reg_write(array & 1 ? a : b, 0x38000 + array * 0x1000, array << 20);
	for (uint32_t array = 0; array < 4; array++)
		CU_ASSERT_EQUAL(plxm_reg_read(array & 1 ? b : a, 0x38000 + array * 0x1000),
				array << 20);
	/* another host's chip is another */
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[0][0], 0x39000), 0);
	ring_close(&r);
}

/* The two ports are of one station, whose Port Control is one register. */
static void
test_links_apart(void)
{
	uint64_t v = 7;
	struct ring r;

	ring_open(&r, HOSTS);
	for (unsigned int i = 0; i < 2 * HOSTS; i++)
		CU_ASSERT_TRUE(is_up(&r, i / 2, i % 2));
	plxm_reg_write(r.p[1][0], PORT_CTL, 2); /* port 9, NT1 */
	CU_ASSERT_FALSE(is_up(&r, 1, 1));
	CU_ASSERT_FALSE(is_up(&r, 2, 0));
	CU_ASSERT_TRUE(is_up(&r, 1, 0) && is_up(&r, 0, 1) && is_up(&r, 0, 0) && is_up(&r, 2, 1));
	/* the loss took one link block of two */
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1][0], L1 + 4) & 6, 0);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1][0], L0 + 4) & 6, 6);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[1][1], 2, 0, &v, 8), -EIO);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[1][0], 2, 0, &v, 8), 0);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1][1], V0 + 0xFE0) & 4, 0);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1][1], V1 + 0xFE0) & 4, 4);
	plxm_reg_write(r.p[1][1], PORT_CTL, 0);
	CU_ASSERT_TRUE(is_up(&r, 1, 1) && is_up(&r, 2, 0));
	/* a pulled cable is one cable */
	CU_ASSERT_EQUAL(plxm_fault_set(r.p[0][1], PLXM_FAULT_CABLE, 1), 0);
	CU_ASSERT_FALSE(is_up(&r, 0, 1) || is_up(&r, 1, 0));
	CU_ASSERT_TRUE(is_up(&r, 0, 0) && is_up(&r, 2, 1));
	ring_close(&r);
}

/* The first port powers the chip on; the second finds it at work. */
static void
test_powered_once(void)
{
	struct plxm_port *again = NULL;
	struct plxm_eeprom e;
	struct ring r;

	ring_open(&r, HOSTS);
	plxm_eeprom_default(&e, MIB);
	CU_ASSERT_EQUAL(plxm_port_open(r.fd, HOSTS, 1, &e, &again), -EBUSY);
	plxm_reg_write(r.p[1][0], V0 + 0xC6C, 0xA);
	plxm_reg_write(r.p[1][0], V1 + 0xC6C, 0xB);
	plxm_port_close(r.p[1][1]);
	CU_ASSERT_TRUE(is_up(&r, 1, 0));
	/* one EEPROM: the same but for the index */
	e.nt_index = 1;
	e.bar2_size = 2 * MIB;
	CU_ASSERT_EQUAL(plxm_port_open(r.fd, HOSTS, 1, &e, &again), -EINVAL);
	e.bar2_size = MIB;
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(r.fd, HOSTS, 1, &e, &r.p[1][1]), 0);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1][0], V0 + 0xC6C), 0xA);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1][0], V1 + 0xC6C), 0);
	CU_ASSERT_EQUAL(stats(r.p[1][0]).link_downs, 0);
	CU_ASSERT_EQUAL(stats(r.p[0][1]).link_downs, 0);
	CU_ASSERT(stats(r.p[2][0]).link_downs > 0);
	/* no process has it: all of it starts again */
	plxm_port_close(r.p[1][0]);
	plxm_port_close(r.p[1][1]);
	e.nt_index = 0;
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(r.fd, HOSTS, 1, &e, &r.p[1][0]), 0);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1][0], V0 + 0xC6C), 0);
	CU_ASSERT(stats(r.p[0][1]).link_downs > 0);
	e.nt_index = 1;
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(r.fd, HOSTS, 1, &e, &r.p[1][1]), 0);
	ring_close(&r);
}

static void
test_refused(void)
{
	struct plxm_port *p = NULL;
	struct plxm_eeprom e;
	int fd = new_cable(), pair = new_cable();

	plxm_eeprom_default(&e, MIB);
	CU_ASSERT_EQUAL(plxm_port_open(fd, 65, 0, &e, &p), -EINVAL);
	CU_ASSERT_EQUAL(plxm_port_open(fd, 3, 3, &e, &p), -EINVAL);
	e.port = 13; /* the last one: NT1 has none after it */
	CU_ASSERT_EQUAL(plxm_port_open(fd, 3, 0, &e, &p), -EINVAL);
	plxm_eeprom_default(&e, MIB);
	e.chip = 0x8732; /* one NT port */
	CU_ASSERT_EQUAL(plxm_port_open(fd, 3, 0, &e, &p), -EINVAL);
	e.chip = 0x8749;
	/* files of another shape, though of the same size */
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(pair, 0, 0, &e, &p), 0);
	plxm_port_close(p);
	CU_ASSERT_EQUAL(plxm_port_open(pair, 2, 0, &e, &p), -EPROTO);
	CU_ASSERT_EQUAL(plxm_port_open(pair, 3, 0, &e, &p), -EPROTO);
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(fd, 2, 0, &e, &p), 0);
	plxm_port_close(p);
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 0, &e, &p), -EPROTO);
	close(pair);
	close(fd);
}

static void
test_not_a_cable(void)
{
	struct plxm_port *p = NULL;
	struct plxm_eeprom e;
	int fd = new_cable(), ends[2];
	struct stat made;

	plxm_eeprom_default(&e, MIB);
	CU_ASSERT_EQUAL_FATAL(plxm_port_open(fd, 0, 0, &e, &p), 0);
	plxm_port_close(p);
	CU_ASSERT_EQUAL_FATAL(fstat(fd, &made), 0);
	CU_ASSERT_EQUAL(ftruncate(fd, 100), 0);
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 0, &e, &p), -EPROTO);
	CU_ASSERT_EQUAL(ftruncate(fd, made.st_size), 0);
	CU_ASSERT_EQUAL(pwrite(fd, "not a cable", 11, 0), 11);
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 0, &e, &p), -EPROTO);
	CU_ASSERT_EQUAL(ftruncate(fd, 0), 0);
	CU_ASSERT_EQUAL(ftruncate(fd, made.st_size), 0);
	/* its maker died between size and contents */
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 0, &e, &p), 0);
	plxm_port_close(p);
	close(fd);
	CU_ASSERT_EQUAL(pipe(ends), 0);
	CU_ASSERT(plxm_port_open(ends[0], 0, 0, &e, &p) < 0);
	close(ends[0]);
	close(ends[1]);
	CU_ASSERT_EQUAL(plxm_port_open(-1, 0, 0, &e, &p), -EBADF);
}

/* A process that has the file, and no port: it handles any cable, and never waits for a port. */
static void
test_hands(void)
{
	int empty = new_cable();
	uint64_t downs[2 * HOSTS];
	struct plxm_rig rig;
	struct ring r;

	ring_open(&r, HOSTS);
	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, HOSTS, 1, PLXM_FAULT_CABLE, 1), 0);
	for (unsigned int host = 0; host < HOSTS; host++) {
		CU_ASSERT_EQUAL(is_up(&r, host, 1), host != 1);
		CU_ASSERT_EQUAL(is_up(&r, host, 0), host != 2);
	}
	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, HOSTS, 1, PLXM_FAULT_CABLE, 0), 0);
	CU_ASSERT_TRUE(is_up(&r, 1, 1) && is_up(&r, 2, 0));
	for (unsigned int i = 0; i < 2 * HOSTS; i++)
		downs[i] = stats(r.p[i / 2][i % 2]).link_downs;
	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, HOSTS, 2, PLXM_FAULT_RETRAIN, 0), 0);
	for (unsigned int i = 0; i < 2 * HOSTS; i++)
		CU_ASSERT_EQUAL(stats(r.p[i / 2][i % 2]).link_downs - downs[i], i == 0 || i == 5);
	CU_ASSERT_TRUE(is_up(&r, 2, 1) && is_up(&r, 0, 0));

	CU_ASSERT_EQUAL_FATAL(plxm_rig_find(r.fd, HOSTS, &rig), 0);
	plxm_lock(&rig, &rig.file->chip[0]);
	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, HOSTS, 1, PLXM_FAULT_CABLE, 1), -EAGAIN);
	plxm_unlock(&rig);
	plxm_rig_unmap(&rig);
	CU_ASSERT_TRUE(is_up(&r, 1, 1));

	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, HOSTS, HOSTS, PLXM_FAULT_CABLE, 1), -EINVAL);
	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, 0, 0, PLXM_FAULT_CABLE, 1), -EPROTO);
	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, 0, 1, PLXM_FAULT_CABLE, 1), -EINVAL);
	CU_ASSERT_EQUAL(plxm_ring_fault(empty, HOSTS, 0, PLXM_FAULT_CABLE, 1), -ENODATA);
	CU_ASSERT_EQUAL(plxm_ring_fault(r.mem_fd[0][0], 0, 0, PLXM_FAULT_RETRAIN, 0), -EPROTO);
	CU_ASSERT_EQUAL(plxm_ring_fault(-1, HOSTS, 0, PLXM_FAULT_RETRAIN, 0), -EBADF);
	CU_ASSERT_EQUAL(plxm_fault_set(r.p[0][0], PLXM_FAULT_MAX, 0), -EINVAL);
	close(empty);
	ring_close(&r);
}

/* A cable is out before any host has a port. */
static void
test_out_before(void)
{
	int fd = new_cable();
	struct ring r;

	CU_ASSERT_EQUAL(plxm_ring_make(fd, PLXM_RING_MAX + 1), -EINVAL);
	CU_ASSERT_EQUAL_FATAL(plxm_ring_make(fd, HOSTS), 0);
	CU_ASSERT_EQUAL(plxm_ring_fault(fd, HOSTS, 1, PLXM_FAULT_CABLE, 1), 0);
	CU_ASSERT_EQUAL(plxm_ring_make(fd, HOSTS), 0);
	CU_ASSERT_EQUAL(plxm_ring_make(fd, 0), -EPROTO);
	ring_open_on(&r, fd, HOSTS);
	for (unsigned int host = 0; host < HOSTS; host++) {
		CU_ASSERT_EQUAL(is_up(&r, host, 1), host != 1);
		CU_ASSERT_EQUAL(is_up(&r, host, 0), host != 2);
	}
	CU_ASSERT_EQUAL(stats(r.p[1][1]).link_downs, 0);
	CU_ASSERT_EQUAL(plxm_ring_fault(fd, HOSTS, 1, PLXM_FAULT_CABLE, 0), 0);
	CU_ASSERT_TRUE(is_up(&r, 1, 1) && is_up(&r, 2, 0));
	ring_close(&r);
}

TEST_PROGRAM("ring of chips with two NT ports", NULL, NULL,
	     {"one register file", test_one_register_file}, {"links apart", test_links_apart},
	     {"powered on once", test_powered_once}, {"refused", test_refused},
	     {"not a cable", test_not_a_cable}, {"hands", test_hands},
	     {"out before", test_out_before})
