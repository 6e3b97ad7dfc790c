/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * An oshrun for each host, as people start them on machines that they have joined by cables.
 * In place of oshrun: machines --hosts H -n P CABLES [OPTION]... PROGRAM [ARG]...
 * In CABLES @ is the host's number, < the UDP port of its cable to the left, > that to the right.
 */
#include <fcntl.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY "/dev/shm/memory"

enum {
	REGION_BITS = 29, /* of a host: addresses, of which it takes what it needs */
	CABLE = 7000,	  /* UDP ports from here on */
	OPTIONS = 5,	  /* words in front of CABLES */
};

/* A file that hosts share, and the network interface of their cables. */
static bool
make_media(int hosts)
{
	int fd = open(MEMORY, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq up = {.ifr_name = "lo", .ifr_flags = IFF_UP};

	return ftruncate(fd, (off_t)hosts << REGION_BITS) == 0 && ioctl(s, SIOCSIFFLAGS, &up) == 0;
}

static void
name_cables(FILE *to, const char *text, int host, int hosts)
{
	int left = CABLE + (host + hosts - 1) % hosts;

	for (; *text != '\0'; text++)
		if (*text == '@' || *text == '<' || *text == '>')
			fprintf(to, "%d", *text == '@' ? host : *text == '<' ? left : CABLE + host);
		else
			fputc(*text, to);
	fclose(to);
}

static void
start_host(int host, int hosts, char **argv)
{
	char id[16], cables[256] = "";
	const char *words[64] = {OSHRUN,  "--host-id", id,	"--cable", cables,
				 argv[1], argv[2],     argv[3], argv[4]};
	int n = 9;

	snprintf(id, sizeof(id), "%d", host);
	name_cables(fmemopen(cables, sizeof(cables), "w"), argv[OPTIONS], host, hosts);
	for (argv += OPTIONS + 1; *argv != NULL && n < 63; argv++)
		words[n++] = *argv;
	setenv("RINGBELL_HOST_ID", id, 1); /* the simulation kills a host with its oshrun */
	setsid();
	execv(words[0], (char **)words);
	_exit(127);
}

int
main(int argc, char **argv)
{
	int hosts = argc > OPTIONS + 1 ? atoi(argv[2]) : 0, worst = 0, status, k;

	if (hosts < 2 || !make_media(hosts))
		return 2;
	for (k = 0; k < hosts; k++)
		if (fork() == 0)
			start_host(k, hosts, argv);
	while (wait(&status) > 0) {
		status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		worst = status > worst ? status : worst;
	}
	unlink(MEMORY);
	return worst;
}
