/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/deal.h"
#include "base/env.h"
#include "base/error.h"
#include "cases.h"

/* The job environment: defaults, and one clear refusal for each variable. */

static const char *const names[] = {
#define RB_ENV(sym, name, kind, fallback, help, ...) name,
#include "base/env.def"
#undef RB_ENV
};

static void
clear_env(void)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

static void
defaults(void)
{
	struct rb_env env;

	CU_ASSERT_EQUAL_FATAL(rb_env_read(&env), 0);
	CU_ASSERT_EQUAL(env.hosts, 1);
	CU_ASSERT_EQUAL(env.host_id, 0);
	CU_ASSERT_EQUAL(env.cable[0].file.fd, -1);
	CU_ASSERT_EQUAL(env.ctl.fd, -1);
	CU_ASSERT_EQUAL(env.chunk % 4096, 0);
	CU_ASSERT_FALSE(env.bridges);
	CU_ASSERT_EQUAL(env.bar2, 0);
}

static void
takes(void)
{
	struct rb_env env;

	setenv("RINGBELL_HOSTS", "5", 1);
	setenv("RINGBELL_HOST_ID", "4", 1);
	setenv("RINGBELL_CABLE_FD", "7:1,-,9:0", 1);
	setenv("RINGBELL_JOB", "00ff00ff00ff00ff", 1);
	setenv("RINGBELL_CHUNK", "64K", 1);
	setenv("RINGBELL_EMU", "bar2=4M,chips=1,bridge,late", 1);
	CU_ASSERT_EQUAL_FATAL(rb_env_read(&env), 0);
	CU_ASSERT_EQUAL(env.hosts, 5);
	CU_ASSERT_EQUAL(env.host_id, 4);
	CU_ASSERT_EQUAL(env.cable[0].file.fd, 7);
	CU_ASSERT_EQUAL(env.cable[0].end, 1);
	CU_ASSERT_EQUAL(env.cable[1].file.fd, -1);
	CU_ASSERT_EQUAL(env.cable[2].file.fd, 9);
	CU_ASSERT_EQUAL(env.ports, 3);
	CU_ASSERT_EQUAL(env.job, 0x00ff00ff00ff00ffull);
	CU_ASSERT_EQUAL(rb_env_nonce(0), 0x0000000100000001ull);
	CU_ASSERT_EQUAL(rb_env_nonce(UINT64_MAX), 0xfffffffdfffffffdull);
	CU_ASSERT_EQUAL(env.chunk, 65536);
	CU_ASSERT_EQUAL(env.bar2, 4 << 20);
	CU_ASSERT_TRUE(env.one_chip);
	CU_ASSERT_TRUE(env.bridges);
	setenv("RINGBELL_EMU", "bridge=0,chips=2,bar4=0,bar22=8M", 1);
	CU_ASSERT_EQUAL_FATAL(rb_env_read(&env), 0);
	CU_ASSERT_EQUAL(env.bar2, 0);
	CU_ASSERT_FALSE(env.one_chip);
	CU_ASSERT_FALSE(env.bridges);
}

