/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "base/deal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Reads a number and the comma or end after it; -1: something else. A number beyond RB_MAX_LOCALS
 * is not computed exactly. */
static int
next_count(const char **text)
{
	const char *p = *text;
	int n = 0;

	if (!isdigit((unsigned char)*p))
		return -1;
	while (isdigit((unsigned char)*p))
		n = n > RB_MAX_LOCALS ? n : n * 10 + (*p - '0'), p++;
	if (*p != ',' && *p != '\0')
		return -1;
	*text = *p == ',' ? p + 1 : p;
	return n;
}

static int
read_counts(struct rb_deal *deal, const char *text, char *why, size_t len)
{
	const char *p = text;

	do {
		int n = next_count(&p);

		if (n < 0) {
			snprintf(why, len,
				 "must be slot, host, or the PEs of each host, such as 5,1,2");
			return -EINVAL;
		}
		if (deal->hosts == RB_MAX_HOSTS) {
			snprintf(why, len, "more than %d hosts", RB_MAX_HOSTS);
			return -EINVAL;
		}
		if (n < 1 || n > RB_MAX_LOCALS) {
			snprintf(why, len, "host %d: 1 to %d PEs are possible on a host",
				 deal->hosts, RB_MAX_LOCALS);
			return -EINVAL;
		}
		deal->count[deal->hosts++] = (uint16_t)n;
		deal->pes += n;
	} while (*p != '\0');
	/* a comma at the end */
	if (text[strlen(text) - 1] == ',')
		return snprintf(why, len, "a number is missing after the last comma"), -EINVAL;
	if (deal->pes > RB_MAX_PES) {
		snprintf(why, len, "%d PEs: at most %d", deal->pes, RB_MAX_PES);
		return -EINVAL;
	}
	return 0;
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
