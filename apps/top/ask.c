/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <jansson.h>

#include "top.h"

enum {
	REPLY = 16384, /* DPDK's longest */
};

int
top_connect(const char *path)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	const struct timeval limit = {.tv_sec = 1};
	char hello[REPLY];
	int fd, err;

	if (strlen(path) >= sizeof(sun.sun_path))
		return -ENAMETOOLONG;
	strcpy(sun.sun_path, path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	/* a host that does not answer must not stop the picture of the others */
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) == 0 &&
	    recv(fd, hello, sizeof(hello), 0) > 0)
		return fd;
	err = errno;
	close(fd);
	return err == 0 ? -EPROTO : -err;
}

json_t *
top_ask(int fd, const char *command)
{
	char reply[REPLY], name[TOP_NAME];
	json_t *all, *answer;
	ssize_t n;

	if (send(fd, command, strlen(command), MSG_NOSIGNAL) < 0)
		return NULL;
	n = recv(fd, reply, sizeof(reply), 0);
	if (n <= 0)
		return NULL;
	all = json_loadb(reply, (size_t)n, JSON_REJECT_DUPLICATES, NULL);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(command, ","), command);
	answer = json_incref(json_object_get(all, name));
	json_decref(all);
	return answer;
}

uint64_t
top_u64(const json_t *dict, const char *name)
{
	json_int_t v = json_integer_value(json_object_get(dict, name));

	return v < 0 ? 0 : (uint64_t)v;
}
