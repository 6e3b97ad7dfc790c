/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_BASE_FILE_H
#define RB_BASE_FILE_H

/**
 * @file
 * Files that the library keeps open. A program may close descriptors that it did not open, and open
 * files of its own under their numbers. So a file is known by device and inode, and they are asked
 * before each use of the number.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** Also in memory that processes share: the number is that of the process that names itself. */
struct rb_file {
	int32_t fd; /**< -1: none */
	uint64_t dev, inode;
};

/** The file that @p fd is now; @p fd -1, or not open: none. */
struct rb_file rb_file_of(int fd);
/** Keep @p fd: programs start other ones without it, and seldom close its new number. */
struct rb_file rb_file_keep(int fd);
/** Is the number still that file? For any thread, and between fork() and exec(). */
bool rb_file_ours(const struct rb_file *f);
/** Close it where it is still that file; after that there is none. */
void rb_file_close(struct rb_file *f);
/** Open that file of process @p pid. @return a descriptor, or -errno; -ESTALE: it is another one */
int rb_file_open(pid_t pid, const struct rb_file *theirs);
/** Fill the standard descriptors that are closed: no file may become what the program prints to. */
void rb_file_standard(void);

#endif /* RB_BASE_FILE_H */
