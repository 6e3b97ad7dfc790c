/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 */
#ifndef COLL_ASET_H
#define COLL_ASET_H

/**
 * @file
 * Active sets, the deprecated way to name the members of a collective, as teams. A set becomes a
 * team on its first call: its members agree on a slot in pSync. It stays one, known by its pSync
 * array, because no two collectives may use one array at a time; later calls need no agreement.
 * A PE that knows many sets already makes the team last for the call only.
 */

#include "core/state.h"

struct coll_aset_args {
	int start, log_stride, size;
	long *psync;
};

struct coll_aset {
	struct shmemi_team *team;
	struct shmemi_team own; /**< where it lasts for the call only */
};

/** End the job if the arguments do not name an active set with this PE in it. */
void coll_aset_enter(struct coll_aset *set, const char *call, const struct coll_aset_args *args);
void coll_aset_leave(struct coll_aset *set);
void coll_aset_close(void);

#endif /* COLL_ASET_H */
