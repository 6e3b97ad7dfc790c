/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include "eth_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	US = 1000,
	RTO_FIRST_NS = 20 * 1000 * US,
	/* a peer that shares its CPU answers when it is scheduled again */
	RTO_LEAST_NS = 2 * 1000 * US,
	RTO_MOST_NS = 250 * 1000 * US,
	ACK_PACKETS = 16,
	ACK_DELAY_NS = 50 * US,
	FLYING = 640 << 10, /* bytes under way at most: more was slower */
};

uint32_t
eth_stream_window(uint32_t size)
{
	uint32_t window = ETH_WINDOW;

	while (window * size > FLYING)
		window /= 2;
	return window;
}

int
eth_stream_open(struct eth_stream *s, uint32_t size)
{
	*s = (struct eth_stream){
		.size = size, .window = eth_stream_window(size), .rto = RTO_FIRST_NS};
	s->kept_data = malloc((size_t)s->window * size);
	s->early_data = malloc((size_t)ETH_WINDOW * size);
	if (s->kept_data != NULL && s->early_data != NULL)
		return 0;
	eth_stream_close(s);
	return -ENOMEM;
}

void
eth_stream_close(struct eth_stream *s)
{
	free(s->kept_data);
	free(s->early_data);
	s->kept_data = NULL;
	s->early_data = NULL;
}

/* ---- sender ---- */

static struct eth_kept *
kept_at(struct eth_stream *s, uint32_t seq)
{
	return &s->kept[seq % ETH_WINDOW];
}

uint8_t *
eth_stream_room(struct eth_stream *s, uint32_t least, uint32_t *ret_room)
{
	if (s->fill != 0 && s->size - s->fill < least)
		eth_stream_seal(s);
	if (s->sealed - s->una >= s->window)
		return NULL;
	*ret_room = s->size - s->fill;
	return s->kept_data + (size_t)(s->sealed % s->window) * s->size + s->fill;
}

void
eth_stream_add(struct eth_stream *s, uint32_t len)
{
	s->fill += len;
}

void
eth_stream_seal(struct eth_stream *s)
{
	if (s->fill == 0)
		return;
	*kept_at(s, s->sealed) = (struct eth_kept){.len = s->fill};
	s->sealed++;
	s->fill = 0;
}

bool
eth_stream_next(const struct eth_stream *s, uint32_t *ret_seq, const uint8_t **ret_data,
		uint32_t *ret_len)
{
	uint32_t seq = s->next;

	if (s->lost != 0)
		for (seq = s->una; seq != s->next && !s->kept[seq % ETH_WINDOW].lost; seq++)
			;
	if (seq == s->sealed)
		return false;
	*ret_seq = seq;
	*ret_data = s->kept_data + (size_t)(seq % s->window) * s->size;
	*ret_len = s->kept[seq % ETH_WINDOW].len;
	return true;
}

static uint64_t
timeout_of(const struct eth_stream *s)
{
	uint64_t t = s->rto << s->backoff;

	return t < RTO_MOST_NS ? t : RTO_MOST_NS;
}

void
eth_stream_sent(struct eth_stream *s, uint32_t seq, uint64_t now)
{
	struct eth_kept *k = kept_at(s, seq);

	if (seq == s->next) {
		s->next++;
	} else {
		s->lost -= k->lost;
		s->again++;
	}
	k->lost = false;
	k->times++;
	k->sent_ns = now;
	k->number = ++s->transmissions;
	if (seq == s->una)
		s->due_ns = now + timeout_of(s);
}

bool
eth_stream_empty(const struct eth_stream *s)
{
	return s->una == s->sealed && s->fill == 0;
}

/* The oldest one has waited too long. Where it is what is missing, its acknowledgement names all
 * others; where an acknowledgement was lost, the next one says all that it said. */
void
eth_stream_time(struct eth_stream *s, uint64_t now)
{
	struct eth_kept *k = kept_at(s, s->una);

	if (s->una == s->next || k->lost || now < s->due_ns)
		return;
	k->lost = true;
	s->lost++;
	if (timeout_of(s) < RTO_MOST_NS)
		s->backoff++;
}

/* Means as of TCP (RFC 6298), from packets that were sent once. */
static void
measure_rtt(struct eth_stream *s, uint64_t rtt)
{
	uint64_t off = rtt > s->srtt ? rtt - s->srtt : s->srtt - rtt;

	if (s->srtt == 0) {
		s->srtt = rtt;
		s->rttvar = rtt / 2;
	} else {
		s->rttvar += off / 4;
		s->rttvar -= s->rttvar / 4;
		s->srtt += rtt / 8;
		s->srtt -= s->srtt / 8;
	}
	s->rto = s->srtt + 4 * s->rttvar;
	s->rto = s->rto < RTO_LEAST_NS ? RTO_LEAST_NS : s->rto;
	s->rto = s->rto > RTO_MOST_NS ? RTO_MOST_NS : s->rto;
}

