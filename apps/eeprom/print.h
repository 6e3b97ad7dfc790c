/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PRINT_H
#define PRINT_H

#include "image.h"
#include "part.h"

/* Each record in words. */
void print_image(const struct image *image);
/* What is unlike, in words. @return whether anything is. */
bool print_difference(const struct image *a, const struct image *b);

#endif /* PRINT_H */
