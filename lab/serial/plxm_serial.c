/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The serial EEPROM and its controller. */

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "plxm_serial.h"

#define ABSENT 0xFFFFFFFFu /* what a read of nothing returns */

enum {
	CTL = 0x260,
	BUFFER = 0x264,
	ADDRESS = 0x26C, /* third byte of the address */
	CRC = 0x270,
};

enum {
	CMD_WRITE = 2,
	CMD_READ = 3,
	CMD_READ_STATUS = 5,
	CMD_WRITE_ENABLE = 6,
};

#define CTL_INDEX(ctl) ((0x1FFF & (ctl)) | ((ctl) >> 20 & 1) << 13) /* of a dword */
#define CTL_COMMAND(ctl) ((ctl) >> 13 & 7)
#define CTL_VALID (1u << 16)
#define CTL_INVALID (3u << 16) /* there is a part, without the signature */
#define CTL_BUSY (1u << 18)
#define CTL_CRC_ERROR (1u << 19)
#define CTL_OVERRIDE (1u << 21)
#define CTL_WIDTH(ctl) ((ctl) >> 22 & 3) /* bytes of an address, 0 = not known */
#define CTL_WIDTH_BITS (3u << 22)
#define CTL_ADDRESS_BITS 0x00101FFFu
/* the part's own status, as of the last command that read it */
#define CTL_STATUS 0xFF000000u
#define STATUS_WRITING (1u << 24)
#define STATUS_ENABLED (1u << 25)

#define SIGNATURE 0x5A
#define CRC_POLYNOMIAL 0xDB710641u
#define BUSY_READS 2  /* of the control register, after a command */
#define WRITE_LOOKS 3 /* at the part's status, until a write is over */

struct plxm_serial {
	struct plxm_port *p;
	pthread_mutex_t mu; /* guards what follows */
	uint8_t *bytes;
	uint32_t size;
	uint32_t ctl, buffer, address, crc;
	uint32_t status; /* the part's, in the bits of the control register */
	unsigned int busy, writing;
	uint32_t fault[PLXM_SERIAL_FAULT_MAX];
};

static uint32_t
dword_at(const struct plxm_serial *s, uint32_t at)
{
	uint32_t v = 0;

	for (unsigned int i = 0; i < 4; i++)
		v |= (uint32_t)s->bytes[(at + i) % s->size] << 8 * i;
	return v;
}

static uint32_t
crc_step(uint32_t crc, uint32_t word)
{
	for (int bit = 31; bit >= 0; bit--) {
		bool out = ((crc >> 31) ^ (word >> bit & 1)) != 0;

		crc = crc << 1 ^ (out ? CRC_POLYNOMIAL : 0);
	}
	return crc;
}

/* Of the byte count and all records; half a dword at the end is filled up with zeros. */
static uint32_t
image_crc(const struct plxm_serial *s, uint32_t end)
{
	uint32_t crc = 0xFFFFFFFF;

	for (uint32_t at = 2; at < end; at += 4) {
		uint32_t word = dword_at(s, at);

		crc = crc_step(crc, end - at < 4 ? word & 0xFFFF : word);
	}
	return crc;
}

static void
look_at_part(struct plxm_serial *s)
{
	uint32_t header = dword_at(s, 0);
	uint32_t end = 4 + (header >> 16);

	/* The width is found by the signature. Where there is none, software has to say it. */
	if ((header & 0xFF) != SIGNATURE) {
		s->ctl = CTL_INVALID;
		return;
	}
	s->ctl = CTL_VALID | (s->size > 256 ? 2u : 1u) << 22;
	if (end + 4 > s->size)
		return;
	s->crc = dword_at(s, end);
	if ((header & 0x8000) != 0 && s->crc != image_crc(s, end))
		s->ctl |= CTL_CRC_ERROR;
}

/* Does the controller send the part as many bytes of address as it takes? */
static bool
is_addressed(const struct plxm_serial *s)
{
	uint32_t width = CTL_WIDTH(s->ctl);

	return (width == 0 ? 1u : width) == (s->size > 256 ? 2u : 1u);
}

/* Counts down to the write that a fault hits: 1 is that one. */
static bool
fault_hits(uint32_t *count, bool for_good)
{
	if (*count == 0)
		return false;
	if (*count > 1) {
		--*count;
		return false;
	}
	if (!for_good)
		*count = 0;
	return true;
}

static void
write_dword(struct plxm_serial *s, uint32_t at)
{
	uint32_t val = s->buffer;

	if ((s->status & STATUS_ENABLED) == 0)
		return;
	s->status &= ~STATUS_ENABLED;
	s->writing = WRITE_LOOKS;
	if (fault_hits(&s->fault[PLXM_SERIAL_FAULT_LOST], true))
		return;
	if (fault_hits(&s->fault[PLXM_SERIAL_FAULT_FLIP], false))
		val ^= 0x00010000;
	for (unsigned int i = 0; i < 4; i++)
		s->bytes[(at + i) % s->size] = (uint8_t)(val >> 8 * i);
}

