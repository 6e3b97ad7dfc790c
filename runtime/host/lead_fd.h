/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_LEAD_FD_H
#define RB_HOST_LEAD_FD_H

/** Open a descriptor of the lead's process once more. It, or -errno and words. */
int rb_host_open_fd(int fd, const char *what);

#endif /* RB_HOST_LEAD_FD_H */
