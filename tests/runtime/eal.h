/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef TEST_EAL_H
#define TEST_EAL_H

#include <rte_common.h>
#include <rte_eal.h>

/* rte_eal_init() as any user may do it, with one option more, or NULL. The prefix: no folder of the
 * EAL's own, which it would leave. 0 or less. */
static inline int
start_eal(const char *option)
{
	const char *const words[] = {"test", "--no-huge",      "--no-shconf",	  "--no-pci", "-m",
				     "64",   "--no-telemetry", "--file-prefix=.", option};
	char *argv[RTE_DIM(words)];

	for (unsigned int i = 0; i < RTE_DIM(words); i++)
		argv[i] = (char *)(uintptr_t)words[i];
	return RTE_MIN(rte_eal_init((int)RTE_DIM(argv) - (option == NULL), argv), 0);
}

#endif /* TEST_EAL_H */
