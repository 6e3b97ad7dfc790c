/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Windows as memory: the same answers as the walk of single requests, and in time. */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model_test.h"
#include "plxm_priv.h" /* page size of the peer's memory, to have coarse pages anywhere */

static struct rig r;

static uint64_t
at(const uint8_t *base, uint64_t off)
{
	uint64_t v;

	memcpy(&v, base + off, 8);
	return v;
}

static void
put(uint8_t *base, uint64_t off, uint64_t v)
{
	memcpy(base + off, &v, 8);
}

/* The file behind a window, mapped once more as another process would. */
static void
test_file(void)
{
	uint64_t off = 0, len = 0;
	uint8_t *w, *again;
	int fd = -1;

	rig_open(&r, 4 * MIB, MIB);
	CU_ASSERT_PTR_NULL(plxm_win_map(r.p[0], 3, NULL));
	CU_ASSERT_EQUAL(plxm_win_file(r.p[0], 2, 0, MIB, &fd, &off), -EINVAL);
	w = plxm_win_map(r.p[0], 2, &len);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_EQUAL(len, 4 * MIB);
	CU_ASSERT_EQUAL(at(w, 4 * MIB - 8), ~0ull); /* nothing programmed */
	CU_ASSERT_EQUAL(plxm_win_file(r.p[0], 2, 0, MIB, &fd, &off), -ENOTCONN);
	rig_program(&r);
	CU_ASSERT_EQUAL(plxm_win_file(r.p[0], 3, 0, MIB, &fd, &off), -EINVAL);
	CU_ASSERT_EQUAL(plxm_win_file(r.p[0], 2, MIB, 4 * MIB, &fd, &off), -ENOTCONN);
	CU_ASSERT_EQUAL(plxm_win_file(r.p[0], 2, UINT64_MAX, 2, &fd, &off), -ENOTCONN);
	CU_ASSERT_EQUAL_FATAL(plxm_win_file(r.p[0], 2, MIB, 3 * MIB, &fd, &off), 0);
	again = mmap(NULL, 3 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)off);
	CU_ASSERT_NOT_EQUAL_FATAL(again, MAP_FAILED);
	put(again, 8, 9);
	CU_ASSERT_EQUAL(at(r.mem[1], MIB + 8), 9);
	put(w, 4 * MIB - 8, 6);
	CU_ASSERT_EQUAL(at(r.mem[1], 4 * MIB - 8), 6);
	CU_ASSERT_PTR_EQUAL(plxm_win_map(r.p[0], 2, NULL), w);
	munmap(again, 3 * MIB);
	plxm_fault_set(r.p[1], PLXM_FAULT_CABLE, 1);
	CU_ASSERT_EQUAL(plxm_win_file(r.p[0], 2, MIB, MIB, &fd, &off), -ENOTCONN);
	rig_close(&r);
}

/* Stores to nowhere vanish, loads give ones, and the memory stays as it is. */
static void
test_dead(void)
{
	uint8_t *w;

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	w = plxm_win_map(r.p[0], 2, NULL);
	put(w, 64, 1);
	plxm_fault_set(r.p[1], PLXM_FAULT_CABLE, 1);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(at(w, 64), ~0ull);
	put(w, 64, 2);
	CU_ASSERT_EQUAL(at(r.mem[1], 64), 1);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(at(w, 64), ~0ull);
	/* another register access refreshes as well */
	plxm_fault_set(r.p[1], PLXM_FAULT_CABLE, 0);
	rig_program(&r);
	CU_ASSERT_EQUAL(rig_read(&r, V0), 0x87B010B5);
	CU_ASSERT_EQUAL(at(w, 64), 1);
	rig_close(&r);
}

static void
test_translation_change(void)
{
	uint8_t *w;

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	w = plxm_win_map(r.p[0], 2, NULL);
	put(w, 0, 1);
	set64(r.p[1], L0 + 0xC3C, BUS0 + 2 * MIB);
	plxm_sync(r.p[0]);
	put(w, 0, 2);
	CU_ASSERT_EQUAL(at(r.mem[1], 0), 1);
	CU_ASSERT_EQUAL(at(r.mem[1], 2 * MIB), 2);
	/* requester id no longer known */
	plxm_reg_write(r.p[1], L0 + 0xDB4, 0);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(at(w, 0), ~0ull);
	plxm_reg_write(r.p[1], L0 + 0xDB4, 1 << 3 | 1);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(at(w, 0), 2);
	plxm_dram_del(r.p[1], BUS0);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(at(w, 0), ~0ull);
	rig_close(&r);
}

static void
test_nothing_changed(void)
{
	uint64_t n;

	rig_open(&r, MIB, MIB);
	rig_program(&r);
	plxm_win_map(r.p[0], 2, NULL);
	plxm_sync(r.p[0]);
	n = stats(r.p[0]).remaps;
	for (unsigned int i = 0; i < 1000; i++) {
		plxm_sync(r.p[0]);
		rig_write(&r, V0 + 0xC6C, i);
		rig_read(&r, V0 + 0xC4C);
		peer_write(r.p[0], V0 + 0xC4C, 1);
		peer_write(r.p[0], V0 + 0xC50, 1);
		rig_write(&r, V0 + 0xFE0, 0xF);
	}
	rig_write(&r, V0 + 0xC3C, rig_read(&r, V0 + 0xC3C)); /* same value */
	CU_ASSERT_EQUAL(stats(r.p[0]).remaps, n);
	rig_close(&r);
}

