/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The robust lock of a cable file. */

#include <errno.h>

#include "plxm_chip.h"

/* A process died in the middle of a change. A link loss resets whatever was half done to the link
 * or to a link block; either end must be able to take one at any time. */
static void
repair_chip(const struct plxm_rig *r, struct plxm_chip *chip)
{
	for (unsigned int index = 0; index < PLXM_NTS; index++) {
		plxm_link_bounce(r, plxm_rig_cable_at(r, chip, index), true);
		plxm_gen_bump(plxm_rig_cable(r, plxm_rig_cable_at(r, chip, index)));
	}
}

static void
repair_file(const struct plxm_rig *r)
{
	uint32_t changing = r->file->changing;

	for (unsigned int k = 0; k < r->chips; k++) {
		for (unsigned int index = 0; index < PLXM_NTS; index++) {
			struct plxm_side s = plxm_side(&r->file->chip[k], index);

			if (s.nt->owner != 0 && !plxm_owner_alive(s.nt))
				plxm_owner_gone(r, &s);
		}
	}
	if (changing != 0 && changing <= r->chips)
		repair_chip(r, &r->file->chip[changing - 1]);
}

/* @p rc is what the mutex said. */
static void
lock_taken(const struct plxm_rig *r, const struct plxm_chip *chip, int rc)
{
	if (rc == EOWNERDEAD) {
		repair_file(r);
		pthread_mutex_consistent(&r->file->lock);
	}
	r->file->changing = (uint32_t)(chip - r->file->chip) + 1;
}

void
plxm_lock(const struct plxm_rig *r, const struct plxm_chip *chip)
{
	lock_taken(r, chip, pthread_mutex_lock(&r->file->lock));
}

int
plxm_trylock(const struct plxm_rig *r, const struct plxm_chip *chip)
{
	int rc = pthread_mutex_trylock(&r->file->lock);

	if (rc != 0 && rc != EOWNERDEAD)
		return rc == EBUSY ? -EAGAIN : -rc;
	lock_taken(r, chip, rc);
	return 0;
}

void
plxm_unlock(const struct plxm_rig *r)
{
	r->file->changing = 0;
	pthread_mutex_unlock(&r->file->lock);
}
