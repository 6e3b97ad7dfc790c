/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Ports over memory that hosts share: here two of one process, and one of a process that is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <bus_vdev_driver.h>
#include <rte_cycles.h>
#include <rte_interrupts.h>
#include <rte_rawdev.h>
#include <rte_vfio.h>

#include "drv.h"
#include "shn_port.h"

#define MIB (1ull << 20)

enum {
	LIMIT_MS = 20 * 1000,
};

static char folder[] = "/dev/shm/shared_test.XXXXXX";
static char path[64];

struct end {
	char vdev[32];
	struct ntb_port *port;
	uint8_t *region;
};

static void
make_file(uint64_t size)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	CU_ASSERT_FATAL(fd >= 0 && ftruncate(fd, (off_t)size) == 0);
	close(fd);
}

static int
probe(struct end *e, unsigned int host, unsigned int hosts)
{
	char args[128];

	snprintf(e->vdev, sizeof(e->vdev), "raw_ntb_shared%u", host);
	snprintf(args, sizeof(args), "path=%s,host=%u,hosts=%u", path, host, hosts);
	return rte_vdev_init(e->vdev, args);
}

/* The port to @p peer, over this host's memory. */
static int
start(struct end *e, unsigned int peer)
{
	struct ntb_port_config conf = {.len = MIB};
	struct ntb_port_info info;
	char name[64];

	snprintf(name, sizeof(name), "%s-%u", e->vdev, peer);
	if (ntb_port_get(rte_rawdev_get_dev_id(name), &info) < 0)
		return -ENODEV;
	e->port = info.port;
	conf.fd = e->port->memory->fd;
	conf.fd_off = e->port->memory->off;
	e->region =
		mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED, conf.fd, (off_t)conf.fd_off);
	conf.va = e->region;
	if (e->region == MAP_FAILED || ntb_port_configure(e->port, &conf) < 0)
		return -EINVAL;
	return ntb_port_start(e->port);
}

static void
leave(struct end *e)
{
	CU_ASSERT_EQUAL(rte_vdev_uninit(e->vdev), 0);
	munmap(e->region, MIB);
}

static bool
becomes(struct ntb_port *port, enum ntb_link link)
{
	unsigned int ms;

	for (ms = 0; ms < LIMIT_MS && ntb_link_poll(port) != link; ms++)
		rte_delay_us_sleep(1000);
	return ms < LIMIT_MS;
}

static void
open_both(struct end *a, struct end *b)
{
	make_file(8 * MIB);
	CU_ASSERT_EQUAL_FATAL(probe(a, 0, 2), 0);
	CU_ASSERT_EQUAL_FATAL(probe(b, 1, 2), 0);
	CU_ASSERT_EQUAL_FATAL(start(a, 1), 0);
	drv_check_why(a->port, "host 1 is alive and has not started its port");
	CU_ASSERT_EQUAL_FATAL(start(b, 0), 0);
	CU_ASSERT_TRUE_FATAL(becomes(a->port, NTB_LINK_UP) && becomes(b->port, NTB_LINK_UP));
}

/* Both sides see both sides' words, which go with the link. */
static void
check_pads(struct ntb_port *a, struct ntb_port *b)
{
	unsigned int last = a->spad_count - 1u;

	CU_ASSERT_TRUE_FATAL(a->spad_count >= 6 && b->spad_count == a->spad_count);
	a->ops->spad_write(a, last, 77);
	b->ops->peer_spad_write(b, 0, 5);
	CU_ASSERT_EQUAL(b->ops->peer_spad_read(b, last), 77);
	CU_ASSERT_EQUAL(b->ops->spad_read(b, last), 0);
	CU_ASSERT_EQUAL(a->ops->spad_read(a, 0), 5);
}

