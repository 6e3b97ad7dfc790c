/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "event.h"
#include "papers.h"

enum {
	FIELDS = 5,	/* source, target, offset, size, flag: a scratchpad each */
	SEGMENT = 8192, /* bytes after which two transfers of a link take turns */
};

enum kind {
	DATA,	 /* of a put */
	REQUEST, /* of a get */
	REPLY,	 /* its data */
	ACK,
};

struct system;

struct request {
	struct system *s;
	enum kind kind;
	unsigned int issuer, to, at; /* at: the host that has it now */
	bool right;
	bool arrived;	/* at a host that did not issue it */
	uint64_t since; /* issued */
	uint64_t left;	/* bytes that the engine has not sent */
	struct request *next;
};

struct queue {
	struct request *first, **end;
};

struct host {
	unsigned int idle;	 /* service threads */
	unsigned int channels;	 /* of the DMA engine, free */
	struct queue work;	 /* for the threads */
	struct queue engine;	 /* for a channel */
	struct queue mailbox[2]; /* for the scratchpads of the left and the right neighbour */
	bool full[2];		 /* these scratchpads */
	uint64_t link[2];	 /* when all bytes so far have left */
	uint64_t handler;	 /* when the interrupt handler is free */
	unsigned int issued;
};

struct system {
	const struct hardware *h;
	const struct papers_run *run;
	struct event_queue q;
	struct host *host;
	struct request *requests; /* of all hosts, each used once */
	double link_rate, dma_rate, sum;
	uint64_t end;
};

static uint64_t
time_of(double ns)
{
	return (uint64_t)(ns * SIM_NS);
}

static void
call_at(struct request *r, uint64_t at, void (*fn)(void *, void *, uint64_t))
{
	const struct event e = {.at = at, .fn = fn, .a = r};

	event_add(&r->s->q, &e);
}

static void
call_after(struct request *r, double ns, void (*fn)(void *, void *, uint64_t))
{
	call_at(r, r->s->q.now + time_of(ns), fn);
}

static void
init_queue(struct queue *q)
{
	*q = (struct queue){NULL, &q->first};
}

static void
append_request(struct queue *q, struct request *r)
{
	r->next = NULL;
	*q->end = r;
	q->end = &r->next;
}

static struct request *
take_request(struct queue *q)
{
	struct request *r = q->first;

	if (r) {
		q->first = r->next;
		if (!q->first)
			q->end = &q->first;
	}
	return r;
}

static void issue_next(struct system *s, unsigned int host);
static void serve_request(void *request, void *none, uint64_t v);
static void start_engine(struct request *r);
static void announce_request(struct request *r);

static struct host *
host_of(const struct request *r)
{
	return &r->s->host[r->at];
}

/* A service thread takes a request; one that sleeps has to be woken. */
static void
queue_work(void *request, void *none, uint64_t v)
{
	struct request *r = request;
	struct host *h = host_of(r);

	(void)none;
	(void)v;
	if (h->idle == 0) {
		append_request(&h->work, r);
		return;
	}
	h->idle--;
	call_after(r, r->s->h->wake_ns, serve_request);
}

static void
free_thread(struct host *h)
{
	struct request *r = take_request(&h->work);

	if (r)
		call_after(r, 0, serve_request);
	else
		h->idle++;
}

/* The program of the issuer has been woken. */
static void
end_request(void *request, void *none, uint64_t v)
{
	struct request *r = request;
	struct system *s = r->s;

	(void)none;
	(void)v;
	s->sum += (double)(s->q.now - r->since) / 1e6;
	s->end = s->q.now;
	issue_next(s, r->issuer);
}

/* The scratchpads have been read: they may be written again. */
static void
free_mailbox(void *host, void *none, uint64_t right)
{
	struct host *h = host;
	struct request *waits = take_request(&h->mailbox[right]);

	(void)none;
	if (waits)
		announce_request(waits);
	else
		h->full[right] = false;
}

