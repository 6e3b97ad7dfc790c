/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef EAL_H
#define EAL_H

/**
 * Start the EAL.
 * @param port     the only NT port; NULL: those of @p options, or none
 * @param options  of the EAL, instead of those that are chosen here; NULL: none
 * @param lcores   as in --lcores; NULL: one, on all CPUs
 * @return 0, or -1 after a line on stderr
 */
int eal_start(const char *port, const char *options, const char *lcores);

/** End it, and leave no file behind. */
void eal_end(void);

#endif /* EAL_H */
