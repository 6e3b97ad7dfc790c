/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_HOST_LEAD_FD_H
#define RB_HOST_LEAD_FD_H

/** Open the file of descriptor @p fd of the lead's process. @return a descriptor of this process,
 *  or -errno with words; @p what names the file there */
int rb_host_open_fd(int fd, const char *what);

#endif /* RB_HOST_LEAD_FD_H */
