/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "../report.h"
#include "ports.h"

enum {
	DRV_SIZED = 1 << 0, /**< a row for each size */
};

struct drv {
	struct ports ports;
	size_t size;
	uint8_t *src; /**< private memory, as dst */
	uint8_t *dst;
	uint64_t seq;	  /**< last number sent, continued from loop to loop */
	atomic_bool stop; /**< tells the answering lcore to end; set by the measuring one */
};

struct drv_bench {
	const char *name;
	const char *title;
	enum report_unit unit;
	unsigned int flags;
	int op;					    /**< second argument of @ref run */
	void (*run)(struct drv *d, int op, long n); /**< n operations */
	void (*answer)(struct drv *d); /**< what the other lcore does meanwhile, or NULL */
};

extern const struct drv_bench drv_benches[];

/** Loops of one lcore. */
void drv_copy(struct drv *d, int op, long n);
void drv_register(struct drv *d, int op, long n);

/** Loops of two lcores, and the other lcore's side. */
void drv_line(struct drv *d, int op, long n);
void drv_line_answer(struct drv *d);
void drv_doorbell(struct drv *d, int op, long n);
void drv_doorbell_answer(struct drv *d);
void drv_spad(struct drv *d, int op, long n);
void drv_spad_answer(struct drv *d);
void drv_desc(struct drv *d, int op, long n);
void drv_desc_answer(struct drv *d);
void drv_stream(struct drv *d, int op, long n);
void drv_stream_answer(struct drv *d);

enum drv_copy_op {
	DRV_PRIVATE,
	DRV_WRITE,
	DRV_WRITE_NT,
	DRV_READ,
};

enum drv_register_op {
	DRV_DB_RING,
	DRV_DB_READ,
	DRV_DB_CLEAR,
	DRV_SPAD_READ,
	DRV_SPAD_WRITE,
	DRV_PEER_SPAD_READ,
	DRV_PEER_SPAD_WRITE,
	DRV_FLUSH,
	DRV_LINK_POLL,
};

#endif /* DRIVER_H */