static void
handle_doorbell(void *request, void *sender, uint64_t v)
{
	struct request *r = request;
	const struct hardware *h = r->s->h;
	struct host *host = host_of(r);
	uint64_t begin = r->s->q.now + time_of(h->interrupt_ns), end;
	struct event e = {.fn = free_mailbox, .a = sender, .v = r->right};

	(void)v;
	if (host->handler > begin)
		begin = host->handler;
	/* which doorbell it was, the fields; then it is cleared */
	end = begin + time_of((FIELDS + 1) * h->mmio_read_ns + h->mmio_write_ns);
	host->handler = end;
	e.at = end + time_of(h->mmio_write_ns) + hardware_latency(h);
	event_add(&r->s->q, &e);
	call_at(r, end, queue_work);
}

/* The fields are in the neighbour's scratchpads and the doorbell is rung. */
static void
hand_over(void *request, void *none, uint64_t v)
{
	struct request *r = request;
	struct system *s = r->s;
	struct host *h = host_of(r);
	unsigned int n = s->run->hosts;
	const struct event e = {
		.at = s->q.now + hardware_latency(s->h), .fn = handle_doorbell, .a = r, .b = h};

	(void)none;
	(void)v;
	if (s->run->hand && r->kind == DATA && !r->arrived)
		call_after(r, s->h->wake_ns, end_request);
	r->at = (r->at + (r->right ? 1 : n - 1)) % n;
	r->arrived = true;
	event_add(&s->q, &e);
	free_thread(h);
}

static void
announce_request(struct request *r)
{
	call_after(r, (FIELDS + 1) * r->s->h->mmio_write_ns, hand_over);
}

static void
wait_mailbox(void *request, void *none, uint64_t v)
{
	struct request *r = request;
	struct host *h = host_of(r);

	(void)none;
	(void)v;
	if (h->full[r->right]) {
		append_request(&h->mailbox[r->right], r);
		return;
	}
	h->full[r->right] = true;
	announce_request(r);
}

/* The engine reads memory as far as its outstanding reads allow, and writes to the link. */
static void
send_segment(void *request, void *none, uint64_t v)
{
	struct request *r = request;
	struct system *s = r->s;
	struct host *h = host_of(r);
	uint64_t now = s->q.now, *link = &h->link[r->right];
	uint64_t n = r->left < SEGMENT ? r->left : SEGMENT;
	uint64_t read = now + time_of((double)n * 1e9 / s->dma_rate);
	struct request *waits;

	(void)none;
	(void)v;
	*link = (*link > now ? *link : now) + time_of((double)n * 1e9 / s->link_rate);
	r->left -= n;
	if (r->left > 0) {
		call_at(r, *link > read ? *link : read, send_segment);
		return;
	}
	waits = take_request(&h->engine);
	if (waits)
		start_engine(waits);
	else
		h->channels++;
	call_at(r, (*link > read ? *link : read) + time_of(s->h->interrupt_ns + s->h->wake_ns),
		wait_mailbox);
}

static void
start_engine(struct request *r)
{
	const struct hardware *h = r->s->h;

	r->left = r->s->run->size;
	call_after(r, h->call_ns + floor(h->dma_start) * h->mmio_write_ns + h->descriptor_ns,
		   send_segment);
}

static void
send_on(void *request, void *none, uint64_t v)
{
	struct request *r = request;
	struct host *h = host_of(r);

	(void)none;
	if (r->kind == REQUEST || r->kind == ACK) {
		wait_mailbox(r, none, v);
	} else if (h->channels == 0) {
		append_request(&h->engine, r);
	} else {
		h->channels--;
		start_engine(r);
	}
}

/* The data of a put or get are in their final place. */
static void
end_copy(void *request, void *none, uint64_t v)
{
	struct request *r = request;
	struct host *h = host_of(r);

	if (r->kind == DATA) {
		r->kind = ACK;
		r->to = r->issuer;
		r->right = !r->right;
		send_on(r, none, v);
		return;
	}
	call_after(r, r->s->h->wake_ns, end_request);
	free_thread(h);
}