static void
read_status(struct plxm_serial *s)
{
	uint32_t writing = 0;

	if (s->writing > 0) {
		writing = STATUS_WRITING;
		if (s->fault[PLXM_SERIAL_FAULT_SLOW] == 0)
			s->writing--;
	}
	s->ctl = (s->ctl & ~CTL_STATUS) | s->status | writing;
}

static void
run_command(struct plxm_serial *s, uint32_t val)
{
	uint32_t at = CTL_INDEX(val) * 4;

	s->busy = BUSY_READS;
	if (CTL_COMMAND(val) == CMD_READ_STATUS) {
		read_status(s);
		return;
	}
	/* a part that is writing answers only a request for its status */
	if (s->writing > 0 || !is_addressed(s)) {
		if (CTL_COMMAND(val) == CMD_READ)
			s->buffer = ABSENT;
		return;
	}
	switch (CTL_COMMAND(val)) {
	case CMD_READ:
		s->buffer = dword_at(s, at);
		break;
	case CMD_WRITE:
		write_dword(s, at);
		break;
	case CMD_WRITE_ENABLE:
		s->status |= STATUS_ENABLED;
		break;
	default:
		break;
	}
}

static void
write_ctl(struct plxm_serial *s, uint32_t val)
{
	if (s->busy > 0 || s->fault[PLXM_SERIAL_FAULT_STUCK] != 0)
		return;
	if (val & CTL_CRC_ERROR)
		s->ctl &= ~CTL_CRC_ERROR;
	s->ctl = (s->ctl & ~(CTL_ADDRESS_BITS | CTL_OVERRIDE)) |
		 (val & (CTL_ADDRESS_BITS | CTL_OVERRIDE));
	if (val & CTL_OVERRIDE)
		s->ctl = (s->ctl & ~CTL_WIDTH_BITS) | (val & CTL_WIDTH_BITS);
	if (CTL_COMMAND(val) != 0)
		run_command(s, val);
}

static bool
is_own(uint32_t off)
{
	return off >= CTL && off <= CRC && off % 4 == 0;
}

uint32_t
plxm_serial_read(struct plxm_serial *s, uint32_t off)
{
	uint32_t val = 0;

	if (!is_own(off))
		return plxm_reg_read(s->p, off);
	pthread_mutex_lock(&s->mu);
	if (off == CTL) {
		val = s->ctl;
		if (s->busy > 0 || s->fault[PLXM_SERIAL_FAULT_STUCK] != 0)
			val |= CTL_BUSY;
		if (s->busy > 0)
			s->busy--;
	} else if (off == BUFFER) {
		val = s->buffer;
	} else if (off == ADDRESS) {
		val = s->address;
	} else if (off == CRC) {
		val = s->crc;
	}
	pthread_mutex_unlock(&s->mu);
	return val;
}

void
plxm_serial_write(struct plxm_serial *s, uint32_t off, uint32_t val)
{
	if (!is_own(off)) {
		plxm_reg_write(s->p, off, val);
		return;
	}
	pthread_mutex_lock(&s->mu);
	if (off == CTL)
		write_ctl(s, val);
	else if (off == BUFFER)
		s->buffer = val;
	else if (off == ADDRESS)
		s->address = val & 0xFF;
	pthread_mutex_unlock(&s->mu);
}

int
plxm_serial_open(struct plxm_port *p, uint8_t *bytes, uint32_t size,
		 struct plxm_serial **ret_serial)
{
	struct plxm_serial *s;

	if (size < 256 || size > PLXM_SERIAL_MAX || (size & (size - 1)) != 0)
		return -EINVAL;
	s = calloc(1, sizeof(*s));
	if (s == NULL)
		return -ENOMEM;
	s->p = p;
	s->bytes = bytes;
	s->size = size;
	pthread_mutex_init(&s->mu, NULL);
	look_at_part(s);
	*ret_serial = s;
	return 0;
}

void
plxm_serial_close(struct plxm_serial *s)
{
	if (s == NULL)
		return;
	pthread_mutex_destroy(&s->mu);
	free(s);
}

int
plxm_serial_fault_set(struct plxm_serial *s, enum plxm_serial_fault f, uint32_t arg)
{
	if (f >= PLXM_SERIAL_FAULT_MAX)
		return -EINVAL;
	pthread_mutex_lock(&s->mu);
	s->fault[f] = arg;
	pthread_mutex_unlock(&s->mu);
	return 0;
}