static void
refuses(void)
{
	static const char *const bad[][2] = {
		{"RINGBELL_HOSTS", "0"},	  {"RINGBELL_HOSTS", "65"},
		{"RINGBELL_HOSTS", "four"},	  {"RINGBELL_HOST_ID", "1"},
		{"RINGBELL_HOST_ID", "-1"},	  {"RINGBELL_CABLE_FD", "7"},
		{"RINGBELL_CABLE_FD", "7:2"},	  {"RINGBELL_CABLE_FD", "-,x:0"},
		{"RINGBELL_JOB", "nonce"},	  {"RINGBELL_CHUNK", "1000"},
		{"RINGBELL_CHUNK", "5000"},	  {"RINGBELL_SLOTS", "12"},
		{"RINGBELL_CHANNELS", "13"},	  {"RINGBELL_CHUNK", "99999999999999999999"},
		{"RINGBELL_HELLO_TIMEOUT", "0"},  {"RINGBELL_CTL_FD", "-3"},
		{"RINGBELL_LCORES", "9"},	  {"RINGBELL_NOTIFY", "interrupt"},
		{"RINGBELL_SLOTS", "2"},	  {"RINGBELL_WAIT", "drink"},
		{"RINGBELL_MAP", "core"},	  {"RINGBELL_MAP", "2,0"},
		{"RINGBELL_SURVIVE", "maybe"},	  {"RINGBELL_SURVIVE", "1"},
		{"RINGBELL_HUGE", "always"},	  {"RINGBELL_TELEMETRY", "2"},
		{"RINGBELL_PES", "1025"},	  {"RINGBELL_PE", "1"},
		{"RINGBELL_SERVICE_CPUS", "one"},
	};
	struct rb_env env;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		clear_env();
		setenv(bad[i][0], bad[i][1], 1);
		CU_ASSERT_EQUAL(rb_env_read(&env), -EINVAL);
		CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), bad[i][0]));
		CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), bad[i][1]));
	}
}

/* Ports of the model beside an adapter do not make an emulated ring. */
static void
mixed_ports(void)
{
	static const struct {
		const char *eal;
		bool emulated;
	} cases[] = {
		{"", false},
		{"--vdev=raw_ntb_plx_emu0,cable=c", true},
		{"-a 0000:16:00.0", false},
		{"-a 0000:16:00.0 --vdev=raw_ntb_plx_emu0,cable=c", false},
		{"--vdev=raw_ntb_plx_emu0,cable=c -a 0000:16:00.0", false},
		{"--vdev=raw_ntb_plx_emu0,cable=c --allow=0000:16:00.0", false},
	};
	struct rb_env env;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		clear_env();
		setenv("RINGBELL_HOSTS", "2", 1);
		setenv("RINGBELL_EAL", cases[i].eal, 1);
		CU_ASSERT_EQUAL_FATAL(rb_env_read(&env), 0);
		CU_ASSERT_EQUAL(env.emulated, cases[i].emulated);
		unsetenv("RINGBELL_EAL");
	}
}

/* Counts say how many PEs there are, where nothing else does. */
static void
deals(void)
{
	struct rb_env env;

	setenv("RINGBELL_HOSTS", "3", 1);
	CU_ASSERT_EQUAL_FATAL(rb_env_read(&env), 0);
	CU_ASSERT_EQUAL(env.deal.how, RB_DEAL_SLOT);
	CU_ASSERT_EQUAL(env.pes, 3);
	setenv("RINGBELL_MAP", "5,1,2", 1);
	CU_ASSERT_EQUAL_FATAL(rb_env_read(&env), 0);
	CU_ASSERT_EQUAL(env.deal.how, RB_DEAL_COUNTS);
	CU_ASSERT_EQUAL(env.pes, 8);
	setenv("RINGBELL_MAP", "host", 1);
	setenv("RINGBELL_PES", "7", 1);
	CU_ASSERT_EQUAL_FATAL(rb_env_read(&env), 0);
	CU_ASSERT_EQUAL(env.deal.how, RB_DEAL_HOST);
	CU_ASSERT_EQUAL(env.pes, 7);
}

/* Settings that depend on one another. */
static void
depends(void)
{
	struct rb_env env;

	setenv("RINGBELL_LCORES", "4", 1);
	CU_ASSERT_EQUAL(rb_env_read(&env), 0);
	CU_ASSERT_EQUAL(env.channels, 4);
	setenv("RINGBELL_CHANNELS", "3", 1);
	CU_ASSERT_EQUAL(rb_env_read(&env), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(rb_error(), "RINGBELL_LCORES=4"));
}

TEST_PROGRAM("environment", clear_env, NULL, {"defaults", defaults}, {"values", takes},
	     {"refusals name variable and value", refuses},
	     {"ports of the model and adapters", mixed_ports}, {"how PEs are dealt out", deals},
	     {"settings that depend on others", depends})
