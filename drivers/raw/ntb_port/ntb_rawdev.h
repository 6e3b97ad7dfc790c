/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef NTB_RAWDEV_H
#define NTB_RAWDEV_H

/*
 * The rawdev calls that are alike for all drivers of ports. What a driver keeps of a port begins
 * with struct ntb_rawdev.
 */

#include <stdbool.h>
#include <stdio.h>

#include <rte_rawdev.h>
#include <rte_rawdev_pmd.h>

#include "rte_pmd_ntb_port.h"

enum {
	NTB_RAWDEV_COUNTERS = 128, /* at most */
};

struct rte_kvargs;

/* A counter of a driver, as xstats show it. */
struct ntb_counter {
	const char *name;
	uint64_t value;
};

struct ntb_rawdev {
	struct ntb_port port;
	char name[RTE_RAWDEV_NAME_MAX_LEN];
	uint64_t window_align;
	uint64_t base[NTB_RAWDEV_COUNTERS]; /* of the counters, at their last reset */
	/* control calls, which rawdev leaves to one thread */
	bool configured, closed;
	const struct ntb_rawdev_ops *ops;
};

struct ntb_rawdev_ops {
	const struct rte_rawdev_ops *calls; /* ntb_rawdev_calls, or with more */
	int (*configure)(struct ntb_rawdev *r, const struct ntb_port_config *conf);
	int (*start)(struct ntb_rawdev *r);
	void (*stop)(struct ntb_rawdev *r);
	void (*close)(struct ntb_rawdev *r);	     /* or NULL */
	void (*dump)(struct ntb_rawdev *r, FILE *f); /* what only this driver knows, or NULL */
	/* Fills in how they stand and returns how many, or NULL. */
	unsigned int (*counters)(struct ntb_rawdev *r, struct ntb_counter c[NTB_RAWDEV_COUNTERS]);
};

/** The calls that struct ntb_rawdev_ops serves. */
extern const struct rte_rawdev_ops ntb_rawdev_calls;

/** A rawdev of @p size zeroed bytes, whose port has a number and nothing else. The name of
 *  @p driver begins with raw_ntb_. NULL: no room, which the EAL has logged. */
struct ntb_rawdev *ntb_rawdev_create(struct rte_device *device, const char *driver,
				     const char *name, size_t size,
				     const struct ntb_rawdev_ops *ops);
/** The first one of @p device. NULL: there is none. */
struct ntb_rawdev *ntb_rawdev_of(const struct rte_device *device);
void ntb_rawdev_destroy(struct ntb_rawdev *r);
/** To which host port @p i leads, where one device has a port to each other host. */
unsigned int ntb_rawdev_beyond(unsigned int host, unsigned int hosts, unsigned int i);
/** How many ms a peer may be silent that was silent for @p longest ms at most before. */
uint64_t ntb_rawdev_patience(uint64_t longest);
/** For ntb_port_ops: window_align, however long the region is. */
uint64_t ntb_rawdev_align(struct ntb_port *port, uint64_t len);

/** A devarg, and where its value goes. */
struct ntb_devarg {
	const char *key;
	/* 0; -EINVAL: @p value is none of it, or NULL, which stands for no value */
	int (*take)(const struct ntb_devarg *d, const char *value);
	void *to;
	unsigned int least, most; /* of a number; one of 0 to 1 without a value is 1 */
};

int ntb_devarg_text(const struct ntb_devarg *d, const char *value);   /* const char * */
int ntb_devarg_number(const struct ntb_devarg *d, const char *value); /* unsigned int */
/** Parse `key=value,...`, each key once at most. Text points into what is returned, to be freed.
 *  NULL, with a line of log that ends with @p help: not all are of the @p n in @p list. */
struct rte_kvargs *ntb_devargs_parse(const char *text, const struct ntb_devarg *list,
				     unsigned int n, const char *name, const char *help);

#endif /* NTB_RAWDEV_H */
