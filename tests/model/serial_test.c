/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The serial EEPROM, through the registers of its controller. */

#include <errno.h>

#include "model_test.h"
#include "plxm_serial.h"

enum {
	CTL = 0x260,
	BUFFER = 0x264,
	READ = 3,
	WRITE = 2,
	STATUS = 5,
	ENABLE = 6,
	DISABLE = 4,
	WRITE_STATUS = 1,
	PART = 4096,
};

#define BUSY (1u << 18)
#define CRC_ERROR (1u << 19)
#define OVERRIDE (1u << 21)
#define TWO_BYTES (2u << 22)
#define WRITING (1u << 24)
#define ENABLED (1u << 25)

/* An image of one record, port 0 register 0x360, with its checksum on. The checksum is from a
 * calculation by polynomial division, outside of this tree. */
static const uint8_t image[] = {0x5A, 0x80, 0x06, 0x00, 0xD8, 0x00, 0x00,
				0x28, 0x1A, 0xC0, 0x0A, 0x56, 0x42, 0xDD};

static struct rig r;
static struct plxm_serial *serial;
static uint8_t part[PLXM_SERIAL_MAX];

/* @return whether the controller was busy after it, and then no more */
static bool
command(uint32_t cmd, uint32_t bits)
{
	bool was_busy = false;

	plxm_serial_write(serial, CTL, bits | cmd << 13);
	for (int i = 0; i < 10; i++) {
		if ((plxm_serial_read(serial, CTL) & BUSY) == 0)
			return was_busy;
		was_busy = true;
	}
	return false;
}

static void
open_part(size_t size)
{
	rig_open(&r, MIB, MIB);
	CU_ASSERT_FATAL(plxm_serial_open(r.p[0], part, (uint32_t)size, &serial) == 0);
}

static void
close_part(void)
{
	plxm_serial_close(serial);
	rig_close(&r);
}

static void
fill_part(void)
{
	for (size_t i = 0; i < sizeof(part); i++)
		part[i] = (uint8_t)(i * 7 + i / 256);
	memcpy(part, image, sizeof(image));
}

/* Bits of the part's status, looked at until it writes no more. */
static uint32_t
settled(unsigned int *ret_looks)
{
	unsigned int looks = 0;

	do {
		CU_ASSERT(command(STATUS, 0));
		looks++;
	} while ((plxm_serial_read(serial, CTL) & WRITING) != 0 && looks < 20);
	if (ret_looks != NULL)
		*ret_looks = looks;
	return plxm_serial_read(serial, CTL);
}

static bool
write_at(uint32_t index, uint32_t val)
{
	if (!command(ENABLE, 0))
		return false;
	plxm_serial_write(serial, BUFFER, val);
	return command(WRITE, (index & 0x1FFF) | (index >> 13) << 20);
}

static uint32_t
read_at(uint32_t index)
{
	plxm_serial_write(serial, BUFFER, 0xDEADBEEF);
	CU_ASSERT(command(READ, (index & 0x1FFF) | (index >> 13) << 20));
	return plxm_serial_read(serial, BUFFER);
}

static void
test_none(void)
{
	rig_open(&r, MIB, MIB);
	CU_ASSERT_EQUAL(rig_read(&r, CTL), 0);
	rig_write(&r, CTL, READ << 13);
	rig_write(&r, BUFFER, 5);
	CU_ASSERT_EQUAL(rig_read(&r, CTL), 0);
	CU_ASSERT_EQUAL(rig_read(&r, BUFFER), 0);
	CU_ASSERT_EQUAL(plxm_serial_open(r.p[0], part, 128, &serial), -EINVAL);
	CU_ASSERT_EQUAL(plxm_serial_open(r.p[0], part, 3000, &serial), -EINVAL);
	CU_ASSERT_EQUAL(plxm_serial_open(r.p[0], part, 2 * PLXM_SERIAL_MAX, &serial), -EINVAL);
	rig_close(&r);
}

static void
test_power_on(void)
{
	fill_part();
	open_part(PART);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, CTL), 1u << 16 | TWO_BYTES);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, 0x270), 0xDD42560A);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, 0x261), ONES);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, 0x360), rig_read(&r, 0x360));
	CU_ASSERT_EQUAL(plxm_serial_fault_set(serial, PLXM_SERIAL_FAULT_MAX, 1), -EINVAL);
	close_part();

	part[9] ^= 1;
	open_part(PART);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, CTL), 1u << 16 | TWO_BYTES | CRC_ERROR);
	plxm_serial_write(serial, CTL, CRC_ERROR);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, CTL), 1u << 16 | TWO_BYTES);
	close_part();

	part[1] = 0; /* nobody asks for the checksum */
	open_part(PART);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, CTL), 1u << 16 | TWO_BYTES);
	close_part();
	open_part(256);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, CTL), 1u << 16 | 1u << 22);
	close_part();
}

