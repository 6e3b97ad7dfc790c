/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef SHMEMI_WHERE_H
#define SHMEMI_WHERE_H

#include <stddef.h>
#include <stdint.h>

/** The place of the program that @p pc is in: "FILE:LINE", or what is known of it, or nothing.
 *  Takes milliseconds at first, and the loader's lock: for errors and for the checked mode. */
void shmemi_where(uintptr_t pc, char *text, size_t size) __attribute__((cold));
/** A place of the program, as a number that is the same on all PEs that run it; 0: not the
 * program's.
 */
uint64_t shmemi_where_number(uintptr_t pc);
uintptr_t shmemi_where_of(uint64_t number);
/** The variable at @p addr, or where in the heap it is. */
void shmemi_where_data(const void *addr, char *text, size_t size) __attribute__((cold));

#endif /* SHMEMI_WHERE_H */
