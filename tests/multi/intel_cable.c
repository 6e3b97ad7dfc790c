/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * The cable between two modelled NTBs of Intel's, whose processes run: intel_cable FILE pull|plug
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "intm_link.h"

int
main(int argc, char **argv)
{
	struct intm_port port = {.end = 0};
	int fd = argc == 3 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;
	void *at;

	if (fd < 0 || (strcmp(argv[2], "pull") != 0 && strcmp(argv[2], "plug") != 0)) {
		fprintf(stderr, "usage: %s FILE pull|plug\n", argv[0]);
		return EXIT_FAILURE;
	}
	at = mmap(NULL, sizeof(*port.cable), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	port.cable = at;
	intm_cable(&port, strcmp(argv[2], "plug") == 0);
	return EXIT_SUCCESS;
}
