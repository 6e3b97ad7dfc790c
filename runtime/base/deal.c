/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/deal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
read_counts(struct rb_deal *deal, const char *text, char *why, size_t len)
{
	const char *p = text;
	char *end;
	long n;

	for (;; p = end + 1) {
		n = strtol(p, &end, 10); /* too large ones become LONG_MAX */
		if (!isdigit((unsigned char)*p) || (*end != ',' && *end != '\0') || n < 1 ||
		    n > RB_MAX_LOCALS || deal->hosts == RB_MAX_HOSTS) {
			snprintf(why, len,
				 "must be slot, host, or the PEs of each host, such as 5,1,2: 1 to "
				 "%d on each of up to %d hosts",
				 RB_MAX_LOCALS, RB_MAX_HOSTS);
			return -EINVAL;
		}
		deal->count[deal->hosts++] = (uint16_t)n;
		deal->pes += (int)n;
		if (*end == '\0')
			break;
	}
	if (deal->pes <= RB_MAX_PES)
		return 0;
	snprintf(why, len, "%d PEs: at most %d", deal->pes, RB_MAX_PES);
	return -EINVAL;
}

int
rb_deal_read(struct rb_deal *deal, const char *text, char *why, size_t len)
{
	*deal = (struct rb_deal){.how = RB_DEAL_SLOT};
	if (strcmp(text, "slot") == 0)
		return 0;
	deal->how = strcmp(text, "host") == 0 ? RB_DEAL_HOST : RB_DEAL_COUNTS;
	return deal->how == RB_DEAL_HOST ? 0 : read_counts(deal, text, why, len);
}

void
rb_deal_out(const struct rb_deal *deal, int hosts, int pes, uint8_t host_of[RB_MAX_PES])
{
	int pe = 0, h, i;

	for (h = 0; h < hosts; h++) {
		int n = deal->how == RB_DEAL_COUNTS ? deal->count[h]
						    : pes / hosts + (h < pes % hosts);

		for (i = 0; i < n; i++, pe++)
			host_of[deal->how == RB_DEAL_HOST ? i * hosts + h : pe] = (uint8_t)h;
	}
}
