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
spad_garbage(struct plxm_nt *nt, uint64_t seed)
{
	uint64_t x = seed * 2 + 1;

	for (unsigned int i = 0; i < 8; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		atomic_store(&nt->spad[i], (uint32_t)(x >> 16));
	}
}

static void
move_plugs(struct plxm_port *p, uint32_t to)
{
	if (atomic_load(&p->cable->plug) == to)
		return;
	atomic_store(&p->cable->plug, PLXM_PLUG_OUT);
	plxm_link_update(&p->rig, p->cable_no);
	atomic_store(&p->cable->plug, to);
	plxm_link_update(&p->rig, p->cable_no);
}

int
plxm_fault_set(struct plxm_port *p, enum plxm_fault f, uint64_t arg)
{
	bool posted = false;
	int rc = 0;

	plxm_lock(&p->rig, p->me.chip);
	switch (f) {
	case PLXM_FAULT_CABLE:
		move_plugs(p, arg == 0	 ? PLXM_PLUG_IN
			      : arg != 2 ? PLXM_PLUG_OUT
					 : PLXM_PLUG_LOOP + p->end);
		break;
	case PLXM_FAULT_RETRAIN:
		plxm_link_bounce(&p->rig, p->cable_no, false);
		break;
	case PLXM_FAULT_DB_DROP:
		atomic_store(&p->me.nt->db_drop, (uint32_t)(arg > UINT32_MAX ? UINT32_MAX : arg));
		break;
	case PLXM_FAULT_SPAD_GARBAGE:
		spad_garbage(p->me.nt, arg);
		break;
	case PLXM_FAULT_DELAY_NS:
		atomic_store(&p->cable->delay_ns[p->end], arg);
		break;
	case PLXM_FAULT_POSTED:
		posted = true;
		break;
	default:
		rc = -EINVAL;
		break;
	}
	plxm_unlock(&p->rig);
	if (posted) /* takes the lock itself */
		plxm_posted_set(p, arg != 0);
	plxm_check(p);
	return rc;
}