/* By a service thread. */
static void
serve_request(void *request, void *none, uint64_t v)
{
	struct request *r = request;
	bool data = r->kind == DATA || r->kind == REPLY;
	double copy = (double)r->s->run->size * 1e3 / r->s->h->copy_mbs;

	if (!r->arrived) {
		send_on(r, none, v);
	} else if (r->at != r->to) {
		/* into the bypass buffer */
		call_after(r, data ? copy : 0, send_on);
	} else if (data) {
		call_after(r, copy, end_copy);
	} else if (r->kind == REQUEST) {
		r->kind = REPLY;
		r->to = r->issuer;
		r->right = !r->right;
		send_on(r, none, v);
	} else {
		if (!r->s->run->hand)
			call_after(r, r->s->h->wake_ns, end_request);
		free_thread(host_of(r));
	}
}

static void
issue_next(struct system *s, unsigned int host)
{
	const struct papers_run *run = s->run;
	struct host *h = &s->host[host];
	unsigned int step = run->hops ? run->hops : 1 + h->issued % (run->hosts - 1);
	struct request *r = &s->requests[host * run->count + h->issued];

	if (h->issued == run->count)
		return;
	h->issued++;
	*r = (struct request){
		.s = s,
		.kind = run->get ? REQUEST : DATA,
		.issuer = host,
		.to = (host + step) % run->hosts,
		.at = host,
		.right = true,
		.since = s->q.now,
	};
	call_after(r, s->h->call_ns, queue_work);
}

static void
init_host(struct system *s, struct host *h)
{
	h->idle = s->run->threads;
	h->channels = (unsigned int)s->h->dma_channels;
	init_queue(&h->work);
	init_queue(&h->engine);
	init_queue(&h->mailbox[0]);
	init_queue(&h->mailbox[1]);
}

int
papers_run(const struct hardware *h, const struct papers_run *run, struct papers_result *ret)
{
	struct system s = {.h = h, .run = run};
	unsigned int i, n;
	int result = -ENOMEM;

	if (run->hosts < 2 || run->threads < 1 || run->window < 1 || run->senders > run->hosts ||
	    run->hops >= run->hosts || run->count < 1 || run->size < 1)
		return -EINVAL;
	s.link_rate = hardware_rate(h, h->mps);
	s.dma_rate = hardware_dma_rate(h);
	s.host = calloc(run->hosts, sizeof(*s.host));
	s.requests = calloc((size_t)run->hosts * run->count, sizeof(*s.requests));
	if (!s.host || !s.requests || event_init(&s.q) < 0)
		goto free_all;
	for (i = 0; i < run->hosts; i++)
		init_host(&s, &s.host[i]);
	for (i = 0; i < run->senders; i++)
		for (n = 0; n < run->window; n++)
			issue_next(&s, i);
	while (event_next(&s.q))
		;
	ret->us = s.sum / (run->senders * run->count);
	ret->end = (double)s.end / 1e6;
	event_free(&s.q);
	result = 0;
free_all:
	free(s.host);
	free(s.requests);
	return result;
}

/* Each hop: the doorbell of the neighbour, whose handler wakes the thread that passes it on. A
 * round starts the end, and a second one tells of it. */
double
papers_barrier(const struct hardware *h, unsigned int hosts)
{
	double hop = h->mmio_write_ns + (double)hardware_latency(h) / SIM_NS + h->interrupt_ns +
		     h->mmio_read_ns + h->mmio_write_ns + h->wake_ns;

	return 2 * hosts * hop / 1e3;
}

double
papers_stores(const struct hardware *h, uint64_t size)
{
	double packet = h->combining >= 0.5 ? 64 : 8;
	double rate = fmin(hardware_store_rate(h), hardware_rate(h, packet));

	return (double)size * 1e6 / rate;
}

double
papers_dma(const struct hardware *h, uint64_t size, unsigned int descriptors)
{
	double rate = fmin(hardware_rate(h, h->mps), hardware_dma_rate(h));
	double start = h->call_ns + floor(h->dma_start) * h->mmio_write_ns;

	return (start + descriptors * h->descriptor_ns + (double)size * 1e9 / rate +
		h->interrupt_ns + h->wake_ns) /
	       1e3;
}

double
papers_raw(const struct hardware *h, uint64_t size)
{
	double rate = fmin(hardware_rate(h, h->mps), hardware_dma_rate(h));

	return (double)size * 1e9 / (h->descriptor_ns + (double)size * 1e9 / rate);
}
