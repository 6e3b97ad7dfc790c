/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The two ends in two processes: traffic, death under the lock, garbage in the cable file. */

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model_test.h"
/* the lock and the layout, to die in the wrong place */
#include "plxm_chip.h"

/* shared by parent and child */
struct page {
	uint32_t step;
	uint32_t rc;
	uint32_t value;
};

static struct page *page;

static struct plxm_eeprom eeprom;

static void
start(void)
{
	if (page == NULL)
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CU_ASSERT_FATAL(page != MAP_FAILED);
	memset(page, 0, sizeof(*page));
	plxm_eeprom_default(&eeprom, MIB);
}

static void
step(uint32_t n)
{
	__atomic_store_n(&page->step, n, __ATOMIC_RELEASE);
}

static struct plxm_port *
open_end(int fd, unsigned int end, uint8_t **mem)
{
	struct plxm_port *p = NULL;
	int mem_fd;

	if (plxm_port_open(fd, 0, end, &eeprom, &p) != 0)
		return NULL;
	mem_fd = memfd_create("ram", MFD_CLOEXEC);
	if (ftruncate(mem_fd, MIB) != 0)
		return NULL;
	*mem = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED, mem_fd, 0);
	if (*mem == MAP_FAILED || plxm_dram_add(p, BUS0, MIB, mem_fd, 0) != 0)
		return NULL;
	close(mem_fd);
	return p;
}

static void
reap(pid_t pid)
{
	int status;

	CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
}

static void
kill_hard(pid_t pid)
{
	CU_ASSERT_EQUAL(kill(pid, SIGKILL), 0);
	reap(pid);
}

static void
hold_lock(int fd)
{
	uint8_t *mem;
	struct plxm_port *p = open_end(fd, 1, &mem);

	if (p == NULL)
		_exit(1);
	program_port(p, V0, MIB, MIB, BUS0);
	plxm_lock(&p->rig, p->me.chip);
	/* half of a link loss: our side is reset, the other is not, the state is down */
	memset(p->cable->link, 0, sizeof(p->cable->link));
	plxm_reset_link(&p->me);
	step(1);
	for (;;)
		pause();
}

/* The kernel passes on a robust mutex whose owner died. QEMU's user mode registers none. */
static bool
has_robust_locks(void)
{
	void *head;
	size_t len;

	if (syscall(SYS_get_robust_list, 0, &head, &len) == 0)
		return true;
	fprintf(stderr, "no robust mutexes here, left out\n");
	return false;
}

static void
test_killed_with_lock(void)
{
	struct plxm_port *p, *q;
	uint8_t *mem, *w, *mem2;
	uint64_t v;
	pid_t pid;
	int fd;

	if (!has_robust_locks())
		return;
	start();
	fd = new_cable();
	p = open_end(fd, 0, &mem);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	pid = fork();
	if (pid == 0)
		hold_lock(fd);
	CU_ASSERT_FATAL(wait_word(&page->step, 1, "the child to hold the lock"));
	/* what a data path touches needs no lock */
	plxm_reg_write(p, V0 + 0xC4C, 1);
	CU_ASSERT_EQUAL(p->me.nt->db[0].pending, 1);
	kill_hard(pid);
	/* the next process mends the link: both ends see a loss, both link blocks are reset */
	program_port(p, V0, MIB, MIB, BUS0);
	CU_ASSERT_EQUAL(plxm_reg_read(p, V0 + 0x78) >> 20 & 0x3F, 8);
	CU_ASSERT(stats(p).link_downs >= 1);
	w = plxm_win_map(p, 2, NULL);
	memcpy(&v, w, 8);
	CU_ASSERT_EQUAL(v, ~0ull); /* the dead host's memory is out of reach */
	CU_ASSERT_EQUAL(plxm_win_write(p, 2, 0, &v, 8), -EIO);
	/* its end can be taken over */
	q = open_end(fd, 1, &mem2);
	CU_ASSERT_PTR_NOT_NULL_FATAL(q);
	program_port(q, V0, MIB, MIB, BUS0);
	program_port(p, V0, MIB, MIB, BUS0);
	v = 4711;
	CU_ASSERT_EQUAL(plxm_win_write(p, 2, 8, &v, 8), 0);
	CU_ASSERT_EQUAL(memcmp(mem2 + 8, &v, 8), 0);
	plxm_port_close(q);
	plxm_port_close(p);
	close(fd);
}

static void
sleep_with_end(int fd)
{
	uint8_t *mem;
	struct plxm_port *p = open_end(fd, 1, &mem);

	if (p == NULL)
		_exit(1);
	program_port(p, V0, MIB, MIB, BUS0);
	step(1);
	for (;;)
		pause();
}

