/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#include <errno.h>
#include <stddef.h>

#include "ctx.h"
#include "rb.h"

static struct rb_ctx *own_ctx, *own_amo_ctx;

struct rb_ctx *
coll_ctx(void)
{
	return own_ctx;
}

struct rb_ctx *
coll_amo_ctx(void)
{
	return own_amo_ctx;
}

void
coll_fence(void)
{
	rb_fence(own_ctx);
}

void
coll_quiet(void)
{
	rb_quiet(own_ctx);
}

static void
close_ctx(struct rb_ctx **ctx)
{
	if (*ctx != NULL)
		rb_ctx_destroy(*ctx);
	*ctx = NULL;
}

int
coll_ctx_open(void)
{
	own_ctx = rb_ctx_create();
	own_amo_ctx = rb_ctx_create();
	if (own_ctx != NULL && own_amo_ctx != NULL)
		return 0;
	coll_ctx_close();
	return -ENOMEM;
}

void
coll_ctx_close(void)
{
	close_ctx(&own_ctx);
	close_ctx(&own_amo_ctx);
}
