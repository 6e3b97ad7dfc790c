/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHN_PATH_H
#define SHN_PATH_H

#include <stdint.h>

#include <rte_log.h>

extern int shn_logtype;

#define SHN_LOG(level, name, fmt, ...) \
	rte_log(RTE_LOG_##level, shn_logtype, "SHARED_NTB: %s: " fmt "\n", name, ##__VA_ARGS__)

/** Open a file, a DAX device, or a BAR of an ivshmem function in sysfs, and tell its size. The
 *  descriptor, or a negative errno with a line of log about what it is instead. */
int shn_path_open(const char *path, const char *device, uint64_t *ret_size);

#endif /* SHN_PATH_H */
