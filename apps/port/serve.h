/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SERVE_H
#define SERVE_H

struct ntb_port_info;

/** Commands from standard input, until it ends. @return exit status */
int serve_agent(const struct ntb_port_info *info);

#endif /* SERVE_H */