static void
test_pair(void)
{
	struct end a, b;
	uint64_t word = 0, off;
	int fd;

	open_both(&a, &b);
	drv_check_why(a.port, "");
	check_pads(a.port, b.port);
	((volatile uint64_t *)a.port->window)[5] = 55;
	CU_ASSERT_EQUAL(((volatile uint64_t *)b.region)[5], 55);
	CU_ASSERT_EQUAL(ntb_flush_at(a.port, 5 * sizeof(word), &word), 0);
	CU_ASSERT_EQUAL(word, 55);
	CU_ASSERT_EQUAL(ntb_window_file(a.port, 0, MIB, &fd, &off), 0);
	CU_ASSERT_EQUAL(off, b.port->memory->off);
	CU_ASSERT_EQUAL(ntb_window_file(a.port, MIB, a.port->window_size, &fd, &off), -ENOTCONN);
	CU_ASSERT_PTR_NULL(ntb_wake_word(a.port));
	ntb_port_stop(b.port);
	CU_ASSERT_EQUAL(ntb_link_poll(a.port), NTB_LINK_DOWN);
	CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), 1);
	CU_ASSERT_EQUAL(ntb_flush(a.port), -EIO);
	CU_ASSERT_EQUAL(a.port->ops->peer_spad_read(a.port, 0), UINT32_MAX);
	CU_ASSERT_EQUAL(ntb_port_start(b.port), 0);
	CU_ASSERT_TRUE(becomes(a.port, NTB_LINK_UP));
	CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), 1);
	ntb_link_once(a.port);
	ntb_port_stop(b.port);
	CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), 2);
	CU_ASSERT_EQUAL(ntb_port_start(b.port), 0);
	CU_ASSERT_EQUAL(ntb_link_poll(a.port), NTB_LINK_DOWN);
	CU_ASSERT_EQUAL(ntb_link_poll(b.port), NTB_LINK_DOWN);
	ntb_port_stop(a.port);
	CU_ASSERT_EQUAL(ntb_port_start(a.port), 0);
	CU_ASSERT_TRUE(becomes(a.port, NTB_LINK_UP) && becomes(b.port, NTB_LINK_UP));
	leave(&b);
	CU_ASSERT_TRUE(becomes(a.port, NTB_LINK_DOWN));
	drv_check_why(a.port, "nobody holds the place of host 1");
	leave(&a);
}

/* The ports of host 1 of 5 lead to hosts 0, 2, 4 and 3, the nearest first. */
static void
test_order(void)
{
	static const char *const names[] = {"raw_ntb_shared1-0", "raw_ntb_shared1-2",
					    "raw_ntb_shared1-4", "raw_ntb_shared1-3"};
	struct end e;
	size_t i;

	make_file(12 * MIB);
	CU_ASSERT_EQUAL_FATAL(probe(&e, 1, 5), 0);
	for (i = 1; i < RTE_DIM(names); i++)
		CU_ASSERT_TRUE(rte_rawdev_get_dev_id(names[i - 1]) <
			       rte_rawdev_get_dev_id(names[i]));
	CU_ASSERT_EQUAL(rte_vdev_uninit(e.vdev), 0);
}

/* Each gives one line with these words, and -errno. */
static void
refuse(int ret, int want, const char *words)
{
	unsigned int lines;
	const char *text = drv_log_take(&lines);

	CU_ASSERT_EQUAL(ret, want);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, words));
	CU_ASSERT_TRUE(lines <= 2); /* the vdev bus has one of its own */
}

static void
write_file(const char *name, const char *text)
{
	char file[128];
	FILE *f;

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	f = fopen(file, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs(text, f);
	fclose(f);
}

static void
test_refused(void)
{
	static const char *const bad[] = {"",
					  "path=/x,host=2,hosts=2",
					  "path=/x,hosts=1",
					  "path=/x,hosts=65",
					  "path=/x,host=-1",
					  "path=/x,slot=3"};
	struct ntb_port_config conf;
	struct end a, b;
	unsigned int lines;
	char whole[64];

	drv_log_take(&lines);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refuse(rte_vdev_init("raw_ntb_shared9", bad[i]), -EINVAL, "want path=PATH");
	unlink(path);
	refuse(probe(&a, 0, 2), -ENOENT, "make it by truncate -s SIZE");
	make_file(5 * MIB);
	refuse(probe(&a, 0, 2), -EINVAL, "5242880 bytes: 2 hosts need at least 6291456");

	/* as sysfs has BARs */
	strcpy(whole, path);
	snprintf(path, sizeof(path), "%s/resource2", folder);
	make_file(8 * MIB);
	write_file("vendor", "0x10b5");
	write_file("device", "0x87b0");
	refuse(probe(&a, 0, 2), -ENODEV, "is BAR2 of 10b5:87b0");
	write_file("vendor", "0x1af4");
	write_file("device", "0x1110");
	write_file("enable", "0");
	refuse(probe(&a, 0, 2), -ENODEV, "no driver has enabled the function");
	strcpy(path, whole);

	open_both(&a, &b);
	drv_log_take(&lines);
	strcpy(b.vdev, "raw_ntb_shared0");
	refuse(rte_vdev_init("raw_ntb_shared8", NULL), -EINVAL, "want path=PATH");
	snprintf(whole, sizeof(whole), "path=%s,host=1,hosts=2", path);
	refuse(rte_vdev_init("raw_ntb_shared8", whole), -EBUSY,
	       "a program that is alive holds the place of host 1");
	snprintf(whole, sizeof(whole), "path=%s,host=1,hosts=3", path);
	refuse(rte_vdev_init("raw_ntb_shared8", whole), -EBUSY, "is in use, with hosts=2");
	ntb_port_stop(a.port);
	conf = (struct ntb_port_config){.va = a.region, .len = MIB, .fd = -1};
	refuse(ntb_port_configure(a.port, &conf), -EINVAL, "the inbound region is not the part");
	strcpy(b.vdev, "raw_ntb_shared1");
	leave(&b);
	leave(&a);
}

/* A medium that others take away. */
static void
test_gone(void)
{
	struct end a, b;

	open_both(&a, &b);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_TRUE(becomes(a.port, NTB_LINK_DOWN));
	drv_check_why(a.port, "the file of the shared memory was removed");
	leave(&b);
	leave(&a);
	open_both(&a, &b);
	munmap(b.region, MIB);
	b.region = NULL;
	CU_ASSERT_EQUAL(truncate(path, 7 * MIB), 0);
	CU_ASSERT_TRUE(becomes(b.port, NTB_LINK_DOWN));
	drv_check_why(b.port, "the file of the shared memory was cut short");
	leave(&b);
	leave(&a);
}

/* Who takes a place has its lock first: a program that is closing, or is not there yet, counts. */
static void
test_locked(void)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 1};
	struct end e;
	unsigned int lines;
	int fd;

	make_file(8 * MIB);
	fd = open(path, O_RDWR);
	CU_ASSERT_EQUAL_FATAL(fcntl(fd, F_OFD_SETLK, &l), 0);
	drv_log_take(&lines);
	refuse(probe(&e, 1, 2), -EBUSY, "a program that is alive holds the place of host 1");
	close(fd);
	CU_ASSERT_EQUAL_FATAL(probe(&e, 1, 2), 0);
	CU_ASSERT_EQUAL(rte_vdev_uninit(e.vdev), 0);
}

