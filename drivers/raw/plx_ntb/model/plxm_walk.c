/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The way of a request through both chips, with every check. */

#include <errno.h>
#include <string.h>

#include "plxm_chip.h"
#include "plxm_path.h"

/* Aligned words go in one piece, as they do in a request of one or two dwords. */
static void
copy_part(uint8_t *mem, const struct plxm_request *rq, size_t n)
{
	uint64_t *m8 = (uint64_t *)(void *)mem, w8;
	uint32_t *m4 = (uint32_t *)(void *)mem, w4;

	if (n == 8 && (uintptr_t)mem % 8 == 0) {
		if (rq->write) {
			memcpy(&w8, rq->buf, 8);
			__atomic_store_n(m8, w8, __ATOMIC_RELEASE);
		} else {
			w8 = __atomic_load_n(m8, __ATOMIC_ACQUIRE);
			memcpy(rq->buf, &w8, 8);
		}
	} else if (n == 4 && (uintptr_t)mem % 4 == 0) {
		if (rq->write) {
			memcpy(&w4, rq->buf, 4);
			__atomic_store_n(m4, w4, __ATOMIC_RELEASE);
		} else {
			w4 = __atomic_load_n(m4, __ATOMIC_ACQUIRE);
			memcpy(rq->buf, &w4, 4);
		}
	} else {
		memcpy(rq->write ? mem : rq->buf, rq->write ? rq->buf : mem, n);
	}
}

static void
walk_registers(struct plxm_port *p, const struct plxm_request *rq, uint32_t off, size_t n)
{
	for (size_t i = 0; i < n; i += 4) {
		uint32_t v;

		if (plxm_is_hidden(p, off + (uint32_t)i)) {
			if (!rq->write)
				memset(rq->buf + i, 0, 4);
		} else if (rq->write) {
			memcpy(&v, rq->buf + i, 4);
			plxm_chip_write(&p->rig, plxm_far(p).chip, off + (uint32_t)i, v,
					0xFFFFFFFF);
		} else {
			v = plxm_chip_read(plxm_far(p).chip, off + (uint32_t)i);
			memcpy(rq->buf + i, &v, 4);
		}
	}
}

/* Do both interfaces on the cable take packets as large as this host's? A switch does not cut
 * them. A host gives all functions below a root port the same size. */
static bool
payload_fits(const struct plxm_port *p, const struct plxm_request *rq, size_t n)
{
	const struct plxm_chip *chip = p->me.chip;
	struct plxm_side far = plxm_far(p);
	uint32_t own = p->me.base, peer = far.base + HW_NT_LINK;
	uint32_t most = HW_PAYLOAD(plxm_get(chip, own + HW_DEVCTL));
	uint32_t size = n < most ? (uint32_t)n : most;

	return !rq->dma || (size <= HW_PAYLOAD(plxm_get(chip, own + HW_NT_LINK + HW_DEVCTL)) &&
			    size <= HW_PAYLOAD(plxm_get(far.chip, peer + HW_DEVCTL)));
}

static int
walk_window(struct plxm_port *p, unsigned int w, uint64_t off, struct plxm_request rq)
{
	uint32_t perm = rq.write ? HW_PERM_WRITE : HW_PERM_READ;
	struct plxm_route rt;
	int rc = 0;

	while (rq.len != 0) {
		size_t n = rq.len;

		plxm_route_as(p, w ? 4 : 2, off, perm, rq.rid, &rt);
		if (rt.run < n)
			n = (size_t)rt.run;
		if (rt.kind == PLXM_TO_REGS && ((rt.addr | n) & 3) != 0) {
			rt.kind = PLXM_TO_NOTHING; /* registers take whole dwords */
			rt.cause = PLXM_UR_BAR;
		}
		if (rt.kind == PLXM_TO_MEMORY && !payload_fits(p, &rq, n)) {
			rt.kind = PLXM_TO_NOTHING;
			rt.cause = PLXM_MALFORMED;
		}
		if (rt.kind == PLXM_TO_MEMORY) {
			copy_part(p->dram[rt.dram].va + rt.addr, &rq, n);
		} else if (rt.kind == PLXM_TO_REGS) {
			walk_registers(p, &rq, (uint32_t)rt.addr, n);
		} else {
			plxm_refuse(p, &rt, rq.write, n);
			if (!rq.write)
				memset(rq.buf, 0xFF, n);
			rc = -EIO;
		}
		off += n;
		rq.buf += n;
		rq.len -= n;
	}
	return rc;
}

int
plxm_walk(struct plxm_port *p, unsigned int bar, uint64_t off, struct plxm_request rq)
{
	int rc;

	plxm_check(p);
	pthread_mutex_lock(&p->mu);
	rc = walk_window(p, bar == 4, off, rq);
	pthread_mutex_unlock(&p->mu);
	plxm_check(p);
	return rc;
}
