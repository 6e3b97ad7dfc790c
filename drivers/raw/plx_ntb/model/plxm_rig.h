/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef PLXM_RIG_H
#define PLXM_RIG_H

/* How the chips of a file are cabled. End 0 of cable k of a ring is NT1 of chip k, end 1 is NT0 of
 * the next chip. The cable of a pair has chip 0 at end 0 and chip 1 at end 1. */

#include "plxm_priv.h"

/* Map the file of a ring of @p hosts, or of a pair (0). An empty file is made into one. */
int plxm_rig_map(int fd, unsigned int hosts, struct plxm_rig *r);

/* The same for a file that others have made, without waiting for any of them: -ENODATA where none
 * has made it so far. */
int plxm_rig_find(int fd, unsigned int hosts, struct plxm_rig *r);
void plxm_rig_unmap(struct plxm_rig *r);

static inline struct plxm_cable *
plxm_rig_cable(const struct plxm_rig *r, unsigned int no)
{
	return &r->file->chip[no].cable;
}

/* Number of the cable at NT port @p index of @p chip. */
static inline unsigned int
plxm_rig_cable_at(const struct plxm_rig *r, const struct plxm_chip *chip, unsigned int index)
{
	unsigned int k = (unsigned int)(chip - r->file->chip);

	if (!r->ring)
		return 0;
	return index != 0 ? k : (k + r->chips - 1) % r->chips;
}

static inline struct plxm_side
plxm_rig_end(const struct plxm_rig *r, unsigned int no, unsigned int end)
{
	struct plxm_chip *chip;

	if (r->ring)
		return plxm_side(&r->file->chip[(no + end) % r->chips], !end);
	chip = &r->file->chip[end];
	return plxm_side(chip, chip->eeprom.nt_index);
}

/* The port that the requests of @p p come to. */
static inline struct plxm_side
plxm_far(const struct plxm_port *p)
{
	if (atomic_load_explicit(&p->cable->plug, memory_order_relaxed) == PLXM_PLUG_LOOP + p->end)
		return p->me;
	return plxm_rig_end(&p->rig, p->cable_no, !p->end);
}

#endif /* PLXM_RIG_H */