static void
test_owner(void)
{
	struct plxm_port *p, *q = NULL;
	uint8_t *mem, *mem2, *w;
	uint64_t v = 1;
	pid_t pid;
	int fd;

	start();
	fd = new_cable();
	pid = fork();
	if (pid == 0)
		sleep_with_end(fd);
	CU_ASSERT_FATAL(wait_word(&page->step, 1, "the child's port"));
	CU_ASSERT_EQUAL(plxm_port_open(fd, 0, 1, &eeprom, &q), -EBUSY);
	p = open_end(fd, 0, &mem);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(kill(pid, SIGKILL), 0);
	/* a zombie owns nothing: no waitpid() yet */
	CU_ASSERT_EQUAL(waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
	plxm_reg_write(p, V0 + 0xFE0, 0xF);
	q = open_end(fd, 1, &mem2);
	CU_ASSERT_PTR_NOT_NULL_FATAL(q);
	CU_ASSERT_EQUAL(plxm_reg_read(p, V0 + 0xFE0) & 4, 4); /* its power cycle shows here */
	reap(pid);
	program_port(p, V0, MIB, MIB, BUS0);
	program_port(q, V0, MIB, MIB, BUS0);
	w = plxm_win_map(p, 2, NULL);
	plxm_sync(p);
	memcpy(w, &v, 8);
	CU_ASSERT_EQUAL(memcmp(mem2, &v, 8), 0);
	plxm_port_close(q);
	plxm_port_close(p);
	close(fd);
}

/* Both ends come to an empty file at the same time. */
static void
test_race_to_make(void)
{
	for (unsigned int i = 0; i < 30; i++) {
		struct plxm_port *p = NULL;
		int fd, status;
		pid_t pid;

		start();
		fd = new_cable();
		pid = fork();
		if (pid == 0) {
			wait_word(&page->step, 1, "the parent");
			_exit(plxm_port_open(fd, 0, 1, &eeprom, &p) != 0);
		}
		step(1);
		CU_ASSERT_EQUAL_FATAL(plxm_port_open(fd, 0, 0, &eeprom, &p), 0);
		CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
		CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		CU_ASSERT_EQUAL(plxm_reg_read(p, V0 + 0x78) >> 20 & 0x3F, 8);
		plxm_port_close(p);
		close(fd);
	}
}

/* The table of memory names a file that is not what it says: it is left alone. */
static void
test_wrong_file(void)
{
	struct plxm_port *p, *q;
	struct plxm_dram d;
	uint8_t *mem, *mem2, *other;
	uint64_t v = 1;
	int fd, fd2;

	start();
	fd = new_cable();
	p = open_end(fd, 0, &mem);
	q = open_end(fd, 1, &mem2);
	CU_ASSERT_FATAL(p != NULL && q != NULL);
	program_port(p, V0, MIB, MIB, BUS0);
	program_port(q, V0, MIB, MIB, BUS0);
	CU_ASSERT_EQUAL(plxm_win_write(p, 2, 0, &v, 8), 0);
	fd2 = new_memory(MIB, &other);
	d = plxm_far(p).nt->dram[0];
	d.fd = fd2;
	plxm_far(p).nt->dram[0] = d;
	plxm_gen_bump(p->cable);
	CU_ASSERT_EQUAL(plxm_win_write(p, 2, 0, &v, 8), -EIO);
	CU_ASSERT_EQUAL(other[0], 0);
	/* right file, but shorter than announced */
	d = plxm_far(p).nt->dram[0];
	d.fd = q->own[0].fd;
	d.len = 2 * MIB;
	plxm_far(p).nt->dram[0] = d;
	plxm_gen_bump(p->cable);
	CU_ASSERT_EQUAL(plxm_win_write(p, 2, 0, &v, 8), -EIO);
	plxm_port_close(q);
	plxm_port_close(p);
	close(fd2);
	close(fd);
}

/* The peer's half of the file, and what both share apart from the lock, is full of garbage. */
static void
test_garbage(void)
{
	struct plxm_port *p;
	struct plxm_chip *bad;
	struct plxm_dram *d;
	unsigned int seed = 7;
	uint8_t *mem, *w;
	uint64_t v;
	int fd;

	start();
	fd = new_cable();
	p = open_end(fd, 0, &mem);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	program_port(p, V0, MIB, MIB, BUS0);
	w = plxm_win_map(p, 2, NULL);
	bad = &p->rig.file->chip[1];
	d = &bad->nt[0].dram[0];
	for (unsigned int round = 0; round < 50; round++) {
		for (size_t i = 0; i < sizeof(*bad); i++)
			((uint8_t *)bad)[i] = (uint8_t)(rand_r(&seed) >> 8);
		atomic_store(&p->cable->out, round % 3 == 0 ? (uint32_t)rand_r(&seed) : 0);
		p->rig.file->changing = (uint32_t)rand_r(&seed);
		/* some of it is plausible, so that checks further in are reached */
		bad->powered = 1;
		bad->nt[0].owner = getpid();
		bad->nt[0].owner_start = plxm_proc_start(getpid());
		bad->eeprom.nt_index = 0;
		program_port(p, V0, MIB, MIB, BUS0);
		for (uint32_t off = 0xE4; off < 0xE00; off += 4)
			if (off < 0xC4C || off >= 0xD94)
				plxm_put(bad, L0 + off, plxm_get(p->me.chip, L0 + off));
		plxm_put(bad, L0 + 4, 6);
		plxm_put(bad, V0 + 4, 6);
		p->cable->link[0] = round & 1;
		*d = (struct plxm_dram){.bus = BUS0,
					.len = round < 25 ? MIB : -4096ull,
					.fd = (int)(round % 12),
					.used = 1};
		plxm_gen_bump(p->cable);
		plxm_sync(p);
		memcpy(&v, w + 64, 8);
		memcpy(w + 64, &v, 8);
		plxm_win_read(p, 2, 128, &v, 8);
		plxm_win_write(p, 4, V0 + 0xC4C, &v, 4);
		plxm_fault_set(p, PLXM_FAULT_RETRAIN, 0);
	}
	CU_ASSERT_EQUAL(plxm_reg_read(p, V0), 0x87B010B5);
	plxm_port_close(p);
	close(fd);
}

TEST_PROGRAM("processes", NULL, NULL, {"killed with the lock", test_killed_with_lock},
	     {"owner of an end", test_owner}, {"race to make a cable", test_race_to_make},
	     {"wrong file", test_wrong_file}, {"garbage in the file", test_garbage})
