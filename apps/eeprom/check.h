/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef CHECK_H
#define CHECK_H

/* Does an image give Ringbell what it needs (doc/hardware.md)? */

#include <stdio.h>

#include "image.h"
#include "part.h"

/* A line on @p out for each fault, and unless @p faults_only for each thing worth knowing.
 * @p part may be NULL, then what depends on it is left out. @return the number of faults. */
unsigned int image_check(const struct image *image, const struct part *part, FILE *out,
			 bool faults_only);

#endif /* CHECK_H */
