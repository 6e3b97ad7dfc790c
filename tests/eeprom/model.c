/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The register model as a process: model PART, where PART is a file, the contents of the EEPROM. It
 * answers lines: "r OFFSET" with the value of that register, "w OFFSET VALUE" with nothing. The
 * first line that it prints says "ready", or why not. EEPROM_FAULT says "fault argument",
 * EEPROM_TRACE gets a line for each write of the control register that is a command to the part. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plxm.h"
#include "plxm_serial.h"

#define BAR2 (1ull << 20)

static struct {
	struct plxm_port *port;
	struct plxm_serial *serial;
	uint8_t *part;
	size_t size;
	FILE *trace;
} m;

static void
write_reg(uint32_t off, uint32_t val)
{
	if (off == 0x260 && (val >> 13 & 7) != 0 && m.trace != NULL)
		fprintf(m.trace, "%u %u\n", val >> 13 & 7, (val & 0x1fff) * 4);
	if (m.serial != NULL)
		plxm_serial_write(m.serial, off, val);
	else
		plxm_reg_write(m.port, off, val);
}

static int
map_part(const char *name)
{
	int fd = open(name, O_RDWR | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -ENOENT;
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

static int
open_model(const char *name)
{
	const char *trace = getenv("EEPROM_TRACE");
	struct plxm_eeprom e;
	int fd, ret = map_part(name);

	if (ret < 0)
		return ret;
	plxm_eeprom_default(&e, BAR2);
	fd = memfd_create("cable", MFD_CLOEXEC);
	ret = plxm_port_open(fd, 0, 0, &e, &m.port);
	close(fd);
	if (ret == 0 && m.size != 0)
		ret = plug_part();
	if (ret == 0 && trace != NULL)
		m.trace = fopen(trace, "ae");
	return ret;
}

int
main(int argc, char **argv)
{
	unsigned int off, val;
	char line[64];
	int ret = argc == 2 ? open_model(argv[1]) : -EINVAL;

	puts(ret < 0 ? strerror(-ret) : "ready");
	fflush(stdout);
	while (ret == 0 && fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line, "w %u %u", &off, &val) == 2) {
			write_reg(off, val);
		} else if (sscanf(line, "r %u", &off) == 1) {
			printf("%u\n", m.serial != NULL ? plxm_serial_read(m.serial, off)
							: plxm_reg_read(m.port, off));
			fflush(stdout);
		} else {
			ret = -EPROTO;
		}
	}
	if (m.serial != NULL)
		plxm_serial_close(m.serial);
	if (m.port != NULL)
		plxm_port_close(m.port);
	if (m.trace != NULL)
		fclose(m.trace);
	return ret < 0;
}
