/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef OUT_H
#define OUT_H

#include <stdio.h>

#include "result.h"
#include "session.h"

/** All of it as JSON. @p file: "-" for standard output. 0, or -1 and errno */
int out_json(const char *file, const struct ntb_port_info *info, const struct session *s,
	     const struct result *r);

/** And as lines for people. */
void out_text(const struct session *s, const struct result *r);

#endif /* OUT_H */
