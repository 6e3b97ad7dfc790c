/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
/* Shares of machines that are not this one. */
#include <string.h>

#include "bind.h"
#include "cases.h"

static struct bind_machine machine;
static cpu_set_t set[BIND_MAX_UNITS];
static int cores;

/* CPUs are numbered as Linux does it: first threads of all cores, then second ones. */
static void
make_machine(int nodes, int cores_of_node, int threads)
{
	int all = nodes * cores_of_node, i;

	machine.n = all * threads;
	for (i = 0; i < machine.n; i++)
		machine.cpu[i] = (struct bind_cpu){i, i % all, i % all / cores_of_node};
}

static const char *
share(int unit)
{
	static char text[256];

	bind_text(&set[unit], text, sizeof(text));
	return text;
}

static void
by_core(void)
{
	make_machine(2, 4, 2);
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_CORE, 8, set, &cores));
	CU_ASSERT_EQUAL(cores, 8);
	CU_ASSERT_STRING_EQUAL(share(0), "0,8");
	CU_ASSERT_STRING_EQUAL(share(7), "7,15");
	CU_ASSERT_FALSE(bind_plan(&machine, BIND_CORE, 9, set, &cores));
	CU_ASSERT_EQUAL(cores, 8);
}

static void
by_node(void)
{
	make_machine(2, 4, 2);
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_NUMA, 3, set, &cores));
	CU_ASSERT_STRING_EQUAL(share(0), "0-3,8-11");
	CU_ASSERT_STRING_EQUAL(share(1), "0-3,8-11");
	CU_ASSERT_STRING_EQUAL(share(2), "4-7,12-15");
	/* also with more units than CPUs */
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_NUMA, 100, set, &cores));
	CU_ASSERT_STRING_EQUAL(share(0), "0-3,8-11");
	CU_ASSERT_STRING_EQUAL(share(99), "4-7,12-15");
}

static void
equal_shares(void)
{
	make_machine(2, 4, 1);
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_AUTO, 2, set, &cores));
	CU_ASSERT_STRING_EQUAL(share(0), "0-3");
	CU_ASSERT_STRING_EQUAL(share(1), "4-7");
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_AUTO, 3, set, &cores));
	CU_ASSERT_STRING_EQUAL(share(2), "4-5");
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_AUTO, 1, set, &cores));
	CU_ASSERT_STRING_EQUAL(share(0), "0-7");
	CU_ASSERT_FALSE(bind_plan(&machine, BIND_AUTO, 9, set, &cores));
}

static void
spare(void)
{
	cpu_set_t left;

	make_machine(2, 4, 1);
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_AUTO, 3, set, &cores));
	bind_spare(&machine, set, 3, &left);
	CU_ASSERT_EQUAL(CPU_COUNT(&left), 2);
	CU_ASSERT_TRUE(CPU_ISSET(6, &left) && CPU_ISSET(7, &left));
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_AUTO, 4, set, &cores));
	bind_spare(&machine, set, 4, &left);
	CU_ASSERT_EQUAL(CPU_COUNT(&left), 0);
}

static void
none(void)
{
	make_machine(1, 4, 1);
	CU_ASSERT_FALSE(bind_plan(&machine, BIND_NONE, 2, set, &cores));
	machine.n = 0; /* where the kernel does not say */
	CU_ASSERT_FALSE(bind_plan(&machine, BIND_AUTO, 1, set, &cores));
	CU_ASSERT_FALSE(bind_plan(&machine, BIND_NUMA, 1, set, &cores));
}

/* CPUs may be missing in any place, and nodes may be numbered in any way. */
static void
odd_machine(void)
{
	static const struct bind_cpu cpus[] = {
		{9, 9, 3}, {2, 2, 1}, {7, 2, 1}, {3, 3, 1}, {12, 9, 3}};

	memcpy(machine.cpu, cpus, sizeof(cpus));
	machine.n = 5;
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_CORE, 3, set, &cores));
	CU_ASSERT_EQUAL(cores, 3);
	CU_ASSERT_STRING_EQUAL(share(0), "2,7");
	CU_ASSERT_STRING_EQUAL(share(1), "3");
	CU_ASSERT_STRING_EQUAL(share(2), "9,12");
}

static void
this_machine(void)
{
	int i;

	bind_look(&machine);
	CU_ASSERT_TRUE(machine.n > 0);
	for (i = 0; i < machine.n; i++)
		CU_ASSERT_TRUE(machine.cpu[i].core >= 0 && machine.cpu[i].core <= CPU_SETSIZE);
	CU_ASSERT_TRUE(bind_plan(&machine, BIND_AUTO, 1, set, &cores));
	CU_ASSERT_EQUAL(CPU_COUNT(&set[0]), machine.n);
}

TEST_PROGRAM("bind", NULL, NULL, {"a core each", by_core}, {"a node each", by_node},
	     {"equal shares", equal_shares}, {"spare CPUs", spare}, {"none", none},
	     {"gaps in the numbers", odd_machine}, {"this machine", this_machine})
