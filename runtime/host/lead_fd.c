/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "host/lead_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "host/hostseg.h"

int
rb_host_open_fd(int fd, const char *what)
{
	char path[64];
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", rb_hostseg->lead_pid, fd);
	ret = open(path, O_RDWR | O_CLOEXEC);
	return ret >= 0 ? ret
			: rb_fail(-errno, "cannot open %s %s: %s", what, path, strerror(errno));
}
