/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "raw.h"
#include "token.h"

/*
 * Ethernet between hosts: what they send by UDP never comes to the kernel. A socket's port is the
 * number of a cable or of a switch, and host K is 127.1.0.0 + K there. The seed draws which packets
 * get lost, come twice, too late or changed.
 */
enum {
	NET = 0x7f010000,
	LATE_BITS = 24, /* up to 16 ms */
	FATES = 4,
};

#define seg DST_AT

/* In place of the oldest one, which is lost if it is still there. */
static struct packet *
put_packet(int cable, int to, const void *data, size_t len)
{
	unsigned int i = seg->packets++ % DST_PACKETS;

	seg->packet[i] = (struct packet){seg->now, cable, dst_self->host, to, len};
	memcpy(seg->data[i], data, len);
	return &seg->packet[i];
}

static void
send_packet(int cable, int to, const void *data, size_t len)
{
	struct packet *p = put_packet(cable, to, data, len);

	if (dst_random() % 100 >= seg->odd || len == 0)
		return;
	switch (dst_random() % FATES) {
	case 0:
		p->len = 0;
		break;
	case 1:
		put_packet(cable, to, data, len);
		break;
	case 2:
		p->at += dst_random() % (1u << dst_random() % LATE_BITS);
		break;
	default:
		seg->data[p - seg->packet][dst_random() % len] ^= 1 << dst_random() % 8;
	}
}

static long
send_all(int cable, const long *a)
{
	uint32_t way = ((const struct sockaddr_in *)a[4])->sin_addr.s_addr;
	int from = dst_self->host, to;

	dst_point(DST_CALL + SYS_sendto, 0, (uint64_t)a[2]);
	if ((size_t)a[2] > DST_PACKET)
		return -EMSGSIZE;
	for (to = 0; to < DST_HOSTS; to++)
		if (to != from && (seg->ends[cable] & 1ull << to) != 0 && !seg->out[from][to] &&
		    (way == INADDR_BROADCAST || way == htonl(NET + (uint32_t)to)))
			send_packet(cable, to, (const void *)a[1], (size_t)a[2]);
	dst_changed();
	return a[2];
}

static long
receive_first(int cable, const long *a)
{
	struct packet *p, *first = NULL;
	size_t len;

	dst_point(DST_CALL + SYS_recvfrom, 0, 0);
	for (p = seg->packet; p < &seg->packet[DST_PACKETS]; p++)
		if (p->len != 0 && p->cable == cable && p->to == dst_self->host &&
		    p->at <= seg->now && (first == NULL || p->at < first->at))
			first = p;
	if (first == NULL)
		return -EAGAIN;
	len = first->len < (size_t)a[2] ? first->len : (size_t)a[2];
	memcpy((void *)a[1], seg->data[first - seg->packet], len);
	*(struct sockaddr_in *)a[4] =
		(struct sockaddr_in){.sin_family = AF_INET,
				     .sin_port = htons((uint16_t)(DST_CABLE + cable)),
				     .sin_addr.s_addr = htonl(NET + (uint32_t)first->from)};
	first->len = 0;
	return (long)len;
}

/* By the host's own address, since all have one kernel. */
static long
bind_end(int cable, const long *a)
{
	struct sockaddr_in me = *(const struct sockaddr_in *)a[1];

	me.sin_addr.s_addr = htonl(NET + (uint32_t)dst_self->host);
	seg->ends[cable] |= 1ull << dst_self->host;
	return RAW3(SYS_bind, a[0], &me, sizeof(me));
}

bool
dst_wire(long *ret, long nr, const long *a)
{
	struct sockaddr_in me = {0};
	const struct sockaddr_in *at =
		nr == SYS_recvfrom ? &me : (const void *)a[nr == SYS_bind ? 1 : 4];
	socklen_t size = sizeof(me);
	int cable;

	if (dst_self->host < 0 || (nr != SYS_bind && nr != SYS_sendto && nr != SYS_recvfrom))
		return false;
	if (nr == SYS_recvfrom)
		RAW3(SYS_getsockname, a[0], &me, &size);
	if (at == NULL || at->sin_family != AF_INET)
		return false;
	cable = ntohs(at->sin_port) - DST_CABLE;
	if (cable < 0 || cable >= DST_HOSTS)
		return false;
	*ret = nr == SYS_bind	  ? bind_end(cable, a)
	       : nr == SYS_sendto ? send_all(cable, a)
				  : receive_first(cable, a);
	return true;
}

/* A flap loses what is on its way. */
void
dst_wire_fault(const struct dst_fault *f)
{
	if (f->verb == DST_CUT || f->verb == DST_PLUG)
		seg->out[f->a][f->b] = seg->out[f->b][f->a] = f->verb == DST_CUT;
	if (f->verb == DST_MUTE)
		seg->out[f->a][f->b] = true;
	for (unsigned int i = 0; i < DST_PACKETS && f->verb == DST_FLAP; i++)
		if (seg->packet[i].from + seg->packet[i].to == f->a + f->b)
			seg->packet[i].len = 0;
}
