/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_PIECES_H
#define RB_HOST_PIECES_H

/**
 * @file
 * The files of the EAL behind the region of a host with adapters, for the other PEs of the host.
 */

/** The EAL's files behind the region, for the other PEs of this host: a file of this process that
 *  lists them. It, or -errno and words. */
int rb_pieces_list(void);
/** Map what such a list of the lead's process says; takes the fd. 0 or -errno, words. */
int rb_pieces_map(int fd);

#endif /* RB_HOST_PIECES_H */
