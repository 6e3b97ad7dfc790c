/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DEVICE_H
#define DEVICE_H

/**
 * @file
 * Declarations that the files of ringbell-device share. One process holds the adapters of a whole
 * ring. Each PCI function of an adapter is a socket, served by a thread of its own; an emulator of
 * machines connects to it.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "intm.h"
#include "plxm.h"
#include "plxm_dma.h"
#include "plxm_serial.h"

enum {
	DEVICE_HOSTS_MAX = 8,
	DEVICE_SIDES = 2,
	DEVICE_FNS = 1 + PLXM_DMA_CHANNELS, /* of an adapter: NT, then DMA channels */
	SYSMEM_MAX = 8,			    /* that one message of QEMU can carry */
};

/** The command line, checked. */
struct options {
	int hosts;
	int cables;
	int channels;
	int family, intel;    /* generation of Intel's NTB, 0: PLX chips */
	unsigned int reading; /* of Intel's registers */
	uint64_t bar2;
	const char *folder;
};

/** Both ends, of the one family or the other. */
struct cable {
	struct plxm_port *plx[DEVICE_SIDES];
	struct intm_port *intel[DEVICE_SIDES];
};

/** Stretches of a guest's memory, by guest-physical address. */
struct sysmem {
	struct {
		uint64_t gpa, size, off;
		int fd;
		uint8_t *va;
	} range[SYSMEM_MAX];
	unsigned int n;
};

/** One message of QEMU's protocol for devices in another process (hw/remote/mpqemu-link.h there).
 *  All of it is checked before it is used: an emulator may be as broken as any other peer. */
enum message_cmd {
	MESSAGE_SYNC_SYSMEM = 0,
	MESSAGE_RET = 1,
	MESSAGE_CFG_WRITE = 2,
	MESSAGE_CFG_READ = 3,
	MESSAGE_BAR_WRITE = 4,
	MESSAGE_BAR_READ = 5,
	MESSAGE_SET_IRQFD = 6,
	MESSAGE_RESET = 7,
};

struct message {
	int32_t cmd;
	uint64_t size;
	union {
		struct {
			uint64_t gpa[SYSMEM_MAX], size[SYSMEM_MAX], off[SYSMEM_MAX];
		} sysmem;
		struct {
			uint32_t addr, val;
			int32_t len;
		} cfg;
		struct {
			uint64_t addr, val;
			uint32_t size;
			uint8_t memory;
		} bar;
		uint64_t ret;
	} u;
	int fds[SYSMEM_MAX];
	unsigned int n_fds;
};

/** 1: received one; 0: the other side has closed; -errno. The receiver owns the descriptors. */
int message_receive(int fd, struct message *m);
int message_return(int fd, uint64_t value);
void message_close_fds(struct message *m);

/** Note the ranges of a guest's memory that the message describes. @p map: map them here. */
int sysmem_set(struct sysmem *s, struct message *m, bool map);
void sysmem_clear(struct sysmem *s);
/** QEMU sends the same ranges again with each change of any BAR of the machine. */
bool sysmem_same(const struct sysmem *s, const struct message *m);
/** Memory at @p gpa, NULL for none; *len is limited to the bytes that follow there. */
void *sysmem_find(const struct sysmem *s, uint64_t gpa, uint64_t *len);

struct fn;

/** Operations in which functions differ. */
struct fn_ops {
	void (*power)(struct fn *f, bool on);
	uint32_t (*cfg_read)(struct fn *f, uint32_t off, unsigned int size);
	void (*cfg_write)(struct fn *f, uint32_t off, uint32_t val, unsigned int size);
	void (*bar_read)(struct fn *f, uint64_t addr, void *buf, unsigned int size);
	void (*bar_write)(struct fn *f, uint64_t addr, const void *buf, unsigned int size);
	int (*sysmem)(struct fn *f, struct message *m);
	bool (*busy)(struct fn *f); /* NULL: it does nothing by itself */
	void (*work)(struct fn *f);
};

extern const struct fn_ops nt_ops, dma_ops, intel_ops;

/** The way of interrupts to the emulator of a host. */
struct irq_line {
	pthread_mutex_t lock; /* over one command and its answer */
	char path[108];
	int fd;
	bool warned;
};

/** One PCI function of one adapter. */
struct fn {
	const struct fn_ops *ops;
	int host;
	unsigned int side;
	struct plxm_port *port;
	struct plxm_serial *serial;
	uint64_t bar2; /* bytes of the port's window */
	struct plxm_dma *dma;
	struct intm_port *intel;
	struct fn *peer;	   /* of Intel's: whose memory the windows show */
	pthread_rwlock_t mem_lock; /* of Intel's: over mem, which the peer's thread reads */
	struct irq_line *line;
	pthread_t irq_thread;
	struct sysmem mem;
	bool sized; /* the emulator has asked for the sizes of the BARs */
	int listen_fd;
	char path[108];
	pthread_t thread;
};

/** Serve each client that connects, one after the other, for ever. */
void *fn_serve(void *fn);

/** Send a function's interrupts, for ever. */
void *irq_serve(void *fn);
/** Commands on standard input until its end or "quit". */
void control(const struct cable *cables, int n_cables);

/** Ends the program where the line is wrong. */
void options_read(struct options *o, int argc, char **argv);

#endif /* DEVICE_H */
