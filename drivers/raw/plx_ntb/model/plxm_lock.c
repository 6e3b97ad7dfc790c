/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */

/* The robust lock of a cable file. */

#include <errno.h>

#include "plxm_gen.h"
#include "plxm_link.h"
#include "plxm_lock.h"
#include "plxm_owner.h"

/* A process died in the middle of a change. A link loss resets whatever was half done to the link
 * or to a link block; either end must be able to take one at any time. */
static void
repair_cable(struct plxm_cable *c)
{
	for (unsigned int end = 0; end < PLXM_ENDS; end++) {
		struct plxm_chip *chip = &c->chip[end];

		if (chip->owner != 0 && !plxm_owner_alive(chip))
			plxm_owner_gone(c, chip);
	}
	plxm_link_bounce(c, true);
	plxm_gen_bump(c);
}

void
plxm_lock(struct plxm_cable *c)
{
	if (pthread_mutex_lock(&c->lock) != EOWNERDEAD)
		return;
	repair_cable(c);
	pthread_mutex_consistent(&c->lock);
}

void
plxm_unlock(struct plxm_cable *c)
{
	pthread_mutex_unlock(&c->lock);
}
