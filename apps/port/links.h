/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef LINKS_H
#define LINKS_H

#include "report.h"
#include "ports.h"

enum {
	LINKS_HOSTS_MIN = 2,
	LINKS_HOSTS_MAX = 16,
	LINKS_PORTS = ENDS * LINKS_HOSTS_MAX,
};

/** How "all links at once" is measured. */
struct links_args {
	unsigned int hosts; /**< of the ring that is made where the EAL gave no ports */
	const size_t *sizes;
	unsigned int nsizes;
	unsigned int samples;
	double seconds; /**< that a sample takes, about */
	const char *name, *title;
};

/**
 * Write through all windows at once, of the ports that the EAL gave or of a ring of emulated hosts,
 * which all lcores share: a row for each direction of each link, and the sum.
 * @return 0 or -errno, after a line on stderr
 */
int links_measure(const struct ports *p, const struct links_args *args, struct report *r);

#endif /* LINKS_H */
