/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef FILE_H
#define FILE_H

/* Images in files. Each call complains where it fails. */

#include <stddef.h>
#include <stdint.h>

#include "image.h"

/* NULL where the file is no image. To be freed. */
struct image *file_load(const char *path);
/* All bytes of a file, at most IMAGE_MAX; @return their number or a negative errno. */
long file_read(const char *path, uint8_t bytes[IMAGE_MAX]);
/* A new file, which must not be there yet, on the disk before this returns. 0 or a negative errno.
 */
int file_write(const char *path, const uint8_t *bytes, size_t len);

#endif /* FILE_H */
