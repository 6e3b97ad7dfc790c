/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "job/place.h"

#include <errno.h>
#include <stdbool.h>

#include "base/deal.h"
#include "base/env.h"
#include "base/error.h"
#include "base/route.h"
#include "base/state.h"
#include "host/wait_choose.h"

/* The local index of a PE is the number of PEs before it on its host; the first one is the lead. */
static void
fill_table(void)
{
	uint16_t locals[RB_MAX_HOSTS] = {0};
	int pe;

	for (pe = 0; pe < rb.npes; pe++) {
		uint8_t h = rb.env.host_of[pe];

		if (locals[h] == 0)
			rb.lead[h] = (uint16_t)pe;
		rb.place[pe] = (struct rb_place){h, locals[h]++};
	}
}

/* A launcher may have dealt the PEs in another way. */
static int
check_counts(const struct rb_deal *deal)
{
	int h;

	for (h = 0; h < rb.hosts; h++)
		if (rb_place_locals(h) != deal->count[h])
			return rb_fail(-EINVAL,
				       "RINGBELL_MAP=%s: the launcher put %d PEs on host %d",
				       rb.env.map, rb_place_locals(h), h);
	return 0;
}

int
rb_place_table(void)
{
	const struct rb_deal *deal = &rb.env.deal;
	bool counts = deal->how == RB_DEAL_COUNTS;

	rb.hosts = rb.env.hosts;
	rb.npes = rb.env.pes;
	if (counts && (deal->hosts != rb.hosts || deal->pes != rb.npes))
		return rb_fail(-EINVAL,
			       "RINGBELL_MAP=%s: %d PEs on %d hosts, but this job has %d on %d",
			       rb.env.map, deal->pes, deal->hosts, rb.npes, rb.hosts);
	if (!rb.env.placed)
		rb_deal_out(deal, rb.hosts, rb.npes, rb.env.host_of);
	fill_table();
	return counts ? check_counts(deal) : 0;
}

int
rb_place_locals(int host)
{
	int pe, n = 0;

	for (pe = 0; pe < rb.npes; pe++)
		n += rb.place[pe].host == host;
	return n;
}

int
rb_place_pes(void)
{
	int ret = rb_place_table();
	int h;

	if (ret < 0)
		return ret;
	rb.pe = rb.env.pe;
	rb.host = rb.place[rb.pe].host;
	rb.local = rb.place[rb.pe].local;
	if (rb.host != rb.env.host_id)
		return rb_fail(-EINVAL,
			       "RINGBELL_PE=%d belongs to host %d, but RINGBELL_HOST_ID=%d", rb.pe,
			       rb.host, rb.env.host_id);
	rb.locals = rb_place_locals(rb.host);
	rb.most_locals = 0;
	for (h = 0; h < rb.hosts; h++)
		rb.most_locals = RTE_MAX(rb.most_locals, rb_place_locals(h));
	if (rb.most_locals > RB_MAX_LOCALS)
		return rb_fail(-EINVAL, "%d PEs on one host: at most %d", rb.most_locals,
			       RB_MAX_LOCALS);
	rb_wait_choose();
	return 0;
}

int
rb_pe(void)
{
	return rb.pe;
}

int
rb_npes(void)
{
	return rb.npes;
}

int
rb_place_host(int pe)
{
	return rb.place[pe].host;
}

unsigned int
rb_place_hops(int a, int b)
{
	return rb_graph_hops(&rb_cables_found, (unsigned int)a, (unsigned int)b);
}

bool
rb_place_lead(int pe)
{
	return rb.place[pe].local == 0;
}
