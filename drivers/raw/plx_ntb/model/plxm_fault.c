/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Faults that a test asks for. */

#include <errno.h>

#include "plxm_link.h"
#include "plxm_lock.h"
#include "plxm_map.h"
#include "plxm_posted.h"

static void
spad_garbage(struct plxm_chip *chip, uint64_t seed)
{
	uint64_t x = seed * 2 + 1;

	for (unsigned int i = 0; i < 8; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		atomic_store(&chip->spad[i], (uint32_t)(x >> 16));
	}
}

int
plxm_fault_set(struct plxm_port *p, enum plxm_fault f, uint64_t arg)
{
	struct plxm_cable *c = p->cable;
	bool posted = false;
	int rc = 0;

	plxm_lock(c);
	switch (f) {
	case PLXM_FAULT_CABLE:
		atomic_store(&c->pulled, arg != 0);
		plxm_link_update(c);
		break;
	case PLXM_FAULT_RETRAIN:
		plxm_link_bounce(c, false);
		break;
	case PLXM_FAULT_DB_DROP:
		atomic_store(&p->chip->db_drop, (uint32_t)(arg > UINT32_MAX ? UINT32_MAX : arg));
		break;
	case PLXM_FAULT_SPAD_GARBAGE:
		spad_garbage(p->chip, arg);
		break;
	case PLXM_FAULT_DELAY_NS:
		atomic_store(&c->delay_ns[p->end], arg);
		break;
	case PLXM_FAULT_POSTED:
		posted = true;
		break;
	default:
		rc = -EINVAL;
		break;
	}
	plxm_unlock(c);
	if (posted) /* takes the lock itself */
		plxm_posted_set(p, arg != 0);
	plxm_check(p);
	return rc;
}