/* All places are those of a dead job of three hosts. While one of the next job asks whether the
 * holder of a place has it locked, another one clears that place, and a third one takes each other.
 */
static struct shn_control *dead;

int
fcntl(int fd, int command, ...)
{
	struct flock *lock;
	va_list list;

	va_start(list, command);
	lock = va_arg(list, struct flock *);
	va_end(list);
	if (dead != NULL && command == F_OFD_GETLK && dead->host[lock->l_start].session != 0)
		dead->host[lock->l_start].session =
			lock->l_start % 2 == 0 ? 0 : shn_session(1, 2, SHN_ALIGN);
	return (int)syscall(SYS_fcntl, fd, command, lock);
}

static void
test_next(void)
{
	const struct shn_args args = {path, 0, 2};
	struct shn_medium *m = NULL;
	struct shn_control *c;
	int fd;

	make_file(8 * MIB);
	fd = open(path, O_RDWR);
	c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	CU_ASSERT_TRUE_FATAL(c != MAP_FAILED);
	for (unsigned int h = 0; h < SHN_MAX_HOSTS; h++)
		c->host[h].session = shn_session(h, 3, SHN_ALIGN);
	dead = c;
	CU_ASSERT_EQUAL(shn_medium_open(&m, "shared", &args), 0);
	dead = NULL;
	if (m != NULL)
		shn_medium_close(m);
	munmap(c, sizeof(*c));
}

/* Host 1 in a process of its own, until it is killed. */
static pid_t other;
static int to_other[2];

static void
be_other(void)
{
	struct end e;
	char go;

	close(to_other[1]);
	if (read(to_other[0], &go, 1) != 1 || drv_eal_init((const char *const[]){NULL}) < 0 ||
	    probe(&e, 1, 2) < 0 || start(&e, 0) < 0)
		_exit(1);
	for (;;)
		pause();
}

static void
test_killed(void)
{
	struct end a, b;

	make_file(8 * MIB);
	CU_ASSERT_EQUAL_FATAL(probe(&a, 0, 2), 0);
	CU_ASSERT_EQUAL_FATAL(start(&a, 1), 0);
	CU_ASSERT_EQUAL(write(to_other[1], "g", 1), 1);
	CU_ASSERT_TRUE_FATAL(becomes(a.port, NTB_LINK_UP));
	kill(other, SIGKILL);
	CU_ASSERT_EQUAL(waitpid(other, NULL, 0), other);
	CU_ASSERT_TRUE(becomes(a.port, NTB_LINK_DOWN));
	drv_check_why(a.port, "host 1 is dead");
	CU_ASSERT_EQUAL(a.port->ops->link_breaks(a.port), 1);
	/* the next one takes its place */
	CU_ASSERT_EQUAL_FATAL(probe(&b, 1, 2), 0);
	CU_ASSERT_EQUAL_FATAL(start(&b, 0), 0);
	CU_ASSERT_TRUE(becomes(a.port, NTB_LINK_UP));
	leave(&b);
	leave(&a);
}

