/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Included in front of each file by "make coverage": a process that ends by _exit() writes its
 * counts too, such as a PE of a job that has ended. One that cannot, as another user's, one in a
 * container, without a descriptor or with a limit of files, says nothing of it, since tests compare
 * what is printed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int coverage_execvp(const char *file, char *const argv[]) __asm__("execvp");
void __gcov_dump(void);
void __gcov_reset(void);
int coverage_fd(void);
void coverage_silence(void);

/* Of a file beside the counts; below 0 where this process cannot write them. */
__attribute__((weak, visibility("hidden"))) int
coverage_fd(void)
{
	struct rlimit most;

	/* what runs into the limit would be killed, so gcov only fails, and says so */
	if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur == RLIM_INFINITY)
		return open(__FILE__, O_RDWR | O_CLOEXEC);
	(void)signal(SIGXFSZ, SIG_IGN);
	return -1;
}

/* The last destructor before gcov's own, whose priority is 100. */
__attribute__((weak, destructor(101), visibility("hidden"))) void
coverage_silence(void)
{
	int fd = coverage_fd();

	close(fd < 0 ? STDERR_FILENO : fd);
}

/* gcov's own execvp() would say it on the stderr of the program to come. */
#define execvp(file, argv)                                                      \
	((close(coverage_fd()) == 0 ? __gcov_dump(), __gcov_reset() : (void)0), \
	 coverage_execvp(file, argv))
#define _exit(status) (coverage_silence(), __gcov_dump(), _exit(status))
#define _Exit(status) (coverage_silence(), __gcov_dump(), _Exit(status))