static void
test_read(void)
{
	fill_part();
	open_part(PLXM_SERIAL_MAX);
	CU_ASSERT_EQUAL(read_at(0), 0x0006805A);
	for (uint32_t i = 1; i < PLXM_SERIAL_MAX / 4; i += 97) {
		uint32_t want;

		memcpy(&want, part + 4 * i, 4);
		CU_ASSERT_EQUAL(read_at(i), want);
	}
	close_part();
}

static void
test_write(void)
{
	unsigned int looks;

	fill_part();
	open_part(PLXM_SERIAL_MAX);
	/* not enabled */
	plxm_serial_write(serial, BUFFER, 1);
	CU_ASSERT(command(WRITE, 5));
	CU_ASSERT_EQUAL(settled(&looks) & (WRITING | ENABLED), 0);
	CU_ASSERT_EQUAL(looks, 1);
	CU_ASSERT_NOT_EQUAL(read_at(5), 1);
	/* enabled, and not any more */
	CU_ASSERT(command(ENABLE, 0));
	CU_ASSERT_EQUAL(settled(NULL) & ENABLED, ENABLED);
	CU_ASSERT(command(DISABLE, 0));
	CU_ASSERT_EQUAL(settled(NULL) & ENABLED, 0);
	/* one write, which ends the permission; meanwhile the part is deaf */
	CU_ASSERT(write_at(0x2001, 0x12345678));
	CU_ASSERT_EQUAL(read_at(0), ONES);
	CU_ASSERT(write_at(6, 1));
	CU_ASSERT_EQUAL(settled(&looks) & ENABLED, 0);
	CU_ASSERT(looks > 1);
	CU_ASSERT_EQUAL(read_at(0x2001), 0x12345678);
	CU_ASSERT_NOT_EQUAL(read_at(6), 1);
	CU_ASSERT_EQUAL(part[0x8004], 0x78);
	CU_ASSERT_EQUAL(part[0x8007], 0x12);
	/* a busy controller takes no command */
	plxm_serial_write(serial, CTL, READ << 13 | 1);
	plxm_serial_write(serial, CTL, READ << 13 | 0x2001 | BUSY);
	for (int i = 0; i < 10 && (plxm_serial_read(serial, CTL) & BUSY) != 0; i++)
		;
	CU_ASSERT_EQUAL(plxm_serial_read(serial, BUFFER),
			(uint32_t)part[4] | part[5] << 8 | part[6] << 16 | (uint32_t)part[7] << 24);
	close_part();
}

static void
test_protect(void)
{
	fill_part();
	open_part(PART);
	CU_ASSERT(command(WRITE_STATUS, 3u << 26)); /* not enabled */
	CU_ASSERT_EQUAL(settled(NULL) & 3u << 26, 0);
	CU_ASSERT(command(ENABLE, 0));
	CU_ASSERT(command(WRITE_STATUS, 2u << 26)); /* the upper half */
	CU_ASSERT_EQUAL(settled(NULL) & 3u << 26, 2u << 26);
	CU_ASSERT(write_at(PART / 8 - 1, 1));
	settled(NULL);
	CU_ASSERT_EQUAL(read_at(PART / 8 - 1), 1);
	CU_ASSERT(write_at(PART / 8, 1));
	settled(NULL);
	CU_ASSERT_NOT_EQUAL(read_at(PART / 8), 1);
	close_part();
}

/* Without a signature the chip does not know how many bytes of address the part takes. */
static void
test_blank(void)
{
	memset(part, 0xFF, sizeof(part));
	open_part(PART);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, CTL), 3u << 16);
	CU_ASSERT(write_at(1, 7));
	settled(NULL);
	plxm_serial_write(serial, CTL, OVERRIDE | TWO_BYTES);
	CU_ASSERT_EQUAL(plxm_serial_read(serial, CTL), 3u << 16 | OVERRIDE | TWO_BYTES);
	CU_ASSERT(command(READ, 1 | OVERRIDE | TWO_BYTES));
	CU_ASSERT_EQUAL(plxm_serial_read(serial, BUFFER), ONES);
	CU_ASSERT(command(ENABLE, OVERRIDE | TWO_BYTES));
	plxm_serial_write(serial, BUFFER, 7);
	CU_ASSERT(command(WRITE, 1 | OVERRIDE | TWO_BYTES));
	CU_ASSERT_EQUAL(part[4], 7);
	/* the status of power-on stays */
	CU_ASSERT_EQUAL(plxm_serial_read(serial, CTL) >> 16 & 3, 3);
	close_part();
}

TEST_PROGRAM("serial EEPROM", NULL, NULL, {"a board without EEPROM", test_none},
	     {"what the chip finds at power-on", test_power_on},
	     {"reads of each quarter", test_read}, {"writes, and when none is taken", test_write},
	     {"block protection", test_protect}, {"a blank part", test_blank})
