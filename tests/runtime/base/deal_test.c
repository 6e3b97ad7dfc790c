/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <string.h>

#include "base/deal.h"
#include "cases.h"

/* Which host each PE is on. */

/* The hosts of the PEs as digits. */
static const char *
hosts(const char *how, int n, int pes)
{
	static char text[RB_MAX_PES + 1];
	uint8_t host_of[RB_MAX_PES];
	struct rb_deal deal;
	char why[128];
	int pe;

	memset(host_of, 9, sizeof(host_of));
	if (rb_deal_read(&deal, how, why, sizeof(why)) != 0)
		return "refused";
	rb_deal_out(&deal, n, pes, host_of);
	for (pe = 0; pe <= pes; pe++)
		text[pe] = (char)('0' + host_of[pe]);
	text[pe] = '\0';
	return text;
}

/* The last digit is the one after the last PE, which must stay as it was. */
static void
dealt(void)
{
	CU_ASSERT_STRING_EQUAL(hosts("slot", 1, 3), "0009");
	CU_ASSERT_STRING_EQUAL(hosts("slot", 3, 8), "000111229");
	CU_ASSERT_STRING_EQUAL(hosts("slot", 4, 5), "001239");
	CU_ASSERT_STRING_EQUAL(hosts("host", 3, 8), "012012019");
	CU_ASSERT_STRING_EQUAL(hosts("host", 4, 4), "01239");
	CU_ASSERT_STRING_EQUAL(hosts("5,1,2", 3, 8), "000001229");
	CU_ASSERT_STRING_EQUAL(hosts("1,1,6", 3, 8), "012222229");
	CU_ASSERT_STRING_EQUAL(hosts("2", 1, 2), "009");
}

static void
limits(void)
{
	static const char *const bad[] = {"",	 "slots", "hosts", "0",	     "1,0",  "257",
					  "1,",	 ",1",	  "1,,1",  " 1",     "1 ",   "1x",
					  "1;2", "-1",	  "+1",	   "1,slot", "0x10", "4294967297"};
	struct rb_deal deal;
	char why[128], text[512] = "1";
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(rb_deal_read(&deal, bad[i], why, sizeof(why)), -EINVAL);
	CU_ASSERT_EQUAL_FATAL(rb_deal_read(&deal, "256,256,256,256", why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(deal.pes, RB_MAX_PES);
	CU_ASSERT_EQUAL(deal.hosts, 4);
	CU_ASSERT_EQUAL(rb_deal_read(&deal, "256,256,256,1,256", why, sizeof(why)), -EINVAL);
	while (strlen(text) < 2 * RB_MAX_HOSTS - 1)
		strcat(text, ",1");
	CU_ASSERT_EQUAL_FATAL(rb_deal_read(&deal, text, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(deal.hosts, RB_MAX_HOSTS);
	CU_ASSERT_EQUAL(deal.pes, RB_MAX_HOSTS);
	strcat(text, ",1");
	CU_ASSERT_EQUAL(rb_deal_read(&deal, text, why, sizeof(why)), -EINVAL);
}

TEST_PROGRAM("deal", NULL, NULL, {"every way to deal", dealt}, {"what is refused", limits})
