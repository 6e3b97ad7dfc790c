/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLX_IO_MODEL_H
#define PLX_IO_MODEL_H

#include "plx_io.h"

/* Devargs of an emulated adapter. */
struct plx_emu_args {
	const char *cable;   /* path of the cable file */
	unsigned int end;    /* 0 or 1 */
	unsigned int hosts;  /* of a ring of chips with two NT ports; 0: one cable, two chips */
	unsigned int host;   /* which of them */
	unsigned int chips;  /* of a host; 1: of the ring that hosts gives */
	unsigned int chip;   /* 0x87xx */
	unsigned int nt;     /* 0 or 1 */
	unsigned int stores; /* requester id of the CPU's stores, bus << 8 | device << 3 */
	unsigned int bridge; /* 1: the port offers no more than an adapter's does */
	unsigned int bar4;   /* 0: BAR2 is for both, registers and data */
	uint32_t skips;	     /* PLX_SKIP_* */
	unsigned int hide;   /* 1: PLXM_FAULT_HIDE */
	unsigned int
		lacks;	   /* PLX_LACKS_*: what the port does not offer, although the chip has it */
	uint64_t bar2;	   /* bytes */
	unsigned int late; /* 1: plxm_late_set() */
};

struct plxm_port;

/* The model of the chip. Logs the reason of a failure. @p name is for log lines and must outlive
 * the backend. 0 or a negative errno. */
int plx_io_model_open(const struct plx_emu_args *args, const char *name, struct plx_io **ret_io);

/* NULL: it is no model. */
struct plxm_port *plx_io_model_port(struct plx_io *io);

#endif /* PLX_IO_MODEL_H */
