/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef RB_LINK_EAL_FDS_H
#define RB_LINK_EAL_FDS_H

#include <stdbool.h>

enum {
	RB_FDS = 4096
};

/** Descriptors that are open before the EAL starts. Those that the EAL opens get close-on-exec. */
struct rb_fds {
	bool alone; /**< no other thread opens descriptors */
	bool open[RB_FDS];
};

void rb_fds_before(struct rb_fds *fds);
void rb_fds_after(struct rb_fds *fds);

#endif /* RB_LINK_EAL_FDS_H */
