/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef DRV_H
#define DRV_H

/* What the driver tests share: the EAL without hugepages, cables, ports, logs, CUnit. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cases.h"
#include "rte_pmd_ntb_port.h"

enum {
	DRV_SKIP = 77, /* the status of a skipped test for Meson */
	DRV_RING = 2,  /* for the end of a cable: none, further devargs place the port on a ring */
};

/* rte_eal_init() as an ordinary user may do it, with up to 8 arguments more, NULL ends. */
int drv_eal_init(const char *const more[]);

/* Around the tests of a program that needs nothing else: the EAL without a PCI bus, and with
 * drv_log_start(). */
int drv_setup(void);
int drv_setup_logged(void);
int drv_cleanup(void);

/* Lines that the driver logged since the last call, NUL-terminated text; they also go to stderr. */
int drv_log_start(void);
const char *drv_log_take(unsigned int *ret_lines);

struct drv_test {
	const char *name;
	void (*run)(void);
	bool emulated; /* needs ports of --vdev, whose cable can be pulled */
};

/* The same test program over two kinds of ports, those of its tests that can run there, as one
 * suite:
 *
 *   PROGRAM            emulated ones, by --vdev
 *   PROGRAM bus A B    PCI functions of this machine, cabled to each other, bound to UIO
 *
 * The exit status. */
int drv_run(int argc, char **argv, const struct test_suite *suite, const struct drv_test *tests,
	    size_t n);

/* A program of these tests; @p before and @p after run around each. */
#define DRV_PROGRAM(name, before, after, ...)                                                  \
	int main(int argc, char **argv)                                                        \
	{                                                                                      \
		static const struct drv_test tests[] = {__VA_ARGS__};                          \
		const struct test_suite suite = {name, drv_setup, drv_cleanup, before, after}; \
                                                                                               \
		return drv_run(argc, argv, &suite, tests, sizeof(tests) / sizeof(tests[0]));   \
	}

/* One port, its inbound region and what a program knows of it. */
struct drv_port {
	int dev_id;
	unsigned int end; /* of its cable */
	struct ntb_port *port;
	struct ntb_port_info info;
	struct ntb_port_config region;
};

/* Where ports come from other than from --vdev; drv_run() sets it. */
struct drv_place {
	const char *const *eal; /* NULL-ended, in place of what an ordinary user may do */
	int (*ready)(void);	/* after rte_eal_init() */
	int (*probe)(struct drv_port *p, const char **ret_name);
	int (*memory)(struct drv_port *p, uint64_t len);
	void (*close)(struct drv_port *p);
};

extern const struct drv_place *drv_place; /* NULL: emulated ports, by --vdev */

/* Create, configure over a fresh memfd of @p len bytes and start. @p more: ",key=value..." or "".
 * 0 or what failed as a negative errno. */
int drv_port_open(struct drv_port *p, const char *name, int cable_fd, unsigned int end,
		  const char *more, uint64_t len);
int drv_port_probe(struct drv_port *p, const char *name, int cable_fd, unsigned int end,
		   const char *more);
int drv_port_configure(struct drv_port *p, uint64_t len);
void drv_port_close(struct drv_port *p, const char *name);

/* Does the port give this reason, or doubt, of its link? */
void drv_check_why(struct ntb_port *port, const char *words);

/* Raise the fault of that attribute. */
int drv_fault(struct drv_port *p, const char *attr, uint64_t arg);

/* Poll both links until both say @p want; false after a few seconds. */
bool drv_wait_link(struct drv_port *a, struct drv_port *b, enum ntb_link want);

uint64_t drv_xstat(const struct drv_port *p, const char *name);

/* A word of the window, and of the memory that the peer's window shows. */
static inline volatile uint64_t *
drv_window(const struct drv_port *p, uint64_t off)
{
	return (volatile uint64_t *)((uint8_t *)p->port->window + off);
}

static inline volatile uint64_t *
drv_region(const struct drv_port *p, uint64_t off)
{
	return (volatile uint64_t *)((uint8_t *)p->region.va + off);
}

/* Two ports of one process, raw_ntb_plx_emu0 and raw_ntb_plx_emu1, and the cable between them. */

/* Open both over @p len bytes each; the link may still be down. Returns the cable, or ends the
 * test. */
int drv_plug(struct drv_port *a, struct drv_port *b, const char *more_a, const char *more_b,
	     uint64_t len);
/* Close both and the cable; no port is left then. */
void drv_unplug(struct drv_port *a, struct drv_port *b, int cable);

/* Memory, doorbells and scratchpads from @p a to @p b. */
void drv_check_cable(struct drv_port *a, struct drv_port *b);

#endif /* DRV_H */
