/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Preloaded: the DMA engines of one PE fail, or of all PEs where it is -1. ENGINE=PE:HOW:N, from
 * copy N of an engine on, counted from 1. HOW is "error": that copy is not made and ends with an
 * error; "errors": so do all later ones; "hang": they are taken and never end; "refuse": they are
 * not taken. Says so on stderr when it happens.
 */
#define ALLOW_EXPERIMENTAL_API
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_dmadev.h>

enum {
	ENGINES = 16,
	RING = 4096, /* copies under way, more than a device takes */
};

static char how[16];
static uint64_t from; /* 0: not this PE */

/* One thread at a time uses an engine. */
static struct engine {
	struct rte_dma_fp_object real;
	uint64_t taken;	     /* copies; those that fail are not passed on */
	uint64_t reported;   /* of these */
	uint64_t real_ready; /* of those passed on: complete, not reported */
	bool fails[RING];    /* by number of a copy */
	bool said;
} engines[ENGINES];

__attribute__((constructor)) static void
read_wish(void)
{
	const char *wish = getenv("ENGINE"), *pe = getenv("RINGBELL_PE");
	int whose;

	if (wish == NULL || pe == NULL ||
	    sscanf(wish, "%d:%15[a-z]:%lu", &whose, how, &from) != 3 ||
	    (whose >= 0 && whose != atoi(pe)))
		from = 0;
}

static struct engine *
engine_of(void *private)
{
	int i;

	for (i = 0; i < ENGINES - 1 && engines[i].real.dev_private != private; i++)
		;
	return &engines[i];
}

static bool
fails_now(struct engine *e)
{
	char line[80];
	int len;

	if (e->taken + 1 < from || (strcmp(how, "error") == 0 && e->taken + 1 != from))
		return false;
	if (!e->said) {
		len = snprintf(line, sizeof(line), "oshrun: fault: engine: %s at copy %lu\n", how,
			       e->taken + 1);
		if (write(STDERR_FILENO, line, (size_t)len) < 0)
			_exit(125);
	}
	e->said = true;
	return true;
}

/* The index that a device would give. */
static int
take(struct engine *e, bool fails)
{
	e->fails[e->taken % RING] = fails;
	return (uint16_t)e->taken++;
}

static int
copy(void *private, uint16_t vchan, rte_iova_t src, rte_iova_t dst, uint32_t len, uint64_t flags)
{
	struct engine *e = engine_of(private);
	int ret;

	if (fails_now(e))
		return strcmp(how, "refuse") == 0 ? -EIO : take(e, true);
	ret = e->real.copy(private, vchan, src, dst, len, flags);
	return ret < 0 ? ret : take(e, false);
}

static int
engine_copy_sg(void *private, uint16_t vchan, const struct rte_dma_sge *src,
	       const struct rte_dma_sge *dst, uint16_t n_src, uint16_t n_dst, uint64_t flags)
{
	struct engine *e = engine_of(private);
	int ret;

	if (fails_now(e))
		return strcmp(how, "refuse") == 0 ? -EIO : take(e, true);
	ret = e->real.copy_sg(private, vchan, src, dst, n_src, n_dst, flags);
	return ret < 0 ? ret : take(e, false);
}

/* Up to @p n copies in their order, all good ones or, with @p status, any. */
static uint16_t
report(struct engine *e, uint16_t vchan, uint16_t n, enum rte_dma_status_code *status, bool *error)
{
	uint16_t done = 0, idx;

	for (; done < n && e->reported < e->taken; done++, e->reported++) {
		bool fails = e->fails[e->reported % RING], ignored;

		if (fails && strcmp(how, "hang") == 0)
			break;
		if (fails && status == NULL) {
			*error = true;
			break;
		}
		if (!fails && e->real_ready == 0)
			e->real_ready +=
				e->real.completed(e->real.dev_private, vchan, n, &idx, &ignored);
		if (!fails && e->real_ready-- == 0) {
			e->real_ready = 0;
			break;
		}
		if (status != NULL)
			status[done] =
				fails ? RTE_DMA_STATUS_ERROR_UNKNOWN : RTE_DMA_STATUS_SUCCESSFUL;
	}
	return done;
}

static uint16_t
completed(void *private, uint16_t vchan, uint16_t n, uint16_t *last, bool *error)
{
	struct engine *e = engine_of(private);
	uint16_t done;

	*error = false;
	done = report(e, vchan, n, NULL, error);
	*last = (uint16_t)(e->reported - 1);
	return done;
}

static uint16_t
completed_status(void *private, uint16_t vchan, uint16_t n, uint16_t *last,
		 enum rte_dma_status_code *status)
{
	struct engine *e = engine_of(private);
	uint16_t done = report(e, vchan, n, status, NULL);

	*last = (uint16_t)(e->reported - 1);
	return done;
}

/* The library calls it before it uses an engine. */
__attribute__((visibility("default"))) int
rte_dma_start(int16_t id)
{
	int (*next)(int16_t), ret;
	struct rte_dma_fp_object **all, *o;

	*(void **)&next = dlsym(RTLD_NEXT, "rte_dma_start");
	ret = next(id);
	if (ret < 0 || from == 0 || id < 0 || id >= ENGINES - 1)
		return ret;
	/* not linked: this is loaded into programs without DPDK, too */
	all = dlsym(RTLD_DEFAULT, "rte_dma_fp_objs");
	if (all == NULL)
		return -ENOSYS;
	o = &(*all)[id];
	engines[id].real = *o;
	o->copy = copy;
	o->copy_sg = engine_copy_sg;
	o->completed = completed;
	o->completed_status = completed_status;
	return ret;
}
