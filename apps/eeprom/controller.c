/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The EEPROM controller, by its registers. */

#include <errno.h>
#include <inttypes.h>
#include <time.h>

#include "controller.h"
#include "say.h"

#define REG_CTL 0x260u
#define REG_BUFFER 0x264u
#define REG_ADDRESS 0x26cu /* third byte of an address, in bits 7:0 */

#define CTL_COMMAND(cmd) ((uint32_t)(cmd) << 13)
#define CTL_PRESENT(v) ((v) >> 16 & 3u)
#define CTL_BUSY (1u << 18)
#define CTL_CRC_ERROR (1u << 19)
#define CTL_OVERRIDE (1u << 21)
#define CTL_WIDTH(v) ((v) >> 22 & 3u)
#define CTL_WRITING (1u << 24)
#define CTL_ENABLED (1u << 25)
#define CTL_WRITE_STATUS (7u << 28)

enum {
	CMD_WRITE = 2,
	CMD_READ = 3,
	CMD_READ_STATUS = 5,
	CMD_WRITE_ENABLE = 6,
};

enum {
	PRESENT_NONE = 0,
	GONE = 0xffffffff, /* what a read gives that nothing answers */
};

/* Commands take some microseconds, a write of the part some milliseconds. */
#define COMMAND_NS 100000000ull
#define WRITE_NS 1000000000ull

static uint64_t
monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint32_t
reg_read(const struct controller *c, uint32_t reg)
{
	return c->dev->read(c->dev->ctx, reg);
}

static void
reg_write(const struct controller *c, uint32_t reg, uint32_t val)
{
	c->dev->write(c->dev->ctx, reg, val);
}

static int
wait_command(const struct controller *c)
{
	uint64_t end = monotonic_ns() + COMMAND_NS;
	uint32_t ctl;

	do {
		ctl = reg_read(c, REG_CTL);
		if ((uint32_t)GONE == ctl) {
			complain("%s: registers now read all ones: the adapter no longer answers",
				 c->dev->name);
			return -ENXIO;
		}
		if ((ctl & CTL_BUSY) == 0)
			return 0;
	} while (monotonic_ns() < end);
	complain("%s: the EEPROM controller has been busy for 100 ms (0x260 reads 0x%08x)",
		 c->dev->name, ctl);
	return -ETIMEDOUT;
}

static int
run_command(const struct controller *c, int command, size_t at)
{
	uint32_t index = (uint32_t)(at / 4);

	reg_write(c, REG_CTL,
		  c->bits | CTL_COMMAND(command) | (index & 0x1fff) | (index >> 13 & 1) << 20);
	return wait_command(c);
}

/* The part answers nothing else while it writes. */
static int
wait_part(const struct controller *c, uint32_t *ret_ctl)
{
	uint64_t end = monotonic_ns() + WRITE_NS;
	int ret;

	do {
		ret = run_command(c, CMD_READ_STATUS, 0);
		if (ret < 0)
			return ret;
		*ret_ctl = reg_read(c, REG_CTL);
		if ((*ret_ctl & (CTL_WRITING | CTL_WRITE_STATUS)) == 0)
			return 0;
	} while (monotonic_ns() < end);
	complain("%s: the EEPROM is not ready within a second (0x260 reads 0x%08x)", c->dev->name,
		 *ret_ctl);
	return -ETIMEDOUT;
}

static int
check_present(const struct controller *c, uint32_t ctl)
{
	if (CTL_PRESENT(ctl) == PRESENT_NONE) {
		complain("%s: the chip finds no EEPROM (0x260 reads 0x%08x)", c->dev->name, ctl);
		return -ENODEV;
	}
	return 0;
}

int
controller_open(struct controller *c, const struct device *dev, unsigned int width)
{
	uint32_t ctl, status;
	int ret;

	*c = (struct controller){.dev = dev};
	ctl = reg_read(c, REG_CTL);
	ret = check_present(c, ctl);
	if (ret < 0)
		return ret;
	c->before = ctl & (CTL_OVERRIDE | 3u << 22);
	c->bits = width != 0 ? CTL_OVERRIDE | width << 22 : c->before;
	if (CTL_WIDTH(c->bits) == 0) {
		complain(
			"%s: the EEPROM has no signature, which tells the chip the width of its "
			"addresses: --address-bytes 2 for an EEPROM of more than 256 bytes, else 1",
			dev->name);
		return -ENODATA;
	}
	c->room = CTL_WIDTH(c->bits) == 1 ? 256 : 65536;
	ret = wait_command(c);
	if (ret == 0 && (ctl & CTL_CRC_ERROR) != 0) {
		/* a checksum error at power-on blocks all commands until its bit is cleared */
		reg_write(c, REG_CTL, c->bits | CTL_CRC_ERROR | CTL_COMMAND(CMD_READ));
		ret = wait_command(c);
	}
	if (ret == 0)
		ret = wait_part(c, &status);
	if (ret == 0 && CTL_WIDTH(c->bits) == 3)
		reg_write(c, REG_ADDRESS, reg_read(c, REG_ADDRESS) & ~0xffu);
	return ret;
}

void
controller_close(struct controller *c)
{
	if (c->bits != c->before)
		reg_write(c, REG_CTL, CTL_OVERRIDE | (c->before & ~CTL_OVERRIDE));
	reg_write(c, REG_CTL, c->before);
}

int
controller_read(struct controller *c, size_t at, uint32_t *ret_val)
{
	int ret = run_command(c, CMD_READ, at);

	if (ret == 0)
		*ret_val = reg_read(c, REG_BUFFER);
	return ret;
}

int
controller_write(struct controller *c, size_t at, uint32_t val)
{
	uint32_t status;
	int ret = run_command(c, CMD_WRITE_ENABLE, 0);

	if (ret == 0)
		ret = wait_part(c, &status);
	if (ret == 0 && (status & CTL_ENABLED) == 0) {
		complain("%s: the EEPROM refuses the write-enable command: is its write-protect "
			 "pin set?",
			 c->dev->name);
		ret = -EROFS;
	}
	if (ret < 0)
		return ret;
	reg_write(c, REG_BUFFER, val);
	ret = run_command(c, CMD_WRITE, at);
	return ret == 0 ? wait_part(c, &status) : ret;
}
