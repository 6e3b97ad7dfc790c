/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_SERIAL_H
#define PLXM_SERIAL_H

/**
 * @file
 * The serial EEPROM of an adapter, and the controller through which software reads and writes it
 * (registers 0x260, 0x264, 0x26C and 0x270 of BAR0). A port without one has none on its board.
 *
 * As on an adapter, what is written acts from the next power-on on; here it acts never, as the
 * model takes its settings from struct plxm_eeprom. Parts of more than 64 KiB are not modelled, nor
 * is what ringbell-eeprom has no need of: protected parts, and permission that is taken back.
 */

#include "plxm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	PLXM_SERIAL_MAX = 65536,
};

struct plxm_serial;

/** The chip looks at the part as at power-on: signature, address width, checksum.
 *  @param bytes  contents of the part, the caller's; must outlive the part
 *  @param size   a power of two, 256 to PLXM_SERIAL_MAX; more than 256 take two bytes of address
 *  @return 0; -EINVAL (size), -ENOMEM. @p p must outlive the part. */
int plxm_serial_open(struct plxm_port *p, uint8_t *bytes, uint32_t size,
		     struct plxm_serial **ret_serial);
void plxm_serial_close(struct plxm_serial *s);

/** As plxm_reg_read() and plxm_reg_write() of that port, whose board has a part. */
uint32_t plxm_serial_read(struct plxm_serial *s, uint32_t off);
void plxm_serial_write(struct plxm_serial *s, uint32_t off, uint32_t val);

enum plxm_serial_fault {
	PLXM_SERIAL_FAULT_STUCK, /**< 1 = the controller stays busy for good; 0 = it does not */
	PLXM_SERIAL_FAULT_SLOW,	 /**< 1 = a write of the part never ends; 0 = it does */
	PLXM_SERIAL_FAULT_LOST,	 /**< after so many writes more, each is lost; 0 = none */
	PLXM_SERIAL_FAULT_FLIP,	 /**< the write after so many more has a wrong bit; 0 = none */
	PLXM_SERIAL_FAULT_MAX,
};
int plxm_serial_fault_set(struct plxm_serial *s, enum plxm_serial_fault f, uint32_t arg);

#ifdef __cplusplus
}
#endif
#endif /* PLXM_SERIAL_H */
