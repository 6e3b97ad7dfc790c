/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* In the place of apps/eeprom/device.c: the register model as the device. The device's name is a
 * file, the contents of the EEPROM. EEPROM_FAULT says "fault argument", EEPROM_TRACE gets a line
 * for each write of the control register that is a command to the part. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "plxm.h"
#include "plxm_serial.h"
#include "say.h"

#define BAR2 (1ull << 20)

static struct {
	struct plxm_port *port;
	struct plxm_serial *serial;
	uint8_t *part;
	size_t size;
	FILE *trace;
} m;

static uint32_t
model_read(void *ctx, uint32_t off)
{
	(void)ctx;
	return plxm_reg_read(m.port, off);
}

static void
model_write(void *ctx, uint32_t off, uint32_t val)
{
	(void)ctx;
	if (off == 0x260 && (val >> 13 & 7) != 0 && m.trace != NULL)
		fprintf(m.trace, "%u %u\n", val >> 13 & 7, (val & 0x1fff) * 4);
	plxm_reg_write(m.port, off, val);
}

static int
map_part(const char *name)
{
	int fd = open(name, O_RDWR | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		complain("%s: %s", name, strerror(errno));
		return -ENOENT;
	}
	m.size = (size_t)st.st_size;
	if (m.size == 0) { /* a board without a part */
		close(fd);
		return 0;
	}
	m.part = mmap(NULL, m.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return m.part == MAP_FAILED ? -ENOMEM : 0;
}

static int
plug_part(void)
{
	static const char *const faults[] = {"stuck", "slow", "lost", "flip"};
	const char *fault = getenv("EEPROM_FAULT");
	char word[16];
	unsigned int arg, i;
	int ret = plxm_serial_open(m.port, m.part, (uint32_t)m.size, &m.serial);

	if (ret < 0 || fault == NULL || sscanf(fault, "%15s %u", word, &arg) != 2)
		return ret;
	for (i = 0; i < PLXM_SERIAL_FAULT_MAX; i++) {
		if (strcmp(word, faults[i]) == 0)
			return plxm_serial_fault_set(m.serial, (enum plxm_serial_fault)i, arg);
	}
	return -EINVAL;
}

int
device_open(struct device *d, const char *name)
{
	const char *trace = getenv("EEPROM_TRACE");
	struct plxm_eeprom e;
	int fd, ret = map_part(name);

	if (ret < 0)
		return ret;
	plxm_eeprom_default(&e, BAR2);
	fd = memfd_create("cable", MFD_CLOEXEC);
	ret = plxm_port_open(fd, 0, &e, &m.port);
	close(fd);
	if (ret == 0 && m.size != 0)
		ret = plug_part();
	if (ret < 0) {
		complain("the model: %s", strerror(-ret));
		return ret;
	}
	if (trace != NULL)
		m.trace = fopen(trace, "ae");
	*d = (struct device){NULL, model_read, model_write, name};
	return 0;
}

void
device_close(struct device *d)
{
	(void)d;
	plxm_serial_close(m.serial);
	plxm_port_close(m.port);
	if (m.size != 0)
		munmap(m.part, m.size);
	if (m.trace != NULL)
		fclose(m.trace);
}
