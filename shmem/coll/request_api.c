/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

#include "core/shmemi.h"
#include "posted.h"

/* Extensions: the requests of posted collectives. */

/* NULL: the handle is SHMEMX_REQ_INVALID, or was completed before. */
static struct coll_request *
request_of(const char *call, const shmemx_req_h *handle)
{
	struct coll_request *r;

	if (handle == NULL)
		shmemi_fatal(call, "request is NULL");
	if (*handle == SHMEMX_REQ_INVALID)
		return NULL;
	r = coll_request_of(*handle);
	if (r == NULL && shmemi.check)
		shmemi_fatal(call, "the request was completed before, or never posted");
	return r;
}

static bool
is_done(const struct coll_request *r)
{
	/* acquire: pairs with coll_queue_finish() */
	return atomic_load_explicit(&r->state, memory_order_acquire) == COLL_REQUEST_DONE;
}

static void
end_request(struct coll_request *r, shmemx_req_h *handle)
{
	*handle = SHMEMX_REQ_INVALID;
	coll_posted_end(r);
}

SHMEMI_EXPORT int
shmemx_req_test(shmemx_req_h *request)
{
	struct coll_request *r;

	shmemi_enter("shmemx_req_test");
	r = request_of("shmemx_req_test", request);
	if (r == NULL)
		return -1;
	if (!is_done(r))
		coll_posted_advance();
	if (is_done(r)) {
		end_request(r, request);
		return 0;
	}
	rb_progress_tested();
	return 1;
}

static int
wait_one(const char *call, shmemx_req_h *request)
{
	struct coll_request *r = request_of(call, request);

	if (r == NULL)
		return -1;
	*request = SHMEMX_REQ_INVALID;
	coll_posted_complete(r);
	return 0;
}

SHMEMI_EXPORT int
shmemx_req_wait(shmemx_req_h *request)
{
	shmemi_enter("shmemx_req_wait");
	return wait_one("shmemx_req_wait", request);
}

SHMEMI_EXPORT int
shmemx_req_wait_all(shmemx_req_h *requests, size_t nelems)
{
	int ret = 0;
	size_t i;

	shmemi_enter("shmemx_req_wait_all");
	for (i = 0; i < nelems; i++)
		if (requests[i] != SHMEMX_REQ_INVALID &&
		    wait_one("shmemx_req_wait_all", &requests[i]) != 0)
			ret = -1;
	return ret;
}

/* Several requests of which some are waited for. */
struct some {
	const char *call;
	shmemx_req_h *requests;
	size_t nelems;
	size_t *indices; /* of those that have ended */
	size_t n, most;
};

/* End those that are done, at most s->most. @return whether there were any, or none is left */
static bool
end_done(void *arg)
{
	struct some *s = arg;
	struct coll_request *r;
	bool left = false;
	size_t i;

	for (i = 0; i < s->nelems && s->n < s->most; i++) {
		r = request_of(s->call, &s->requests[i]);
		left |= r != NULL;
		if (r == NULL || !is_done(r))
			continue;
		end_request(r, &s->requests[i]);
		s->indices[s->n++] = i;
	}
	return s->n != 0 || !left;
}

SHMEMI_EXPORT size_t
shmemx_req_wait_any(shmemx_req_h *requests, size_t nelems)
{
	size_t i = SIZE_MAX;
	struct some s = {"shmemx_req_wait_any", requests, nelems, &i, 0, 1};

	shmemi_enter(s.call);
	coll_posted_wait_any(end_done, &s);
	return i;
}

SHMEMI_EXPORT size_t
shmemx_req_wait_some(shmemx_req_h *requests, size_t nelems, size_t *indices)
{
	struct some s = {"shmemx_req_wait_some", requests, nelems, indices, 0, nelems};

	shmemi_enter(s.call);
	coll_posted_wait_any(end_done, &s);
	return s.n;
}
