/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef ADAPTER_H
#define ADAPTER_H

/* Commands on the EEPROM of an adapter. @return an exit status of say.h */

#include "options.h"

int adapter_read(const struct options *o);
int adapter_write(const struct options *o);
int adapter_loaded(const struct options *o);

#endif /* ADAPTER_H */