static unsigned int
mappings(const uint8_t *w, uint64_t len)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long lo, hi;
	unsigned int n = 0;
	char line[512];

	CU_ASSERT_FATAL(f != NULL);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%lx-%lx", &lo, &hi) == 2 && lo < (uintptr_t)w + len &&
		    hi > (uintptr_t)w)
			n++;
	}
	fclose(f);
	return n;
}

static void
slice(uint32_t i, uint64_t to, uint32_t perm)
{
	plxm_reg_write(r.p[1], 0x39000 + i * 4, (uint32_t)to);
	plxm_reg_write(r.p[1], 0x39400 + i * 4, (uint32_t)(to >> 32));
	plxm_reg_write(r.p[1], 0x39800 + i * 4, perm);
}

/* Every byte of a randomly programmed window: map and request walk say the same. */
static void
test_map_equals_walk(void)
{
	const uint64_t seg = 4 * MIB / 128;
	unsigned int seed = 1;
	uint8_t *w;

	rig_open(&r, 4 * MIB, 2 * MIB);
	rig_program(&r);
	w = plxm_win_map(r.p[0], 2, NULL);
	for (uint64_t i = 0; i < r.mem_size; i += 8)
		put(r.mem[1], i, i + 1);
	for (uint32_t i = 0; i < 128; i++)
		slice(i, BUS0 + i * seg, 3);
	plxm_reg_write(r.p[1], V0 + 0xC94, 0x10000000);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(mappings(w, 4 * MIB), 1); /* neighbours that continue each other join */
	for (unsigned int round = 0; round < 20; round++) {
		/* some are closed, some for writes alone, which no memory is */
		for (uint32_t i = 0; i < 128; i++)
			slice(i, BUS0 + (uint64_t)(rand_r(&seed) % 160) * seg,
			      rand_r(&seed) % 3 == 0 ? rand_r(&seed) % 2 : 3);
		set64(r.p[1], L0 + 0xE8, -(MIB << (round % 3)) | 0xC);
		plxm_sync(r.p[0]);
		for (uint64_t off = 0; off < 4 * MIB; off += seg / 2) {
			uint64_t v;

			plxm_win_read(r.p[0], 2, off, &v, 8);
			CU_ASSERT_EQUAL(v, at(w, off));
		}
	}
	rig_close(&r);
}

/* What one end stores is lost, what it reads is not, and the other direction goes on. */
static void
test_mute(void)
{
	uint32_t word = 7;
	uint8_t *w[2];

	rig_open(&r, 4 * MIB, MIB);
	rig_program(&r);
	for (unsigned int end = 0; end < 2; end++)
		w[end] = plxm_win_map(r.p[end], 2, NULL);
	put(w[0], 64, 1);
	CU_ASSERT_EQUAL(at(r.mem[1], 64), 1);
	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, 0, 0, PLXM_FAULT_MUTE, 2ull << 32 | 1), -EINVAL);
	CU_ASSERT_EQUAL(plxm_ring_fault(r.fd, 0, 0, PLXM_FAULT_MUTE, 1), 0);
	plxm_sync(r.p[0]);
	put(w[0], 64, 2);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 2, 128, &word, sizeof(word)), 0);
	peer_write(r.p[0], V0 + 0xC6C, 0x1a57);
	put(r.mem[1], 192, 3);
	put(w[1], 64, 4);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(at(r.mem[1], 64), 1);
	CU_ASSERT_EQUAL(at(r.mem[1], 128), 0);
	CU_ASSERT_NOT_EQUAL(plxm_reg_read(r.p[1], V0 + 0xC6C), 0x1a57);
	/* a read shows what is there */
	CU_ASSERT_EQUAL(at(w[0], 64), 1);
	CU_ASSERT_EQUAL(at(w[0], 192), 3);
	CU_ASSERT_EQUAL(at(r.mem[0], 64), 4);
	CU_ASSERT_EQUAL(plxm_fault_set(r.p[0], PLXM_FAULT_MUTE, 0), 0);
	CU_ASSERT_EQUAL(at(r.mem[1], 64), 1);
	put(w[0], 64, 5);
	peer_write(r.p[0], V0 + 0xC6C, 0x1a57);
	CU_ASSERT_EQUAL(at(r.mem[1], 64), 5);
	CU_ASSERT_EQUAL(plxm_reg_read(r.p[1], V0 + 0xC6C), 0x1a57);
	rig_close(&r);
}

