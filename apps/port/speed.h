/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SPEED_H
#define SPEED_H

/** The command "speed". @return exit status */
int speed_main(int argc, char **argv);

#endif /* SPEED_H */