/* Functions as vfio-pci has them, the first and the last one that QEMU's server can number: files
 * with their registers. */
static struct {
	unsigned int n, plain; /* n: used; plain: they have no interrupts */
	int file[2], event[2];
} functions = {.n = 2};

int
rte_vfio_setup_device(const char *bus, const char *name, int *ret_fd, struct vfio_device_info *info)
{
	const uint32_t number = functions.n == 0 ? 0 : UINT16_MAX;

	(void)bus, (void)name, (void)info;
	if (functions.n == 2)
		return 1;
	*ret_fd = memfd_create("function", MFD_CLOEXEC);
	CU_ASSERT_EQUAL(pwrite(*ret_fd, &number, sizeof(number), 8), sizeof(number));
	CU_ASSERT_EQUAL(ftruncate(*ret_fd, (off_t)VFIO_PCI_NUM_REGIONS << 40), 0);
	functions.file[functions.n++] = *ret_fd;
	return 0;
}

int
rte_intr_enable(const struct rte_intr_handle *intr)
{
	functions.event[functions.n - 1] = rte_intr_fd_get(intr);
	return functions.plain ? -1 : 0;
}

static void
check_bells(const struct end *a, const struct end *b)
{
	_Atomic uint32_t *theirs = &shn_port_of(a->port)->medium->control->host[1].bell;
	uint32_t *word = ntb_wake_word(b->port), number = *theirs, ring[2];
	unsigned int ms;

	CU_ASSERT_PTR_NOT_NULL_FATAL(word);
	*theirs = UINT16_MAX + 2; /* what another host has written is in range, or of no use */
	CU_ASSERT_PTR_NULL(ntb_wake_word(a->port));
	ntb_db_ring(a->port, 1);
	CU_ASSERT_EQUAL(pread(functions.file[0], &ring[0], 4, 12), 4);
	*theirs = number;
	CU_ASSERT_PTR_NOT_NULL(ntb_wake_word(a->port));
	ntb_db_ring(a->port, 1);
	CU_ASSERT_EQUAL(pread(functions.file[0], &ring[1], 4, 12), 4);
	CU_ASSERT_TRUE(ring[0] == 0 && ring[1] == (uint32_t)UINT16_MAX << 16);
	*theirs = 0; /* who sleeps by it does not notice */
	CU_ASSERT_PTR_NOT_NULL(ntb_wake_word(a->port));
	CU_ASSERT_EQUAL(eventfd_write(functions.event[1], 1), 0);
	for (ms = 0; ms < LIMIT_MS && __atomic_load_n(word, __ATOMIC_ACQUIRE) != 1; ms++)
		rte_delay_us_sleep(1000);
	CU_ASSERT_TRUE(ms < LIMIT_MS);
}

/* The last test: it leaves another path. */
static void
test_bells(void)
{
	struct end a, b;

	snprintf(path, sizeof(path), "%s/resource2", folder);
	write_file("enable", "1");
	for (; functions.plain < 2; functions.plain++) {
		functions.n = 0;
		open_both(&a, &b);
		if (functions.plain)
			CU_ASSERT_PTR_NULL(ntb_wake_word(a.port))
		else
			check_bells(&a, &b);
		leave(&b);
		leave(&a);
	}
}

static const struct test_case cases[] = {
	{"two hosts", test_pair},
	{"order of ports", test_order},
	{"what is refused", test_refused},
	{"a file that is taken away", test_gone},
	{"a place that is locked", test_locked},
	{"the next job", test_next},
	{"a host that is killed", test_killed},
	{"doorbells", test_bells},
};

int
main(void)
{
	const struct test_suite suite = {"shared", drv_setup_logged, drv_cleanup, NULL, NULL};
	int status;

	if (mkdtemp(folder) == NULL || pipe(to_other) < 0)
		return 1;
	snprintf(path, sizeof(path), "%s/memory", folder);
	other = fork();
	if (other == 0)
		be_other();
	close(to_other[0]);
	status = run_cases(&suite, cases, RTE_DIM(cases));
	for (size_t i = 0; i < 5; i++) {
		static const char *const files[] = {"memory", "resource2", "vendor", "device",
						    "enable"};

		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		unlink(path);
	}
	rmdir(folder);
	return status;
}