static void
note_arrived(struct eth_stream *s, uint32_t seq, uint64_t now)
{
	struct eth_kept *k = kept_at(s, seq);

	if (k->arrived)
		return;
	k->arrived = true;
	s->lost -= k->lost;
	k->lost = false;
	if (k->number <= s->newest)
		return;
	s->newest = k->number;
	if (k->times == 1)
		measure_rtt(s, now - k->sent_ns);
}

static void
find_lost(struct eth_stream *s)
{
	uint32_t seq;

	for (seq = s->una; seq != s->next; seq++) {
		struct eth_kept *k = kept_at(s, seq);

		if (k->arrived || k->lost || k->number + ETH_REORDER > s->newest)
			continue;
		k->lost = true;
		s->lost++;
	}
}

int
eth_stream_acked(struct eth_stream *s, const struct eth_ack *ack, uint64_t now)
{
	uint32_t flying = s->next - s->una, moved = ack->next - s->una, i;
	uint64_t newest = s->newest, bits = ack->sack;

	if ((int32_t)moved < 0) /* overtaken by a later one */
		return 0;
	if (moved > flying)
		return -EINVAL;
	for (i = 0; i < moved; i++)
		note_arrived(s, s->una + i, now);
	for (; bits != 0; bits &= bits - 1) {
		i = moved + 1 + (uint32_t)__builtin_ctzll(bits);
		if (i >= flying)
			return -EINVAL;
		note_arrived(s, s->una + i, now);
	}
	s->una = ack->next;
	if (moved != 0) {
		s->backoff = 0;
		s->due_ns = now + timeout_of(s);
	}
	if (s->newest != newest && s->una != s->next)
		find_lost(s);
	return 0;
}

/* ---- receiver ---- */

static uint8_t *
early_at(const struct eth_stream *s, uint32_t seq)
{
	return s->early_data + (size_t)(seq % ETH_WINDOW) * s->size;
}

/* What came early, up to the next gap. */
static int
take_early(struct eth_stream *s, const struct eth_taker *to)
{
	int ret = 0;

	while (ret == 0 && s->early_len[s->want % ETH_WINDOW] != 0) {
		uint32_t seq = s->want++, len = s->early_len[seq % ETH_WINDOW];

		s->early_len[seq % ETH_WINDOW] = 0;
		s->held--;
		s->owed++;
		ret = to->take(to->arg, early_at(s, seq), len);
	}
	return ret;
}

int
eth_stream_arrive(struct eth_stream *s, uint32_t seq, const uint8_t *data, uint32_t len,
		  uint64_t now, const struct eth_taker *to)
{
	uint32_t ahead = seq - s->want;
	int ret;

	if (len == 0 || len > s->size)
		return -EINVAL;
	if (s->owed++ == 0)
		s->owed_ns = now;
	if ((int32_t)ahead < 0 || (ahead < ETH_WINDOW && s->early_len[seq % ETH_WINDOW] != 0)) {
		s->doubled++;
		s->ack_now = true;
		return 0;
	}
	if (ahead >= ETH_WINDOW)
		return -EINVAL;
	if (ahead > 0) {
		s->early++;
		s->ack_now = true;
		s->held++;
		s->early_len[seq % ETH_WINDOW] = len;
		memcpy(early_at(s, seq), data, len);
		return 0;
	}
	s->want++;
	ret = to->take(to->arg, data, len);
	return ret < 0 ? ret : take_early(s, to);
}

struct eth_ack
eth_stream_ack(const struct eth_stream *s)
{
	struct eth_ack ack = {.next = s->want};
	uint32_t i;

	for (i = 0; i < ETH_SACK && s->held != 0; i++)
		if (s->early_len[(s->want + 1 + i) % ETH_WINDOW] != 0)
			ack.sack |= 1ull << i;
	return ack;
}

bool
eth_stream_ack_due(const struct eth_stream *s, uint64_t now)
{
	return s->ack_now || s->owed >= ACK_PACKETS ||
	       (s->owed != 0 && now - s->owed_ns >= ACK_DELAY_NS);
}

void
eth_stream_ack_sent(struct eth_stream *s)
{
	s->owed = 0;
	s->ack_now = false;
}
