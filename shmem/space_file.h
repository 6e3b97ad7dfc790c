/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_SPACE_FILE_H
#define SHMEMI_SPACE_FILE_H

#include <stddef.h>

/** Fill @p size bytes that are zero from the file, as far as it goes. 0, also where there is no
 * such file; or -errno: -EFBIG: it is longer, and a store would cut it */
int shmemi_space_load(const char *path, void *at, size_t size);
/** Write them to a new file, which takes the place of the old one when it is complete. 0 or -errno
 */
int shmemi_space_store(const char *path, const void *at, size_t size);

#endif /* SHMEMI_SPACE_FILE_H */
