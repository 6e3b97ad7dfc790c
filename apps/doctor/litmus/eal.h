/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef EAL_H
#define EAL_H

/** Start the EAL with one NT port; @p options: of the EAL, instead of those that are chosen here
 *  where it is NULL. @return 0, or -1 after a line on stderr */
int eal_start(const char *prog, const char *port, const char *options);

/** End it, and leave no file behind. */
void eal_end(void);

#endif /* EAL_H */
