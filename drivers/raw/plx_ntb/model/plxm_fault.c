/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Faults that a test asks for. */

#include <errno.h>

#include "plxm_chip.h"
#include "plxm_path.h"

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
move_plugs(const struct plxm_rig *r, unsigned int no, uint32_t to)
{
	struct plxm_cable *c = plxm_rig_cable(r, no);

	if (atomic_load(&c->plug) == to)
		return;
	atomic_store(&c->plug, PLXM_PLUG_OUT);
	plxm_link_update(r, no);
	atomic_store(&c->plug, to);
	plxm_link_update(r, no);
}

static void
set_mute(struct plxm_cable *c, unsigned int end, bool mute)
{
	atomic_store(&c->mute[end], mute);
	plxm_gen_bump(c);
}

static void
fault_cable(const struct plxm_rig *r, unsigned int no, enum plxm_fault f, uint64_t arg)
{
	if (f == PLXM_FAULT_RETRAIN)
		plxm_link_bounce(r, no, false);
	else if (f == PLXM_FAULT_DB_DROP)
		atomic_store(&plxm_rig_end(r, no, (unsigned int)(arg >> 32)).nt->db_drop,
			     (uint32_t)arg);
	else if (f == PLXM_FAULT_MUTE)
		set_mute(plxm_rig_cable(r, no), (unsigned int)(arg >> 32), (uint32_t)arg != 0);
	else if (f == PLXM_FAULT_SPAD_GARBAGE)
		for (unsigned int end = 0; end < PLXM_ENDS; end++)
			spad_garbage(plxm_rig_end(r, no, end).nt, arg + end);
	else
		move_plugs(r, no, arg == 0 ? PLXM_PLUG_IN : PLXM_PLUG_OUT);
}

static bool
is_for_cable(enum plxm_fault f, uint64_t arg)
{
	return f == PLXM_FAULT_RETRAIN || f == PLXM_FAULT_SPAD_GARBAGE ||
	       ((f == PLXM_FAULT_DB_DROP || f == PLXM_FAULT_MUTE) && arg >> 32 < PLXM_ENDS) ||
	       (f == PLXM_FAULT_CABLE && arg != 2);
}

int
plxm_cable_fault(int fd, enum plxm_fault f, uint64_t arg)
{
	struct plxm_rig r;
	int rc;

	if (!is_for_cable(f, arg))
		return -EINVAL;
	rc = plxm_rig_find(fd, 0, &r);
	if (rc != 0)
		return rc;
	plxm_lock(&r, &r.file->chip[0]);
	fault_cable(&r, 0, f, arg);
	plxm_unlock(&r);
	plxm_rig_unmap(&r);
	return 0;
}

int
plxm_ring_fault(int fd, unsigned int hosts, unsigned int cable, enum plxm_fault f, uint64_t arg)
{
	struct plxm_rig r;
	int rc;

	if (!is_for_cable(f, arg) || hosts > PLXM_RING_MAX || cable >= (hosts != 0 ? hosts : 1))
		return -EINVAL;
	rc = plxm_rig_find(fd, hosts, &r);
	if (rc != 0)
		return rc;
	rc = plxm_trylock(&r, &r.file->chip[cable]);
	if (rc == 0) {
		fault_cable(&r, cable, f, arg);
		plxm_unlock(&r);
	}
	plxm_rig_unmap(&r);
	return rc;
}

int
plxm_ring_make(int fd, unsigned int hosts)
{
	struct plxm_rig r;
	int rc;

	if (hosts > PLXM_RING_MAX)
		return -EINVAL;
	rc = plxm_rig_map(fd, hosts, &r);
	if (rc == 0)
		plxm_rig_unmap(&r);
	return rc;
}

int
plxm_fault_set(struct plxm_port *p, enum plxm_fault f, uint64_t arg)
{
	bool posted = false;
	int rc = 0;

	plxm_lock(&p->rig, p->me.chip);
	switch (f) {
	case PLXM_FAULT_CABLE:
		move_plugs(&p->rig, p->cable_no,
			   arg == 0   ? PLXM_PLUG_IN
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
	case PLXM_FAULT_MUTE:
		set_mute(p->cable, p->end, arg != 0);
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