/* Behind the peer's registers BAR4 leads to memory, which no map shows. */
static void
test_bar4(void)
{
	uint64_t v = 9;

	rig_open(&r, MIB, 4 * MIB);
	rig_program(&r);
	CU_ASSERT_EQUAL(plxm_win_write(r.p[0], 4, 2 * MIB + 16, &v, sizeof(v)), 0);
	CU_ASSERT_EQUAL(at(r.mem[1], 16), 9);
	CU_ASSERT_PTR_NULL(plxm_win_map(r.p[0], 4, NULL));
	rig_close(&r);
}

static void
test_big_window(void)
{
	uint64_t len = 0;
	uint8_t *w;

	rig_open(&r, 64ull << 30, MIB);
	rig_program(&r);
	w = plxm_win_map(r.p[0], 2, &len);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_EQUAL(len, 64ull << 30);
	CU_ASSERT_EQUAL(at(w, len - 8), ~0ull);
	CU_ASSERT(mappings(w, len) <= 2050);
	rig_close(&r);
	/* translation base is aligned down to the window: memory begins at BUS0 */
	rig_open(&r, 1ull << 30, MIB);
	rig_program(&r);
	w = plxm_win_map(r.p[0], 2, &len);
	put(w, 0, 3);
	CU_ASSERT_EQUAL(at(r.mem[1], 0), 3);
	CU_ASSERT_EQUAL(at(w, r.mem_size), ~0ull);
	rig_close(&r);
}

/* Files of large pages map by whole pages only: here small ones that pass for pages of 64 KiB.
 * Slices of 32 KiB that follow each other join; one alone is half a page, hence dead. */
static void
test_coarse_pages(void)
{
	const uint64_t seg = 32 * KIB;
	uint8_t *w;

	rig_open(&r, 4 * MIB, MIB);
	rig_program(&r);
	w = plxm_win_map(r.p[0], 2, NULL);
	CU_ASSERT_EQUAL_FATAL(r.p[0]->dram[0].id.bus, BUS0);
	r.p[0]->dram[0].align = 64 * KIB;
	for (uint32_t i = 0; i < 8; i++)
		slice(i, BUS0 + i * seg, 3);
	slice(8, BUS0 + 9 * seg, 3); /* window and file disagree about where a page begins */
	slice(9, BUS0 + 10 * seg, 3);
	slice(11, BUS0 + 11 * seg, 3); /* half a page, a page */
	slice(12, BUS0 + 12 * seg, 3);
	slice(13, BUS0 + 13 * seg, 3);
	plxm_reg_write(r.p[1], V0 + 0xC94, 0x10000000);
	plxm_sync(r.p[0]);
	CU_ASSERT_EQUAL(r.p[0]->dram[0].align, 64 * KIB);
	for (uint32_t i = 0; i < 16; i++) {
		bool mapped = i < 8;
		bool reached = i < 10 || (i > 10 && i < 14);
		uint64_t v = 0;

		CU_ASSERT_EQUAL(at(w, i * seg), mapped ? 0 : ~0ull);
		CU_ASSERT_EQUAL(plxm_win_read(r.p[0], 2, i * seg, &v, 8), reached ? 0 : -EIO);
	}
	put(w, 7 * seg, 1);
	CU_ASSERT_EQUAL(at(r.mem[1], 7 * seg), 1);
	rig_close(&r);
}

static uint32_t stop;

static void *
store_on(void *arg)
{
	uint8_t *w = arg;

	for (uint64_t i = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++)
		put(w, (i * 4096) % (4 * MIB), i);
	return NULL;
}

static void *
sync_on(void *arg)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		plxm_reg_read(arg, V0 + 0xC4C);
	return NULL;
}

/* One thread stores, one polls registers, while the peer takes its memory away and gives it
 * back: no store may fault, and the last state must hold. */
static void
test_threads(void)
{
	pthread_t t[2];
	uint8_t *w;

	rig_open(&r, 4 * MIB, MIB);
	rig_program(&r);
	w = plxm_win_map(r.p[0], 2, NULL);
	stop = 0;
	CU_ASSERT_FATAL(pthread_create(&t[0], NULL, store_on, w) == 0);
	CU_ASSERT_FATAL(pthread_create(&t[1], NULL, sync_on, r.p[0]) == 0);
	for (unsigned int i = 0; i < 100; i++) {
		plxm_fault_set(r.p[1], PLXM_FAULT_RETRAIN, 0);
		rig_program(&r);
		plxm_dram_del(r.p[1], BUS0);
		plxm_sync(r.p[0]);
		CU_ASSERT_EQUAL(plxm_dram_add(r.p[1], BUS0, r.mem_size, r.mem_fd[1], 0), 0);
		plxm_sync(r.p[0]);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	put(w, 8, 12345);
	CU_ASSERT_EQUAL(at(r.mem[1], 8), 12345);
	rig_close(&r);
}

TEST_PROGRAM("windows", NULL, NULL, {"file", test_file}, {"dead windows", test_dead},
	     {"translation changes", test_translation_change},
	     {"no refresh without a change", test_nothing_changed},
	     {"map equals walk", test_map_equals_walk}, {"stores that are lost", test_mute},
	     {"BAR4", test_bar4}, {"big windows", test_big_window},
	     {"coarse pages", test_coarse_pages}, {"threads", test_threads})
