/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PEER_H
#define PEER_H

/** The command "order". @return exit status */
int peer_main(int argc, char **argv);

#endif /* PEER_H */
