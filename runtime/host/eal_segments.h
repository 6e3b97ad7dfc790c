/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_EAL_SEGMENTS_H
#define RB_HOST_EAL_SEGMENTS_H

/**
 * @file
 * The files of the EAL behind the region of a host with adapters, for the other PEs of the host.
 */

struct rb_file;

/** Lead: list the EAL's files behind the region in a new file. 0 or -errno */
int rb_eal_segments_list(struct rb_file *ret_list);
/** Others: map the files of such a list; closes @p fd. 0, or -errno with words. */
int rb_eal_segments_map(int fd);

#endif /* RB_HOST_EAL_SEGMENTS_H */
