/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Powers a chip on at a cable in the file that is named, and says how it went. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plxm.h"

int
main(int argc, char **argv)
{
	struct plxm_eeprom eeprom;
	struct plxm_port *port;
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1, ret;

	if (fd < 0) {
		perror("open");
		return EXIT_FAILURE;
	}
	plxm_eeprom_default(&eeprom, 1 << 20);
	ret = plxm_port_open(fd, 0, 0, &eeprom, &port);
	unlink(argv[1]);
	if (ret < 0)
		fprintf(stderr, "no cable: %s\n", strerror(-ret));
	else
		puts("right");
	return ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
