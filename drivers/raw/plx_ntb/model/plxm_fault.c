/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* Faults that a test asks for. */

#include <errno.h>

#include "plxm_chip.h"
#include "plxm_path.h"

/* At one end of a cable. */
static int
apply_fault(const struct plxm_rig *r, unsigned int no, unsigned int end, enum plxm_fault f,
	    uint64_t arg)
{
	struct plxm_cable *c = plxm_rig_cable(r, no);
	struct plxm_nt *nt = plxm_rig_end(r, no, end).nt;

	switch (f) {
	case PLXM_FAULT_CABLE:
		atomic_store(&c->out, arg != 0);
		plxm_link_update(r, no);
		return 0;
	case PLXM_FAULT_RETRAIN:
		plxm_link_bounce(r, no, false);
		return 0;
	case PLXM_FAULT_DB_DROP:
		atomic_store(&nt->db_drop, (uint32_t)(arg > UINT32_MAX ? UINT32_MAX : arg));
		return 0;
	case PLXM_FAULT_MUTE:
		atomic_store(&c->mute[end], arg != 0);
		plxm_gen_bump(c);
		return 0;
	case PLXM_FAULT_HIDE:
		atomic_store(&c->hide, (uint32_t)arg);
		return 0;
	default:
		return -EINVAL;
	}
}

bool
plxm_is_hidden(const struct plxm_port *p, uint32_t off)
{
	uint32_t hide = atomic_load_explicit(&p->cable->hide, memory_order_relaxed);
	uint32_t r = off & 0xFFC, masks = HW_DB + 16 + 8;

	if (__builtin_expect(hide == 0, 1) || off < HW_NT1_VIRTUAL)
		return false;
	return r == masks || r == masks + 4;
}

int
plxm_ring_fault(int fd, unsigned int hosts, unsigned int cable, enum plxm_fault f, uint64_t arg)
{
	unsigned int end = (unsigned int)(arg >> 32);
	struct plxm_rig r;
	int rc;

	if ((unsigned int)f >= PLXM_FAULT_MAX || end >= PLXM_ENDS || hosts > PLXM_RING_MAX ||
	    cable >= (hosts != 0 ? hosts : 1))
		return -EINVAL;
	rc = plxm_rig_find(fd, hosts, &r);
	if (rc != 0)
		return rc;
	rc = plxm_trylock(&r, &r.file->chip[cable]);
	if (rc == 0) {
		(void)apply_fault(&r, cable, end, f, (uint32_t)arg);
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
	int rc;

	plxm_lock(&p->rig, p->me.chip);
	rc = apply_fault(&p->rig, p->cable_no, p->end, f, arg);
	plxm_unlock(&p->rig);
	plxm_check(p);
	return rc;
}
